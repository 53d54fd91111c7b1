package org.orbitmap.io.network;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;

/**
 * Tensors by name in a file that others wrote: safetensors, or a state dictionary of PyTorch. What
 * is in it is known after opening; numbers are read when they are asked for. Nothing in a file is
 * ever executed.
 */
public interface TensorFile extends Closeable {
  /** The most numbers of a tensor: their bytes fit an array. */
  long MAX_COUNT = Integer.MAX_VALUE / 8 - 8;

  /**
   * A tensor.
   *
   * @param type of its numbers, such as F32 or F16
   * @param shape the lengths of its axes
   */
  record Entry(String type, long[] shape) {
    /** The number of elements. */
    public long count() {
      return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Entry e && type.equals(e.type) && Arrays.equals(shape, e.shape);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(shape);
    }

    @Override
    public String toString() {
      return type + " " + Arrays.toString(shape);
    }
  }

  /** The kind of file in words. */
  String format();

  /** Free text by name. */
  default Map<String, String> metadata() {
    return Map.of();
  }

  /** The tensors by name, in the order of the file. */
  Map<String, Entry> entries();

  /** The numbers of a tensor, whatever their type, as 32-bit floats. */
  FloatTensor read(String name) throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Opens a file; its content says of which kind it is.
   *
   * @throws FormatException if it is of neither kind, damaged, or holds anything but tensors and
   *     plain values
   */
  static TensorFile open(Path file) throws IOException {
    byte[] magic;
    try (InputStream in = Files.newInputStream(file)) {
      magic = in.readNBytes(9);
    }
    if (magic.length > 1 && magic[0] == 'P' && magic[1] == 'K') {
      return TorchFile.open(file);
    }
    if (magic.length == 9 && magic[8] == '{') {
      return SafetensorsFile.open(file);
    }
    boolean old = magic.length > 1 && (magic[0] & 255) == 0x80;
    throw new FormatException(
        file,
        "a safetensors file or a state dictionary of PyTorch (a zip archive)",
        old
            ? "a pickle of old. Load and save it again with PyTorch 1.6 or later"
            : "something else");
  }
}
