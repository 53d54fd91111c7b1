package org.orbitmap.spark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructType;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ReadImage;
import org.orbitmap.mesh.Mesh;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How the inputs stand in a column, read and written: the contents of files ({@code binaryFile}),
 * Spark's images (a struct, {@code image}), or nested arrays of floats or doubles: images as
 * channels × rows × columns or rows × columns, clouds as points × coordinates.
 *
 * @param <X> the inputs
 */
interface InputColumn<X> extends Serializable {
  /**
   * One input, and how another one is written in the same way.
   *
   * @param <X> the inputs
   */
  record Opened<X>(X input, Writer<X> writer) {}

  /**
   * Makes the value of a column.
   *
   * @param <X> the inputs
   */
  @FunctionalInterface
  interface Writer<X> {
    /**
     * The value.
     *
     * @param mirrored whether x is a mirror image of what was read
     */
    Object write(X x, boolean mirrored) throws IOException;
  }

  /**
   * Reads a value.
   *
   * @param name what to call it in messages; that of a file also tells its format
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is no input
   */
  Opened<X> open(Object value, Path name) throws IOException;

  /**
   * Images in a column of a type.
   *
   * @throws IllegalArgumentException if there cannot be any
   */
  static InputColumn<Image> images(DataType type) {
    if (type instanceof BinaryType) {
      return InputColumn::imageFile;
    }
    if (type instanceof StructType s && List.of(s.fieldNames()).containsAll(SparkImages.FIELDS)) {
      return (value, name) -> SparkImages.open((Row) value, name);
    }
    int depth = depth(type);
    if (depth == 2 || depth == 3) {
      return (value, name) -> imageArray(value, depth);
    }
    throw new IllegalArgumentException(
        "images: expected a column of binary, of Spark's images, or of arrays of arrays of numbers,"
            + " found "
            + type.simpleString());
  }

  /**
   * Clouds in a column of a type.
   *
   * @throws IllegalArgumentException if there cannot be any
   */
  static InputColumn<PointCloud> clouds(DataType type) {
    if (type instanceof BinaryType) {
      return InputColumn::cloudFile;
    }
    if (depth(type) == 2) {
      return (value, name) -> cloudArray(value);
    }
    throw new IllegalArgumentException(
        "clouds: expected a column of binary, or of arrays of arrays of numbers, found "
            + type.simpleString());
  }

  /** How deeply numbers are nested in arrays; 0 if it is something else. */
  private static int depth(DataType type) {
    int depth = 0;
    DataType inner = type;
    while (inner instanceof ArrayType array) {
      inner = array.elementType();
      depth++;
    }
    return inner instanceof FloatType || inner instanceof DoubleType ? depth : 0;
  }

  private static Opened<Image> imageFile(Object value, Path name) throws IOException {
    ReadImage read = ImageFiles.open(name, (byte[]) value);
    return new Opened<>(read.image(), (x, mirrored) -> ImageFiles.png(x, read.bits()));
  }

  private static Opened<Image> imageArray(Object value, int depth) {
    List<Object> planes = depth == 3 ? list(value) : List.of(value);
    List<Object> rows = planes.isEmpty() ? List.of() : list(planes.get(0));
    int width = rows.isEmpty() ? 0 : list(rows.get(0)).size();
    if (width == 0) {
      throw new IllegalArgumentException("expected an image with pixels, found an empty array");
    }
    Image image = Image.black(planes.size(), rows.size(), width);
    boolean doubles = false;
    int at = 0;
    for (Object plane : planes) {
      List<Object> lines = list(plane);
      requireLength("rows of each channel", rows.size(), lines.size());
      for (Object line : lines) {
        List<Object> samples = list(line);
        requireLength("samples of each row", width, samples.size());
        for (Object sample : samples) {
          doubles = sample instanceof Double;
          image.data()[at++] = number(sample).floatValue();
        }
      }
    }
    boolean wide = doubles;
    return new Opened<>(
        image,
        (x, mirrored) -> {
          List<Object> written = new ArrayList<>();
          for (int c = 0; c < x.channels(); c++) {
            written.add(nested(x.data(), c * x.plane(), x.height(), x.width(), wide));
          }
          return depth == 3 ? written : written.get(0);
        });
  }

  private static Opened<PointCloud> cloudArray(Object value) {
    List<Object> points = list(value);
    int dimension = points.isEmpty() ? 0 : list(points.get(0)).size();
    if (dimension == 0) {
      throw new IllegalArgumentException("expected a cloud with points, found an empty array");
    }
    float[] coordinates = new float[points.size() * dimension];
    boolean doubles = false;
    int at = 0;
    for (Object point : points) {
      List<Object> p = list(point);
      requireLength("coordinates of each point", dimension, p.size());
      for (Object v : p) {
        doubles = v instanceof Double;
        coordinates[at++] = number(v).floatValue();
      }
    }
    boolean wide = doubles;
    return new Opened<>(
        new PointCloud(dimension, coordinates),
        (x, mirrored) -> nested(x.coordinates(), 0, x.size(), x.dimension(), wide));
  }

