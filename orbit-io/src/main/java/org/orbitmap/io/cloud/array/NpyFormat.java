package org.orbitmap.io.cloud.array;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.codec.Codec;
import org.orbitmap.io.cloud.codec.MeshText;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

/** NumPy arrays of numbers: points × columns or clouds × points × columns, in either order. */
public record NpyFormat() implements Codec {
  private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([<>|=])([fiu])([1248])'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");

  /**
   * An array as it stands in a file, in C order.
   *
   * @param exact the same numbers where the file holds them more finely than floats do, else null
   */
  record Array(int[] shape, float[] values, double[] exact) {}

  @Override
  public boolean several() {
    return true;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    return clouds(in, array(in));
  }

  static List<PlacedMesh> clouds(ByteCursor in, Array a) throws FormatException {
    int dims = a.shape.length;
    if (dims < 2 || dims > 3 || a.shape[dims - 1] < 2 || a.values.length == 0) {
      throw in.error(
          "an array of points x columns or clouds x points x columns, 2 columns or more",
          Arrays.toString(a.shape));
    }
    int columns = a.shape[dims - 1];
    int each = a.shape[dims - 2] * columns;
    for (float v : a.values) {
      in.coordinate(v);
    }
    List<PlacedMesh> all = new ArrayList<>();
    for (int from = 0; from < a.values.length; from += each) {
      if (a.exact != null) {
        all.add(MeshText.table(Arrays.copyOfRange(a.exact, from, from + each), columns));
        continue;
      }
      float[] rows = dims == 2 ? a.values : Arrays.copyOfRange(a.values, from, from + each);
      all.add(PlacedMesh.of(Mesh.of(MeshText.table(rows, columns))));
    }
    return all;
  }

