package org.orbitmap.io.cloud.codec;

import com.github.mreutegg.laszip4j.LASPoint;
import com.github.mreutegg.laszip4j.LASReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;

/**
 * ASPRS LAS, versions 1.0 to 1.4: a coordinate is scale · integer + offset, in double. Colour and
 * intensity are kept. Written as version 1.2, with the finest decimal scale that 32 bits have room
 * for. LAZ, its packed form, is read by laszip4j, which a user adds to the class path.
 *
 * @param packed whether files are LAZ, which is only read
 */
public record LasFormat(boolean packed) implements Codec {
  private static final String INTENSITY = "intensity";
  private static final int HEADER = 227;

  /** The least length of a variable length record. */
  private static final int RECORD = 54;

  /** The number of the record that says how points are packed: 1 without chunks, or with them. */
  private static final short PACKING = 22204;

  /** Where red, green and blue stand in a record of each format; -1 without. */
  private static final int[] COLOUR = {-1, -1, 20, 28, -1, 28, -1, 30, 30, -1, 30};

  /** The least length of a record of each format. */
  private static final int[] LENGTH = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

  /** What the header says. */
  private record Header(
      int format, long points, int start, int length, double[] scale, double[] offset) {}

  /** Takes points one by one. */
  private static final class Points {
    private final ByteCursor in;
    private final Header header;
    private final double[] coordinates;
    private final float[] intensity;
    private final float[] colour;
    private int size;
    private float brightest;

    Points(ByteCursor in, Header header) {
      int n = (int) header.points;
      this.in = in;
      this.header = header;
      this.coordinates = new double[3 * n];
      this.intensity = new float[n];
      this.colour = COLOUR[header.format] < 0 ? null : new float[3 * n];
    }

    void place(int... integers) throws FormatException {
      for (int j = 0; j < 3; j++) {
        coordinates[3 * size + j] = in.exact(header.scale[j] * integers[j] + header.offset[j]);
      }
    }

    void colour(int... levels) {
      for (int j = 0; j < 3; j++) {
        colour[3 * size + j] = levels[j];
        brightest = Math.max(brightest, levels[j]);
      }
    }

    PlacedMesh mesh() throws FormatException {
      if (size != header.points) {
        throw in.error(header.points + " points", size);
      }
      List<PointFeature> features = new ArrayList<>();
      if (colour != null) {
        // Many programs write bytes into the 16 bits.
        float most = brightest > 255 ? 65535 : 255;
        for (int i = 0; i < colour.length; i++) {
          colour[i] /= most;
        }
        features.add(PointFeature.colours(colour));
      }
      boolean any = false;
      for (float v : intensity) {
        any |= v != 0;
      }
      if (any) {
        features.add(new PointFeature(INTENSITY, PointFeature.Kind.SCALAR, 1, intensity));
      }
      return PlacedMesh.of(3, coordinates, features, new int[0]);
    }
  }

  @Override
  public boolean writable() {
    return !packed;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    ByteBuffer bytes = in.rest(ByteOrder.LITTLE_ENDIAN);
    Header header = header(in, bytes);
    Points points = new Points(in, header);
    if (packed) {
      unpack(in, points);
    } else {
      for (; points.size < header.points; points.size++) {
        int at = header.start + points.size * header.length;
        points.place(bytes.getInt(at), bytes.getInt(at + 4), bytes.getInt(at + 8));
        points.intensity[points.size] = bytes.getShort(at + 12) & 0xffff;
        if (points.colour != null) {
          int c = at + COLOUR[header.format];
          points.colour(
              bytes.getShort(c) & 0xffff,
              bytes.getShort(c + 2) & 0xffff,
              bytes.getShort(c + 4) & 0xffff);
        }
      }
    }
    return List.of(points.mesh());
  }

  private Header header(ByteCursor in, ByteBuffer b) throws FormatException {
    if (b.limit() < HEADER || b.getInt(0) != 0x4653414c) {
      throw in.error("a LAS file", "something else");
    }
    int minor = b.get(25);
    if (b.get(24) != 1 || minor < 0 || minor > 4 || (minor == 4 && b.limit() < 375)) {
      throw in.error("LAS 1.0 to 1.4", b.get(24) + "." + minor);
    }
    int format = b.get(104) & 0x3f;
    boolean zipped = (b.get(104) & 0xc0) != 0;
    if (format >= COLOUR.length || zipped != packed) {
      throw in.error(
          "points of a %s file".formatted(packed ? "LAZ" : "LAS"),
          zipped ? "packed ones. Is it LAZ?" : "format " + (b.get(104) & 0xff));
    }
    long start = b.getInt(96) & 0xffffffffL;
    int length = b.getShort(105) & 0xffff;
    long points = b.getInt(107) & 0xffffffffL;
    if (minor == 4 && points == 0) {
      points = b.getLong(247);
    }
    // A packed point may take next to nothing; Points takes some 40 bytes.
    long room = packed ? 100L * b.limit() : (b.limit() - start) / Math.max(1, length);
    if (points < 1
        || start < HEADER
        || start > b.limit()
        || length < LENGTH[format]
        || points > room
        || points > Codec.MAX_BYTES / 40) {
      throw in.error(
          "at least one point, and room for all", "%d of %d bytes".formatted(points, length));
    }
    double[] scale = new double[3];
    double[] offset = new double[3];
    for (int j = 0; j < 3; j++) {
      scale[j] = b.getDouble(131 + 8 * j);
      offset[j] = b.getDouble(155 + 8 * j);
    }
    if (packed) {
      requireRoom(in, b, start);
    }
    return new Header(format, points, (int) start, length, scale, offset);
  }

