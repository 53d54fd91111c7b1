package org.orbitmap.io.cloud.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;
import org.orbitmap.mesh.Mesh;

/**
 * PCD 0.7: ascii, binary and binary_compressed (LZF). Points without a position, which sensors
 * store as NaN, are left out.
 */
public record PcdFormat(boolean binary) implements Codec {
  private record Field(String name, int size, char type, int count) {
    int bytes() {
      return size * count;
    }

    /** Whether these are coordinates that floats would round. */
    boolean finer(boolean text) {
      return (text || size == 8 || (size == 4 && type != 'F'))
          && (name.equals("x") || name.equals("y") || name.equals("z"));
    }

    /** Whether a number holds red, green and blue, a byte for each. */
    boolean packed() {
      return size == 4 && (name.equals("rgb") || name.equals("rgba"));
    }
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    String[] names = {};
    String[] sizes = {};
    String[] types = {};
    String[] counts = null;
    long points = -1;
    long width = -1;
    long height = 1;
    String data = null;
    while (data == null) {
      String line = in.line();
      if (line == null) {
        throw in.error("a line such as 'DATA binary'", "the end of the file");
      }
      String[] words = line.trim().split("\\s+", -1);
      String[] rest = Arrays.copyOfRange(words, 1, words.length);
      switch (words[0].toUpperCase(Locale.ROOT)) {
        case "FIELDS" -> names = rest;
        case "SIZE" -> sizes = rest;
        case "TYPE" -> types = rest;
        case "COUNT" -> counts = rest;
        case "WIDTH" -> width = whole(in, rest);
        case "HEIGHT" -> height = whole(in, rest);
        case "POINTS" -> points = whole(in, rest);
        case "DATA" -> data = rest.length == 1 ? rest[0] : "nothing";
        case "VERSION", "VIEWPOINT", "" -> {}
        default -> {
          if (!words[0].startsWith("#")) {
            throw in.error("a header line of PCD", "'" + line + "'");
          }
        }
      }
    }
    if (points < 0) {
      points =
          width < 0 || height > Integer.MAX_VALUE || width > Integer.MAX_VALUE
              ? -1
              : width * height;
    }
    List<Field> fields = fields(in, names, sizes, types, counts);
    long stride = fields.stream().mapToLong(Field::bytes).sum();
    long values = fields.stream().mapToLong(Field::count).sum();
    if (points < 1 || stride > in.length() || values > in.length()) {
      throw in.error("at least one point that the file can hold", points);
    }
    float[][] columns;
    double[][] exact = new double[(int) values][];
    switch (data) {
      case "ascii" -> {
        int n = in.count("points", points, 2 * values);
        columns = columns(values, n);
        widen(fields, true, n, exact);
        for (int i = 0; i < n; i++) {
          if (!in.nextLine('#')) {
            throw in.error(n + " points", "the end of the file after " + i);
          }
          int column = 0;
          for (Field f : fields) {
            for (int k = 0; k < f.count; k++) {
              double v = in.anyNumber();
              if (exact[column] != null) {
                exact[column][i] = v;
              }
              columns[column++][i] =
                  f.packed() && f.type != 'F' ? Float.intBitsToFloat((int) (long) v) : (float) v;
            }
          }
          in.skipLine();
        }
      }
      case "binary" -> {
        int n = in.count("points", points, stride);
        columns = columns(values, n);
        widen(fields, false, n, exact);
        fill(in, fields, in.rest(ByteOrder.LITTLE_ENDIAN), n, (int) stride, false, columns, exact);
      }
      case "binary_compressed" -> {
        ByteBuffer rest = in.rest(ByteOrder.LITTLE_ENDIAN);
        if (rest.remaining() < 8) {
          throw in.error("the sizes of compressed data", "the end of the file");
        }
        long packed = rest.getInt() & 0xffffffffL;
        long size = rest.getInt() & 0xffffffffL;
        // 3 bytes stand for at most 264.
        if (packed > rest.remaining() || size != points * stride || size > 88 * packed) {
          throw in.error(
              "%d compressed bytes for %d points".formatted(packed, points),
              "%d bytes left that stand for %d".formatted(rest.remaining(), size));
        }
        int n = (int) points;
        byte[] plain = Lzf.unpack(in, rest, (int) packed, (int) size);
        columns = columns(values, n);
        widen(fields, false, n, exact);
        fill(
            in,
            fields,
            ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN),
            n,
            (int) stride,
            true,
            columns,
            exact);
      }
      default -> throw in.error("DATA ascii, binary or binary_compressed", "'" + data + "'");
    }
    return List.of(cloud(in, fields, columns, exact));
  }

  private static float[][] columns(long values, int n) {
    return new float[(int) values][n];
  }

  /** Makes room for the coordinates that are finer than floats. */
  private static void widen(List<Field> fields, boolean text, int n, double[][] exact) {
    int column = 0;
    for (Field f : fields) {
      if (f.count == 1 && f.finer(text)) {
        exact[column] = new double[n];
      }
      column += f.count;
    }
  }

  private static long whole(ByteCursor in, String[] words) throws FormatException {
    try {
      return Long.parseLong(words.length == 1 ? words[0] : "");
    } catch (NumberFormatException e) {
      throw in.error("a whole number", Arrays.toString(words));
    }
  }

  private static List<Field> fields(
      ByteCursor in, String[] names, String[] sizes, String[] types, String[] counts)
      throws FormatException {
    if (names.length == 0
        || sizes.length != names.length
        || types.length != names.length
        || (counts != null && counts.length != names.length)) {
      throw in.error(
          "FIELDS, SIZE, TYPE and COUNT of one length",
          names.length + ", " + sizes.length + ", " + types.length);
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      long size = whole(in, new String[] {sizes[i]});
      long count = counts == null ? 1 : whole(in, new String[] {counts[i]});
      boolean known =
          switch (types[i]) {
            case "F" -> size == 4 || size == 8;
            case "I", "U" -> size == 1 || size == 2 || size == 4 || size == 8;
            default -> false;
          };
      if (!known || count < 1 || count > in.length()) {
        throw in.error(
            "fields of type F, I or U with a usual size and a count",
            types[i] + " " + size + " x " + count);
      }
      fields.add(new Field(names[i], (int) size, types[i].charAt(0), (int) count));
    }
    return fields;
  }

  /** Fills the columns, point by point or (compressed files) field by field. */
  private static void fill(
      ByteCursor in,
      List<Field> fields,
      ByteBuffer data,
      int n,
      int stride,
      boolean byField,
      float[][] columns,
      double[][] exact)
      throws FormatException {
    if (data.remaining() < (long) n * stride) {
      throw in.error(n + " points of " + stride + " bytes", data.remaining() + " bytes left");
    }
    int before = 0;
    int column = 0;
    for (Field f : fields) {
      for (int k = 0; k < f.count; k++) {
        double[] finer = exact[column];
        float[] out = columns[column++];
        int start = byField ? before * n + k * f.size : before + k * f.size;
        int step = byField ? f.bytes() : stride;
        for (int i = 0, at = start; i < n; i++, at += step) {
          out[i] = f.packed() ? Float.intBitsToFloat(data.getInt(at)) : (float) value(f, data, at);
          if (finer != null) {
            finer[i] = value(f, data, at);
          }
        }
      }
      before += f.bytes();
    }
  }

  private static double value(Field f, ByteBuffer b, int at) {
    boolean signed = f.type == 'I';
    return switch (f.size) {
      case 1 -> signed ? b.get(at) : b.get(at) & 0xff;
      case 2 -> signed ? b.getShort(at) : b.getShort(at) & 0xffff;
      case 4 -> f.type == 'F' ? b.getFloat(at) : signed ? b.getInt(at) : b.getInt(at) & 0xffffffffL;
      default -> f.type == 'F' ? b.getDouble(at) : b.getLong(at);
    };
  }

  private static PlacedMesh cloud(
      ByteCursor in, List<Field> fields, float[][] columns, double[][] exact)
      throws FormatException {
    List<String> names = new ArrayList<>();
    for (Field f : fields) {
      for (int k = 0; k < f.count; k++) {
        names.add(f.count == 1 ? f.name : f.name + "_" + k);
      }
    }
    int x = names.indexOf("x");
    int y = names.indexOf("y");
    int z = names.indexOf("z");
    if (x < 0 || y < 0) {
      throw in.error("fields x and y", names);
    }
    int[] place = z < 0 ? new int[] {x, y} : new int[] {x, y, z};
    int n = columns[0].length;
    int[] kept = new int[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
      boolean finite = true;
      for (int j : place) {
        finite &= Float.isFinite(columns[j][i]);
      }
      if (finite) {
        kept[count++] = i;
      }
    }
    if (count == 0) {
      throw in.error("at least one point with finite coordinates", "none");
    }
    List<PointFeature> features = new ArrayList<>();
    boolean[] used = new boolean[names.size()];
    for (int j : place) {
      used[j] = true;
    }
    int nx = names.indexOf("normal_x");
    if (nx >= 0 && z >= 0 && names.indexOf("normal_y") >= 0 && names.indexOf("normal_z") >= 0) {
      int[] normal = {nx, names.indexOf("normal_y"), names.indexOf("normal_z")};
      features.add(PointFeature.normals(3, clean(take(columns, normal, kept, count))));
      for (int j : normal) {
        used[j] = true;
      }
    }
    for (int j = 0; j < used.length; j++) {
      if (used[j] || names.get(j).equals("_")) {
        continue;
      }
      float[] values = take(columns, new int[] {j}, kept, count);
      boolean packed = names.get(j).equals("rgb") || names.get(j).equals("rgba");
      features.add(
          packed
              ? PointFeature.colours(unpack(values))
              : new PointFeature(names.get(j), PointFeature.Kind.SCALAR, 1, clean(values)));
    }
    int d = place.length;
    for (int j : place) {
      if (exact[j] == null) {
        float[] c = take(columns, place, kept, count);
        return PlacedMesh.of(Mesh.of(new PointCloud(d, c, features)));
      }
    }
    double[] finer = new double[count * d];
    for (int i = 0; i < finer.length; i++) {
      finer[i] = exact[place[i % d]][kept[i / d]];
    }
    return PlacedMesh.of(d, finer, features, new int[0]);
  }

  /** A missing value of a feature is 0. */
  private static float[] clean(float[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.isFinite(values[i]) ? values[i] : 0;
    }
    return values;
  }

  private static float[] take(float[][] columns, int[] which, int[] kept, int count) {
    float[] out = new float[count * which.length];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < which.length; j++) {
        out[i * which.length + j] = columns[which[j]][kept[i]];
      }
    }
    return out;
  }

  private static float[] unpack(float[] packed) {
    float[] rgb = new float[3 * packed.length];
    for (int i = 0; i < packed.length; i++) {
      int bits = Float.floatToRawIntBits(packed[i]);
      rgb[3 * i] = (bits >> 16 & 0xff) / 255f;
      rgb[3 * i + 1] = (bits >> 8 & 0xff) / 255f;
      rgb[3 * i + 2] = (bits & 0xff) / 255f;
    }
    return rgb;
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    PlacedMesh placed = meshes.get(0);
    PointCloud x = placed.mesh().vertices();
    boolean wide = placed.far();
    int d = x.dimension();
    List<String> names = new ArrayList<>();
    for (int j = 0; j < x.dimension(); j++) {
      names.add("xyz".substring(j, j + 1));
    }
    for (PointFeature f : x.features()) {
      boolean normal = f.name().equals(PointFeature.NORMAL);
      for (int j = 0; j < (colour(f) ? 1 : f.width()); j++) {
        names.add(
            normal
                ? "normal_" + "xyz".charAt(j)
                : colour(f) ? "rgb" : f.width() == 1 ? f.name() : f.name() + "_" + j);
      }
    }
    String ones = " 1".repeat(names.size());
    String head =
        "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS "
            + String.join(" ", names.stream().map(n -> n.replaceAll("\\s", "_")).toList())
            + "\nSIZE"
            + (wide ? " 8" : " 4").repeat(d)
            + " 4".repeat(names.size() - d)
            + "\nTYPE"
            + String.join("", names.stream().map(n -> n.equals("rgb") ? " U" : " F").toList())
            + "\nCOUNT"
            + ones
            + "\nWIDTH "
            + x.size()
            + "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS "
            + x.size()
            + "\nDATA "
            + (binary ? "binary" : "ascii")
            + "\n";
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    MeshText.Writer writer = new MeshText.Writer(out);
    ByteBuffer row =
        ByteBuffer.allocate(4 * names.size() + (wide ? 4 * d : 0)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < x.size(); i++) {
      row.clear();
      if (wide) {
        for (int j = 0; j < d; j++) {
          row.putDouble(placed.at(i * d + j));
        }
      } else {
        put(row, x.coordinates(), i, d);
      }
      for (PointFeature f : x.features()) {
        if (colour(f)) {
          int rgb = 0;
          for (int j = 0; j < 3; j++) {
            float v = f.values()[3 * i + j];
            rgb = rgb << 8 | Math.max(0, Math.min(255, Math.round(255 * v)));
          }
          row.putInt(rgb);
        } else {
          put(row, f.values(), i, f.width());
        }
      }
      if (binary) {
        out.write(row.array());
        continue;
      }
      row.flip();
      for (int j = 0; j < names.size(); j++) {
        writer.add(j > 0 ? " " : "");
        if (names.get(j).equals("rgb")) {
          writer.add(Integer.toString(row.getInt()));
        } else if (wide && j < d) {
          writer.number(row.getDouble());
        } else {
          writer.number(row.getFloat());
        }
      }
      writer.add("\n");
    }
    writer.flush();
  }

  private static boolean colour(PointFeature f) {
    return f.name().equals(PointFeature.COLOUR) && f.width() == 3;
  }

  private static void put(ByteBuffer row, float[] values, int i, int width) {
    for (int j = 0; j < width; j++) {
      row.putFloat(values[i * width + j]);
    }
  }
}
