package org.orbitmap.io.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.image.Image;

/** A written file is one by the letter of the format, as strict readers expect it. */
class PngTest {
  private record Chunk(String type, byte[] content) {}

  /** The chunks after the signature, each with a checksum that is right. */
  private static List<Chunk> chunks(byte[] file) {
    List<Chunk> all = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(file);
    assertThat(in.getLong()).isEqualTo(0x89504e470d0a1a0aL);
    while (in.hasRemaining()) {
      int length = in.getInt();
      CRC32 crc = new CRC32();
      crc.update(file, in.position(), 4 + length);
      byte[] type = new byte[4];
      byte[] content = new byte[length];
      in.get(type).get(content);
      assertThat(in.getInt()).isEqualTo((int) crc.getValue());
      all.add(new Chunk(new String(type, StandardCharsets.US_ASCII), content));
    }
    return all;
  }

  /** Photographs and drawings, in one strip and in several. */
  @ParameterizedTest
  @CsvSource({"1, 8, 7", "3, 8, 7", "3, 16, 7", "3, 8, 400", "1, 16, 400"})
  void everyChunkHasItsChecksum(int channels, int bits, int side) throws DataFormatException {
    SplittableRandom random = new SplittableRandom(1);
    for (boolean drawing : new boolean[] {true, false}) {
      Image image = Image.black(channels, side, side + 3);
      for (int i = 0; i < image.data().length; i++) {
        image.data()[i] = drawing ? i / 200 % 2 : random.nextFloat();
      }
      List<Chunk> chunks = chunks(Png.encode(image, bits));
      assertThat(chunks).extracting(Chunk::type).containsExactly("IHDR", "IDAT", "IEND");
      assertThat(chunks.get(0).content())
          .isEqualTo(
              ByteBuffer.allocate(13)
                  .putInt(side + 3)
                  .putInt(side)
                  .put((byte) bits)
                  .put((byte) (channels == 1 ? 0 : 2))
                  .array());
      assertThat(chunks.get(2).content()).isEmpty();
      int stride = 1 + (side + 3) * channels * bits / 8;
      byte[] rows = new byte[side * stride + 1];
      Inflater inflater = new Inflater(); // refuses a wrong checksum, and says where it ended
      inflater.setInput(chunks.get(1).content());
      assertThat(inflater.inflate(rows)).isEqualTo(side * stride);
      assertThat(inflater.finished()).isTrue();
      assertThat(inflater.getRemaining()).isZero();
      inflater.end();
      byte[] filters = new byte[side];
      for (int y = 0; y < side; y++) {
        filters[y] = rows[y * stride];
      }
      byte[] expected = new byte[side];
      Arrays.fill(expected, (byte) (drawing ? 0 : 1));
      assertThat(filters).isEqualTo(expected);
    }
  }
}
