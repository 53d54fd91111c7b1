package org.orbitmap.app.soak;

import com.github.mreutegg.laszip4j.lastools.Laszip;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.image.Image;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.io.data.CifarFiles;
import org.orbitmap.io.data.IdxFiles;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.io.network.TensorFile;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightSettings;

/** Everything that reads files of strangers, with right files of each kind. */
final class Readers {
  /** Images of so many pixels at most: what a mutant asks for must be refused, not tried. */
  private static final long PIXELS = 1_000_000;

  /** The name of every mutant; messages must hold it. */
  private static final Path NAME = Path.of("mutant");

  /**
   * One of them.
   *
   * @param samples files that it reads
   * @param reading how
   */
  record Reader(String name, List<byte[]> samples, Reading reading) {}

  /** Reads, checks, and forgets. */
  interface Reading {
    void read(byte[] content) throws IOException;
  }

  private interface FileReading {
    void read(Path file) throws IOException;
  }

  private final Path folder;

  /** Readers that may use a folder for files. */
  Readers(Path folder) {
    this.folder = folder;
  }

  List<Reader> all() throws IOException {
    List<Reader> all = new ArrayList<>();
    for (CloudFormat format : CloudFormat.values()) {
      all.add(
          new Reader(
              format.label(),
              clouds(format),
              bytes -> CloudFiles.decode(format, NAME, bytes).forEach(Readers::use)));
    }
    Image drawing = SampleDrawings.image(1003, 3, 24, 20);
    for (String kind : List.of("png", "jpg", "gif", "bmp", "tiff")) {
      all.add(
          new Reader(
              kind,
              List.of(encoded(drawing, kind)),
              bytes -> ImageFiles.decode(NAME, bytes, PIXELS).requireFinite()));
    }
    all.add(
        new Reader(
            "pnm",
            List.of(text("P3 2 1 255 0 1 2 3 4 5\n"), text("P2\n# two\n2 2\n65535\n0 1 2 65535\n")),
            onDisk("mutant.pnm", f -> ImageFiles.read(f).requireFinite())));
    all.add(new Reader("onnx", models(), bytes -> OnnxFile.decode(NAME.toString(), bytes)));
    Path upright = folder.resolve("upright.safetensors");
    UprightFile.write(upright, FittedUpright.random(UprightSettings.of("convnet", 0.1, 16, 36), 1));
    byte[] fitted = Files.readAllBytes(upright);
    all.add(
        new Reader(
            "safetensors", List.of(fitted), onDisk("mutant.safetensors", Safetensors::read)));
    all.add(new Reader("tensors", List.of(fitted), onDisk("mutant.tensors", Readers::useTensors)));
    byte[] pickle = pickle();
    all.add(new Reader("torch", List.of(torch(pickle)), onDisk("mutant.pt", Readers::useTensors)));
    Reading whole = onDisk("mutant.pth", Readers::useTensors);
    all.add(new Reader("pickle", List.of(pickle), bytes -> whole.read(torch(bytes))));
    all.add(new Reader("upright", List.of(fitted), onDisk("mutant.upright", UprightFile::read)));
    all.add(
        new Reader(
            "configuration",
            List.of(text(TrainConfig.defaults().toYaml()), text(TrainConfig.glyphs().toYaml())),
            onDisk("mutant.yaml", TrainConfig::read)));
    dataSets(all);
    return all;
  }

  private void dataSets(List<Reader> all) throws IOException {
    byte[] images = idx(new int[] {3, 4, 5});
    byte[] labels = idx(new int[] {3});
    Path rightImages = folder.resolve("images-idx3-ubyte");
    Path rightLabels = folder.resolve("labels-idx1-ubyte");
    Files.write(rightImages, images);
    Files.write(rightLabels, labels);
    all.add(
        new Reader(
            "idx-images",
            List.of(images),
            onDisk("mutant-idx3-ubyte", f -> IdxFiles.read("idx", 256, f, rightLabels))));
    all.add(
        new Reader(
            "idx-labels",
            List.of(labels),
            onDisk("mutant-idx1-ubyte", f -> IdxFiles.read("idx", 256, rightImages, f))));
    List<String> classes = List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
    all.add(
        new Reader(
            "cifar",
            List.of(new byte[3073], new byte[2 * 3073]),
            onDisk("mutant.bin", f -> CifarFiles.read("cifar", classes, List.of(f)))));
    all.add(
        new Reader(
            "gzip",
            List.of(gzip(images), gzip(new byte[100_000])),
            onDisk(
                "mutant.gz",
                f -> {
                  try (InputStream in = Gunzip.open(f)) {
                    in.transferTo(OutputStream.nullOutputStream());
                  }
                })));
  }