  /** The library takes memory for records and chunks before it looks whether they are there. */
  private static void requireRoom(ByteCursor in, ByteBuffer b, long start) throws FormatException {
    if (start + 8 > b.limit()) {
      throw in.error("a whole LAZ file", "no points");
    }
    long records = b.getInt(100) & 0xffffffffL;
    long at = b.getShort(94) & 0xffff; // the header's length; records follow, then the points
    boolean chunked = true;
    for (long i = 0; i < records; i++) {
      if (at + RECORD > start) {
        throw in.error(
            "room for %d records".formatted(records), start + " bytes before the points");
      }
      if (b.getShort((int) at + 18) == PACKING) {
        chunked = b.getShort((int) at + RECORD) != 1;
      }
      at += RECORD + (b.getShort((int) at + 20) & 0xffff);
    }
    if (at < HEADER || at > start) {
      throw in.error("points behind the header and its records", "points at byte " + start);
    }
    if (chunked) {
      long table = b.getLong((int) start);
      if (table == -1) { // written as a stream: the place stands at the end
        table = b.getLong(b.limit() - 8);
      }
      if (table < 0 || table > b.limit() - 8) {
        throw in.error("a table of chunks in the file", "one at byte " + table);
      }
      long chunks = b.getInt((int) table + 4) & 0xffffffffL;
      if (chunks > b.limit()) {
        throw in.error("room for %d chunks".formatted(chunks), b.limit() + " bytes");
      }
    }
  }

  private static void unpack(ByteCursor in, Points points) throws IOException {
    byte[] content = new byte[in.remaining()];
    in.rest(ByteOrder.LITTLE_ENDIAN).get(content);
    // The library reads the table of chunks from a file only.
    Path file = Files.createTempFile("orbit", ".laz");
    try {
      // An empty file that is cut before it is written waits for the disk when it is closed.
      Files.write(file, content, StandardOpenOption.WRITE);
      for (LASPoint p : new LASReader(file.toFile()).getPoints()) {
        if (points.size == points.header.points) {
          break;
        }
        points.place(p.getX(), p.getY(), p.getZ());
        points.intensity[points.size] = p.getIntensity();
        if (points.colour != null) {
          points.colour(p.getRed(), p.getGreen(), p.getBlue());
        }
        points.size++;
      }
    } catch (NoClassDefFoundError e) {
      throw UserError.expected(
          in.file().toString(),
          "the library laszip4j on the class path",
          "none",
          "Add com.github.mreutegg:laszip4j, or unpack the file to .las");
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw in.error("a whole LAZ file", "a damaged one (" + e + ")");
    } finally {
      Files.delete(file);
    }
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    PlacedMesh placed = meshes.get(0);
    PointCloud x = placed.mesh().vertices();
    int d = x.dimension();
    int n = x.size();
    PointFeature colour = x.feature(PointFeature.COLOUR).orElse(null);
    PointFeature intensity = x.feature(INTENSITY).orElse(null);
    int length = colour == null ? 20 : 26;
    double[] low = new double[3];
    double[] high = new double[3];
    double size = 0;
    for (int j = 0; j < d; j++) {
      low[j] = Double.POSITIVE_INFINITY;
      high[j] = Double.NEGATIVE_INFINITY;
      for (int i = j; i < n * d; i += d) {
        low[j] = Math.min(low[j], placed.at(i));
        high[j] = Math.max(high[j], placed.at(i));
      }
      size = Math.max(size, high[j] - low[j]);
    }
    double scale = size == 0 ? 1e-9 : Math.pow(10, Math.ceil(Math.log10(size / 2e9)));
    double[] offset = new double[3];
    ByteBuffer head = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(0, 0x4653414c).put(24, (byte) 1).put(25, (byte) 2);
    head.position(58).put("Orbit".getBytes(StandardCharsets.US_ASCII));
    head.putShort(94, (short) HEADER).putInt(96, HEADER);
    head.put(104, (byte) (colour == null ? 0 : 2)).putShort(105, (short) length).putInt(107, n);
    head.putInt(111, n);
    for (int j = 0; j < 3; j++) {
      offset[j] = placed.far() ? placed.origin()[Math.min(j, d - 1)] : 0;
      if (high[j] - offset[j] > 2.1e9 * scale || low[j] - offset[j] < -2.1e9 * scale) {
        offset[j] = Math.rint((low[j] + high[j]) / 2 / scale) * scale;
      }
      head.putDouble(131 + 8 * j, scale).putDouble(155 + 8 * j, offset[j]);
      head.putDouble(179 + 16 * j, high[j]).putDouble(187 + 16 * j, low[j]);
    }
    out.write(head.array());
    ByteBuffer record = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < d; j++) {
        record.putInt(4 * j, (int) Math.rint((placed.at(i * d + j) - offset[j]) / scale));
      }
      if (intensity != null) {
        record.putShort(12, (short) level(intensity.values()[i], 1));
      }
      record.put(14, (byte) 0x09); // return 1 of 1
      for (int j = 0; colour != null && j < 3; j++) {
        record.putShort(20 + 2 * j, (short) level(colour.values()[3 * i + j], 65535));
      }
      out.write(record.array());
    }
  }

  private static int level(float v, int most) {
    return (int) Math.max(0, Math.min(65535, Math.rint(v * (double) most)));
  }
}