  static Array array(ByteCursor in) throws FormatException {
    ByteBuffer b = in.rest(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    for (int i = 0; i < magic.length; i++) {
      if (b.remaining() <= i || b.get(i) != magic[i]) {
        throw in.error("a NumPy array, which starts with \\x93NUMPY", "something else");
      }
    }
    if (b.remaining() < 12) {
      throw in.error("a NumPy header", "the end of the file");
    }
    int version = b.get(6);
    b.position(8);
    long length = version == 1 ? b.getShort() & 0xffff : b.getInt() & 0xffffffffL;
    if (version < 1 || version > 3 || length > b.remaining()) {
      throw in.error("NumPy format 1 to 3 with its header", "format " + version);
    }
    byte[] text = new byte[(int) length];
    b.get(text);
    String header = new String(text, StandardCharsets.ISO_8859_1);
    Matcher descr = DESCR.matcher(header);
    Matcher order = ORDER.matcher(header);
    Matcher shape = SHAPE.matcher(header);
    if (!descr.find() || !order.find() || !shape.find()) {
      throw in.error("a plain array of numbers", header.trim());
    }
    int[] sizes = shape(in, shape.group(1));
    int size = descr.group(3).charAt(0) - '0';
    long count = 1;
    for (int s : sizes) {
      count = s == 0 ? 0 : count > Integer.MAX_VALUE ? count : count * s;
    }
    if (count * size > b.remaining() || count > Integer.MAX_VALUE) {
      throw in.error(
          "room for an array of shape (" + shape.group(1) + ")", b.remaining() + " bytes");
    }
    b =
        b.slice()
            .order(descr.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    float[] values = new float[(int) count];
    char kind = descr.group(2).charAt(0);
    boolean wide = size == 8 || (size == 4 && kind != 'f');
    double[] exact = wide ? new double[values.length] : null;
    int[] place = order.group(1).equals("True") ? transposed(sizes, values.length) : null;
    for (int i = 0; i < values.length; i++) {
      double v = value(in, b, kind, size, i * size);
      int at = place == null ? i : place[i];
      values[at] = (float) v;
      if (wide) {
        exact[at] = v;
      }
    }
    return new Array(sizes, values, exact);
  }

  private static int[] shape(ByteCursor in, String text) throws FormatException {
    List<Integer> sizes = new ArrayList<>();
    try {
      for (String part : text.split(",", -1)) {
        if (!part.isBlank()) {
          int size = Integer.parseInt(part.trim());
          if (size < 0) {
            throw new NumberFormatException();
          }
          sizes.add(size);
        }
      }
    } catch (NumberFormatException e) {
      throw in.error("a shape", "(" + text + ")");
    }
    return sizes.stream().mapToInt(Integer::intValue).toArray();
  }

  private static double value(ByteCursor in, ByteBuffer b, char kind, int size, int at)
      throws FormatException {
    if (kind == 'f') {
      return switch (size) {
        case 2 -> half(b.getShort(at));
        case 4 -> b.getFloat(at);
        case 8 -> b.getDouble(at);
        default -> throw in.error("floats of 2, 4 or 8 bytes", size);
      };
    }
    boolean signed = kind == 'i';
    return switch (size) {
      case 1 -> signed ? b.get(at) : b.get(at) & 0xff;
      case 2 -> signed ? b.getShort(at) : b.getShort(at) & 0xffff;
      case 4 -> signed ? b.getInt(at) : b.getInt(at) & 0xffffffffL;
      default -> b.getLong(at);
    };
  }

  /** IEEE's 16-bit floats. */
  private static double half(short bits) {
    int e = bits >> 10 & 0x1f;
    int m = bits & 0x3ff;
    double v =
        e == 0
            ? Math.scalb((double) m, -24)
            : e == 31
                ? (m == 0 ? Double.POSITIVE_INFINITY : Double.NaN)
                : Math.scalb(1 + m / 1024.0, e - 15);
    return bits < 0 ? -v : v;
  }

  /** Where in C order each number of an array in Fortran order stands. */
  private static int[] transposed(int[] shape, int count) {
    int[] out = new int[count];
    int[] at = new int[shape.length];
    for (int i = 0; i < count; i++) {
      int place = 0;
      for (int k = 0; k < shape.length; k++) {
        place = place * shape[k] + at[k];
      }
      out[i] = place;
      for (int k = 0; k < shape.length && ++at[k] == shape[k]; k++) {
        at[k] = 0;
      }
    }
    return out;
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    int columns = MeshText.columns(meshes.get(0).mesh().vertices());
    int points = meshes.get(0).mesh().vertices().size();
    double[] all = MeshText.stacked(target, meshes, true);
    write(
        meshes.size() == 1
            ? new int[] {points, columns}
            : new int[] {meshes.size(), points, columns},
        all,
        MeshText.far(meshes),
        out);
  }

  /** What a file with a matrix of doubles has to hold. */
  public static AtomicFiles.Body matrix(double[][] rows) {
    int columns = rows.length == 0 ? 0 : rows[0].length;
    double[] all = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    return out -> write(new int[] {rows.length, columns}, all, true, out);
  }

  /** Writes an array, in double or as floats. */
  static void write(int[] shape, double[] values, boolean wide, OutputStream out)
      throws IOException {
    StringBuilder header = new StringBuilder("{'descr': '<f" + (wide ? 8 : 4));
    header.append("', 'fortran_order': False, 'shape': (");
    for (int i = 0; i < shape.length; i++) {
      header.append(i > 0 ? ", " : "").append(shape[i]);
    }
    header.append(shape.length == 1 ? ",), }" : "), }");
    while ((10 + header.length() + 1) % 64 != 0) {
      header.append(' ');
    }
    header.append('\n');
    out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    out.write(header.length() & 0xff);
    out.write(header.length() >> 8);
    out.write(header.toString().getBytes(StandardCharsets.ISO_8859_1));
    ByteBuffer buffer = ByteBuffer.allocate(1 << 15).order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; from < values.length; from += 1 << 12) {
      buffer.clear();
      for (int i = from; i < Math.min(from + (1 << 12), values.length); i++) {
        if (wide) {
          buffer.putDouble(values[i]);
        } else {
          buffer.putFloat((float) values[i]);
        }
      }
      out.write(buffer.array(), 0, buffer.position());
    }
  }
}
