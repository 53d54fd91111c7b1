package org.orbitmap.io.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;

class SafetensorsTest {
  @TempDir Path folder;

  private static Safetensors sample() {
    Map<String, FloatTensor> tensors = new LinkedHashMap<>();
    tensors.put("b", new FloatTensor(new long[] {2, 2}, new float[] {1, -2, Float.MIN_VALUE, 4}));
    tensors.put("a", new FloatTensor(new long[] {}, new float[] {3}));
    return new Safetensors(Map.of("name", "ü \"quoted\""), tensors);
  }

  @Test
  void roundTrip() throws IOException {
    Path file = folder.resolve("x.safetensors");
    sample().write(file);
    assertThat(Safetensors.read(file)).isEqualTo(sample());
    // The layout that other readers expect: a length, then JSON padded to eight bytes.
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes[8]).isEqualTo((byte) '{');
    long length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assertThat(length % 8).isZero();
    assertThat(length).isEqualTo(bytes.length - 8 - 5 * 4);
    String header = new String(bytes, 8, (int) length, StandardCharsets.UTF_8);
    assertThat(header.stripTrailing()).endsWith("}");
    assertThat(length - header.stripTrailing().getBytes(StandardCharsets.UTF_8).length)
        .as("blanks, no other bytes")
        .isBetween(0L, 7L);
  }

  /** Tensors that are made when they are written give the same file. */
  @Test
  void tensorsOneByOne() throws IOException {
    Safetensors whole = sample();
    Path file = folder.resolve("x.safetensors");
    whole.write(file);
    Map<String, Supplier<FloatTensor>> made = new LinkedHashMap<>();
    whole
        .tensors()
        .forEach((name, t) -> made.put(name, () -> new FloatTensor(t.shape(), t.values().clone())));
    Path other = folder.resolve("y.safetensors");
    Safetensors.write(other, whole.metadata(), made);
    assertThat(other).hasSameBinaryContentAs(file);
  }

  /** Every single damaged byte is noticed. */
  @Test
  void noticesDamage() throws IOException {
    Path file = folder.resolve("x.safetensors");
    sample().write(file);
    byte[] good = Files.readAllBytes(file);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 0x11;
      Files.write(file, bad);
      try {
        Safetensors read = Safetensors.read(file);
        assertThat(read).as("byte %d", i).isEqualTo(sample());
      } catch (FormatException e) {
        assertThat(e).hasMessageContaining("x.safetensors");
      }
      Files.write(file, Arrays.copyOf(good, i));
      assertThatThrownBy(() -> Safetensors.read(file)).isInstanceOf(FormatException.class);
    }
  }

  @Test
  void shapesThatAreNoneAreShown() throws IOException {
    Path file = folder.resolve("x.safetensors");
    for (String shape : List.of("[-1,-4]", "[8589934592,8589934592]", "\"4\"", "[true]", "[4.5]")) {
      byte[] head =
          "{\"a\":{\"dtype\":\"F32\",\"shape\":%s,\"data_offsets\":[0,16]}}"
              .formatted(shape)
              .getBytes(StandardCharsets.UTF_8);
      ByteBuffer all = ByteBuffer.allocate(8 + head.length + 16).order(ByteOrder.LITTLE_ENDIAN);
      Files.write(file, all.putLong(head.length).put(head).array());
      assertThatThrownBy(() -> Safetensors.read(file))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("numbers for a, found " + shape);
    }
  }
}
