package org.orbitmap.io.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.io.FormatException;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.testkit.file.FileMutations;

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
      byte[] file = FileMutations.mutate(samples.get(i % samples.size()), random);
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
}