  private static void useTensors(Path file) throws IOException {
    try (TensorFile tensors = TensorFile.open(file)) {
      for (String name : tensors.entries().keySet()) {
        tensors.read(name);
      }
    }
  }

  /** A dictionary with one tensor of two numbers, as PyTorch writes it. */
  @SuppressWarnings("StringConcatToTextBlock") // bytes, no text
  private static byte[] pickle() {
    return ("\200\002}X\1\0\0\0wctorch._utils\n"
            + "_rebuild_tensor_v2\n"
            + "((X\7\0\0\0storagectorch\n"
            + "FloatStorage\n"
            + "X\1\0\0\0000X\3\0\0\0cpuK\2tQK\0K\2\205K\1\205\211ccollections\n"
            + "OrderedDict\n"
            + ")RtRs.")
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** An archive of PyTorch around a pickle. */
  private static byte[] torch(byte[] pickle) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("x/data.pkl"));
      zip.write(pickle);
      zip.putNextEntry(new ZipEntry("x/data/0"));
      zip.write(new byte[8]);
    }
    return out.toByteArray();
  }

  private static void use(Mesh mesh) {
    mesh.vertices().requireFinite();
  }

  private Reading onDisk(String name, FileReading reading) {
    Path file = folder.resolve(name);
    return bytes -> {
      // A new file each time: one that is written over is brought to the disk when it is closed.
      Files.deleteIfExists(file);
      Files.write(file, bytes);
      reading.read(file);
    };
  }

  private static byte[] text(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] encoded(Image image, String kind) throws IOException {
    BufferedImage source = ImageFiles.toBufferedImage(image);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (!ImageIO.write(source, kind, out)) {
      throw new IOException("no writer of " + kind);
    }
    return out.toByteArray();
  }

  /** Bytes in the format of MNIST's files, all of them small numbers. */
  private static byte[] idx(int[] sizes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, 8, (byte) sizes.length});
    int count = 1;
    for (int size : sizes) {
      out.writeBytes(new byte[] {0, 0, 0, (byte) size});
      count *= size;
    }
    for (int i = 0; i < count; i++) {
      out.write(i % 7);
    }
    return out.toByteArray();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    return out.toByteArray();
  }

  private static List<byte[]> models() {
    List<byte[]> models = new ArrayList<>();
    models.add(HostileModels.harmless());
    for (Map.Entry<String, byte[]> hostile : HostileModels.all().entrySet()) {
      if (hostile.getValue().length < 100_000) {
        models.add(hostile.getValue());
      }
    }
    return models;
  }

  private List<byte[]> clouds(CloudFormat format) throws IOException {
    List<byte[]> files = new ArrayList<>();
    if (format == CloudFormat.LAZ) {
      Path from = folder.resolve("right.las");
      Path to = folder.resolve("right.laz");
      CloudFiles.write(from, new PointCloud(3, new float[] {1, 2, 3}));
      Laszip.run(new String[] {"-i", from.toString(), "-o", to.toString()});
      files.add(Files.readAllBytes(to));
      return files;
    }
    if (!format.writable()) {
      files.add(
          text(
              """
              solid t
              facet normal 0 0 1
              outer loop
              vertex 0 0 0
              vertex 1 0 0
              vertex 0 1e0 -0.0
              endloop
              endfacet
              endsolid t
              """));
      byte[] binary = new byte[84 + 50];
      binary[80] = 1;
      files.add(binary);
      return files;
    }
    float[] c = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    float[] colours = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    PointCloud corners = new PointCloud(3, c);
    files.add(written(format, new Mesh(corners, new int[] {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2})));
    files.add(
        written(
            format,
            Mesh.of(
                new PointCloud(
                    3, c, List.of(PointFeature.normals(3, c), PointFeature.colours(colours))))));
    return files;
  }

  private byte[] written(CloudFormat format, Mesh mesh) throws IOException {
    Path file = folder.resolve("right." + format.label());
    AtomicFiles.write(file, CloudFiles.content(file, format, List.of(PlacedMesh.of(mesh))));
    return Files.readAllBytes(file);
  }
}
