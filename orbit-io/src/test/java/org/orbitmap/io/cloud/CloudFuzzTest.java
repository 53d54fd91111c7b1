package org.orbitmap.io.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.io.FormatException;
import org.orbitmap.mesh.Mesh;

/**
 * Mutated files end in a clean error or a valid cloud, fast and in little memory (processor time,
 * as machines are busy). The default is 1,000 files for each format; {@code -Dorbit.fuzz=100000}
 * runs as many as that.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
class CloudFuzzTest {
  private static final int FILES = Integer.getInteger("orbit.fuzz", 1000);
  private static final long MOST_BYTES = 64L << 20;
  private static final double MOST_SECONDS = 5;

  @ParameterizedTest
  @EnumSource(CloudFormat.class)
  void mutatedFilesAreReadOrRefused(CloudFormat format) throws IOException {
    ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<byte[]> samples = CloudSamples.files(format);
    SplittableRandom random = new SplittableRandom(format.label().hashCode());
    int valid = 0;
    long most = 0;
    long longest = 0;
    // laszip4j makes its tables anew for each file and writes what it dislikes to the terminal.
    boolean packed = format == CloudFormat.LAZ;
    int files = packed ? Math.max(50, FILES / 20) : FILES;
    for (int i = 0; i < files; i++) {
      byte[] file = mutate(samples.get(i % samples.size()), random);
      long before = memory.getCurrentThreadAllocatedBytes();
      long start = memory.getCurrentThreadCpuTime();
      try {
        List<Mesh> all = CloudFiles.decode(format, Path.of("mutant"), file);
        assertThat(all).isNotEmpty();
        for (Mesh mesh : all) {
          mesh.vertices().requireFinite();
        }
        valid++;
      } catch (FormatException e) {
        assertThat(e.getMessage()).contains("mutant: expected", ", found");
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "%s, file %d: %s".formatted(format, i, new String(file, StandardCharsets.ISO_8859_1)),
            e);
      }
      longest = Math.max(longest, memory.getCurrentThreadCpuTime() - start);
      most = Math.max(most, memory.getCurrentThreadAllocatedBytes() - before);
    }
    System.out.printf(
        "fuzz %-10s %d files, %d valid, at most %d KiB and %.1f ms for one%n",
        format.label(), files, valid, most >> 10, longest / 1e6);
    assertThat(most)
        .as("bytes allocated for one file")
        .isLessThan(packed ? 2 * MOST_BYTES : MOST_BYTES);
    assertThat(longest / 1e9).as("seconds for one file").isLessThan(MOST_SECONDS);
    assertThat(valid).as("some mutations are harmless").isBetween(1, files - 1);
  }

  /** One to four changes: bytes flipped or overwritten, cut, doubled, counts inflated. */
  static byte[] mutate(byte[] original, SplittableRandom random) {
    byte[] file = original.clone();
    int changes = 1 + random.nextInt(4);
    for (int k = 0; k < changes && file.length > 0; k++) {
      int at = random.nextInt(file.length);
      switch (random.nextInt(7)) {
        case 0 -> file[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> file[at] = (byte) random.nextInt(256);
        case 2 -> file = Arrays.copyOf(file, at);
        case 3 -> {
          byte[] longer = Arrays.copyOf(file, file.length + file.length - at);
          System.arraycopy(file, at, longer, file.length, file.length - at);
          file = longer;
        }
        case 4 -> { // a whole number in binary
          int[] values = {-1, Integer.MAX_VALUE, 0, 0x10000000, 0x00ffffff, 1 << 24};
          int v = values[random.nextInt(values.length)];
          boolean big = random.nextBoolean();
          for (int j = 0; j < 4 && at + j < file.length; j++) {
            file[at + j] = (byte) (v >> (8 * (big ? 3 - j : j)));
          }
        }
        case 5 -> file = inflate(file, at, random);
        default -> { // a piece moved elsewhere
          int to = random.nextInt(file.length);
          int length = Math.min(random.nextInt(16), file.length - Math.max(at, to));
          System.arraycopy(original.length == file.length ? original : file, at, file, to, length);
        }
      }
    }
    return file;
  }

  /** Replaces the next number of a text by a large or odd one. */
  private static byte[] inflate(byte[] file, int from, SplittableRandom random) {
    int start = from;
    while (start < file.length && (file[start] < '0' || file[start] > '9')) {
      start++;
    }
    int end = start;
    while (end < file.length && file[end] >= '0' && file[end] <= '9') {
      end++;
    }
    String[] values = {
      "4294967295", "2147483647", "999999999999999999999", "-1", "1e39", "nan", "100000000", "0"
    };
    byte[] text = values[random.nextInt(values.length)].getBytes(StandardCharsets.ISO_8859_1);
    byte[] out = new byte[start + text.length + file.length - end];
    System.arraycopy(file, 0, out, 0, start);
    System.arraycopy(text, 0, out, start, text.length);
    System.arraycopy(file, end, out, start + text.length, file.length - end);
    return out;
  }
}
