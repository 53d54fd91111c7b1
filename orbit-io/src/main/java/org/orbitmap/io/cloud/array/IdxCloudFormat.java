package org.orbitmap.io.cloud.array;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.codec.Codec;
import org.orbitmap.io.cloud.codec.MeshText;
import org.orbitmap.io.cloud.codec.PlacedMesh;

/**
 * IDX with 2 (points × columns) or 3 (clouds × points × columns) dimensions; integers of 16 bits
 * are divided by 32767, so that they cover [-1, 1]; floats and doubles stay as they are.
 */
public record IdxCloudFormat(boolean shorts) implements Codec {
  private static final int INT16 = 0x0b;
  private static final int FLOAT = 0x0d;
  private static final int DOUBLE = 0x0e;

  @Override
  public boolean several() {
    return true;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    ByteBuffer b = in.rest(ByteOrder.BIG_ENDIAN);
    if (b.remaining() < 4) {
      throw in.error("an IDX header", "the end of the file");
    }
    int magic = b.getInt();
    int type = magic >> 8;
    int dimensions = magic & 0xff;
    int size = type == INT16 ? 2 : type == FLOAT ? 4 : type == DOUBLE ? 8 : 0;
    if (size == 0 || dimensions < 2 || dimensions > 3 || b.remaining() < 4 * dimensions) {
      throw in.error(
          "IDX of 16-bit integers, floats or doubles in 2 or 3 dimensions",
          "%#010x".formatted(magic));
    }
    int[] shape = new int[dimensions];
    BigInteger bytes = BigInteger.valueOf(size); // sizes that a file claims overflow any other
    for (int k = 0; k < dimensions; k++) {
      shape[k] = b.getInt();
      if (shape[k] < 1) {
        throw in.error("positive sizes", shape[k]);
      }
      bytes = bytes.multiply(BigInteger.valueOf(shape[k]));
    }
    if (!bytes.equals(BigInteger.valueOf(b.remaining()))) {
      throw in.error(
          "%d bytes for the shape %s".formatted(bytes, Arrays.toString(shape)), b.remaining());
    }
    float[] values = new float[b.remaining() / size];
    double[] exact = type == DOUBLE ? new double[values.length] : null;
    int at = b.position();
    for (int i = 0; i < values.length; i++, at += size) {
      values[i] =
          type == INT16
              ? b.getShort(at) / 32767f
              : type == FLOAT ? b.getFloat(at) : (float) b.getDouble(at);
      if (exact != null) {
        exact[i] = b.getDouble(at);
      }
    }
    return NpyFormat.clouds(in, new NpyFormat.Array(shape, values, exact));
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    PointCloud first = meshes.get(0).mesh().vertices();
    boolean wide = !shorts && MeshText.far(meshes);
    double[] all = MeshText.stacked(target, meshes, !shorts);
    int columns = all.length / meshes.size() / first.size();
    ByteBuffer head = ByteBuffer.allocate(16);
    head.putInt((shorts ? INT16 : wide ? DOUBLE : FLOAT) << 8 | 3);
    head.putInt(meshes.size()).putInt(first.size()).putInt(columns);
    out.write(head.array());
    ByteBuffer number = ByteBuffer.allocate(8);
    for (double v : all) {
      number.clear();
      if (shorts) {
        if (Math.abs(v) > 1) {
          throw UserError.expected(
              target.toString(),
              "coordinates from -1 to 1 for 16-bit integers",
              v,
              "Scale to max norm 1, or write floats (idx)");
        }
        number.putShort((short) Math.round((float) v * 32767));
      } else if (wide) {
        number.putDouble(v);
      } else {
        number.putFloat((float) v);
      }
      out.write(number.array(), 0, number.position());
    }
  }
}
