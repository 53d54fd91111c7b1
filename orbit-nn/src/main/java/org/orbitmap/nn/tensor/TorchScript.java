package org.orbitmap.nn.tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.io.FormatException;

/** A model in a TorchScript file, as {@code torch.jit.save} writes it. */
public final class TorchScript {
  private final Path file;
  private final JitModule module;

  private TorchScript(Path file, JitModule module) {
    this.file = file;
    this.module = module;
  }

  /** Whether a file is one by its name, which ends in .pt, .pth, .ts or .torchscript. */
  public static boolean isTorchScript(Path file) throws IOException {
    if (!file.getFileName().toString().matches("(?i).*\\.(pt|pth|ts|torchscript)")) {
      return false;
    }
    if (!Files.isRegularFile(file)) {
      throw new NoSuchFileException(file.toString());
    }
    return true;
  }

  /**
   * Reads a model and sets it to evaluation.
   *
   * @throws FormatException if the file holds none
   */
  public static TorchScript read(Path file) throws IOException {
    Engine.load();
    byte[] magic = new byte[2];
    try (var in = Files.newInputStream(file)) {
      if (in.readNBytes(magic, 0, 2) < 2 || magic[0] != 'P' || magic[1] != 'K') {
        throw new FormatException(file, "a TorchScript model (a zip archive)", "something else");
      }
    }
    try {
      JitModule module = torch.import_ir_module(new CompilationUnit(), file.toString());
      module.eval();
      Engine.place(module);
      return new TorchScript(file, module);
    } catch (RuntimeException e) {
      throw new FormatException(
          file,
          "a TorchScript model as torch.jit.save writes it (a state dictionary is none)",
          e.getMessage().lines().findFirst().orElse("something else"));
    }
  }

  /**
   * The rows that the model gives for a batch.
   *
   * @param data the numbers of the batch
   * @param shape its shape, the number of inputs first
   */
  public synchronized float[][] rows(float[] data, long... shape) {
    int n = Math.toIntExact(shape[0]);
    float[] all =
        NativeScope.inference(
            () -> {
              IValue answer;
              try {
                answer = module.forward(new IValueVector(new IValue(Tensors.of(data, shape))));
              } catch (RuntimeException e) {
                throw new IllegalArgumentException(
                    "%s: the model does not take a batch of shape %s: %s"
                        .formatted(
                            file,
                            java.util.Arrays.toString(shape),
                            e.getMessage().lines().findFirst().orElse("")),
                    e);
              }
              if (!answer.isTensor()) {
                throw new IllegalArgumentException(
                    file + ": expected a model that gives one tensor of scores, found several");
              }
              Tensor t = answer.toTensor().contiguous();
              return Tensors.toArray(t);
            });
    if (n == 0 || all.length % n != 0) {
      throw new IllegalArgumentException(
          "%s: expected one row of scores for each of %d inputs, found %d numbers"
              .formatted(file, n, all.length));
    }
    float[][] rows = new float[n][];
    int width = all.length / n;
    for (int i = 0; i < n; i++) {
      rows[i] = java.util.Arrays.copyOfRange(all, i * width, (i + 1) * width);
    }
    return rows;
  }
}
