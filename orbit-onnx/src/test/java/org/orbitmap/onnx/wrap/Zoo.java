package org.orbitmap.onnx.wrap;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.CifarFiles;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;

/** The models that others made, with the data they were made for. */
enum Zoo {
  MNIST("mnist-8.onnx"),
  RESNET("cifar10_vnncomp_resnet_2b.onnx"),
  SQUEEZENET("cifar10_squeezenet_nhwc.onnx");

  private final String file;

  Zoo(String file) {
    this.file = file;
  }

  Preprocessing preprocessing() {
    return switch (this) {
      case MNIST -> new Preprocessing(255, new double[] {0}, new double[] {1});
      case RESNET ->
          new Preprocessing(
              1, new double[] {.4914, .4822, .4465}, new double[] {.2470, .2435, .2616});
      case SQUEEZENET -> Preprocessing.NONE;
    };
  }

  /** The data folder, or the test is skipped. */
  static Path data() {
    String folder = System.getProperty("orbit.data", "");
    assumeTrue(!folder.isBlank() && Files.isDirectory(Path.of(folder)), "no -Dorbit.data");
    return Path.of(folder);
  }

  OnnxFile read() throws IOException {
    return OnnxFile.read(data().resolve("models").resolve(file));
  }

  List<Image> images(int n) throws IOException {
    List<Image> images = new ArrayList<>();
    if (this != MNIST) {
      ImageSet set =
          CifarFiles.read(
              "cifar10", CifarFiles.CIFAR10, List.of(data().resolve("cifar10/test_batch.bin.gz")));
      for (int i = 0; i < n; i++) {
        images.add(set.image(i));
      }
      return images;
    }
    try (DataInputStream in =
        new DataInputStream(
            new GZIPInputStream(
                Files.newInputStream(data().resolve("mnist/t10k-images-idx3-ubyte.gz"))))) {
      in.skipNBytes(16);
      for (int i = 0; i < n; i++) {
        byte[] b = in.readNBytes(784);
        float[] u = new float[784];
        for (int p = 0; p < 784; p++) {
          u[p] = (b[p] & 255) / 255f;
        }
        images.add(new Image(1, 28, 28, u));
      }
    }
    return images;
  }
}