  private static Opened<PointCloud> cloudFile(Object value, Path name) throws IOException {
    CloudFormat format =
        CloudFormat.of(name)
            .orElseThrow(
                () ->
                    new FormatException(
                        name, "a name with the ending of a format of clouds", "none"));
    if (name.toString().toLowerCase(Locale.ROOT).endsWith(".gz")) {
      throw new FormatException(name, "a file that is not compressed", "one that is");
    }
    List<Mesh> all = CloudFiles.decode(format, name, (byte[]) value);
    if (all.size() != 1) {
      throw new FormatException(name, "one cloud", all.size());
    }
    Mesh mesh = all.get(0);
    CloudFormat to = format.writable() ? format : CloudFormat.PLY;
    return new Opened<>(
        mesh.vertices(),
        (x, mirrored) -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          CloudFiles.content(name, to, List.of(PlacedMesh.of(mesh.with(x, mirrored))))
              .writeTo(bytes);
          return bytes.toByteArray();
        });
  }

  /** Rows of numbers as lists of lists. */
  private static List<Object> nested(float[] data, int from, int rows, int columns, boolean wide) {
    List<Object> all = new ArrayList<>(rows);
    for (int r = 0, at = from; r < rows; r++) {
      Object[] row = new Object[columns];
      for (int c = 0; c < columns; c++, at++) {
        if (wide) {
          row[c] = (double) data[at];
        } else {
          row[c] = data[at];
        }
      }
      all.add(row);
    }
    return all;
  }

  private static Number number(Object value) {
    if (value instanceof Number n && Double.isFinite(n.doubleValue())) {
      return n;
    }
    throw new IllegalArgumentException("expected finite numbers, found " + value);
  }

  private static void requireLength(String what, int expected, int found) {
    if (expected != found) {
      throw new IllegalArgumentException(
          "%s: expected %d as in the first, found %d".formatted(what, expected, found));
    }
  }

  /** An array as Spark hands it over. */
  private static List<Object> list(Object value) {
    if (value instanceof scala.collection.Seq<?> seq) {
      return new ArrayList<>(CollectionConverters.asJava(seq));
    }
    throw new IllegalArgumentException("expected an array, found " + value);
  }

  /** Images as Spark's {@code image} source has them: bytes, row by row, blue first. */
  final class SparkImages {
    static final List<String> FIELDS =
        List.of("origin", "height", "width", "nChannels", "mode", "data");

    private SparkImages() {}

    private static Opened<Image> open(Row row, Path name) throws IOException {
      int height = row.<Integer>getAs("height");
      int width = row.<Integer>getAs("width");
      int channels = row.<Integer>getAs("nChannels");
      byte[] data = row.getAs("data");
      if (height < 1
          || width < 1
          || (channels != 1 && channels != 3 && channels != 4)
          || data == null
          || data.length != (long) height * width * channels) {
        throw new FormatException(
            name,
            "an image with 1, 3 or 4 channels of bytes",
            "%d x %d with %d channels in %d bytes"
                .formatted(height, width, channels, data == null ? 0 : data.length));
      }
      Image image = Image.black(channels == 1 ? 1 : 3, height, width);
      for (int p = 0; p < image.plane(); p++) {
        // as in files: transparent pixels are blended over black
        float alpha = channels == 4 ? (data[4 * p + 3] & 255) / 255f : 1;
        for (int c = 0; c < image.channels(); c++) {
          int from = channels == 1 ? p : channels * p + 2 - c;
          image.data()[c * image.plane() + p] = (data[from] & 255) / 255f * alpha;
        }
      }
      String origin = row.getAs("origin");
      return new Opened<>(image, (x, mirrored) -> write(origin, x));
    }

    private static Row write(String origin, Image x) {
      byte[] data = new byte[x.plane() * x.channels()];
      for (int p = 0; p < x.plane(); p++) {
        for (int c = 0; c < x.channels(); c++) {
          int to = x.channels() == 1 ? p : 3 * p + 2 - c;
          data[to] = (byte) ImageFiles.toByte(x.data()[c * x.plane() + p]);
        }
      }
      int mode = x.channels() == 1 ? 0 : 16; // OpenCV's CV_8UC1 and CV_8UC3
      return RowFactory.create(origin, x.height(), x.width(), x.channels(), mode, data);
    }
  }
}
