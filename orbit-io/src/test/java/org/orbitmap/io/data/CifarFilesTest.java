package org.orbitmap.io.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.FormatException;

class CifarFilesTest {
  @TempDir Path folder;

  private static byte[] records(int... labels) {
    byte[] bytes = new byte[3073 * labels.length];
    for (int i = 0; i < labels.length; i++) {
      Arrays.fill(bytes, 3073 * i, 3073 * (i + 1), (byte) (200 + i));
      bytes[3073 * i] = (byte) labels[i];
    }
    return bytes;
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    return out.toByteArray();
  }

  @Test
  void plainAndGzippedAreTheSame() throws IOException {
    Path plain = Files.write(folder.resolve("a.bin"), records(3, 9));
    Path zipped = Files.write(folder.resolve("a.bin.gz"), gzip(records(3, 9)));
    ImageSet a = CifarFiles.read("x", CifarFiles.CIFAR10, List.of(plain));
    ImageSet b = CifarFiles.read("x", CifarFiles.CIFAR10, List.of(zipped));
    assertThat(a).isEqualTo(b);
    assertThat(a.digest()).isEqualTo(b.digest()).isNotEqualTo(a.first(1).digest());
    assertThat(a.labels()).containsExactly(3, 9);
    assertThat(a.image(1).at(2, 31, 31)).isEqualTo(201 / 255f);
    assertThatThrownBy(a::requireEveryClass).hasMessageContaining("found none of airplane");
  }

  @Test
  void namesFileExpectedAndFound() throws IOException {
    Path file = folder.resolve("a.bin");
    Files.write(file, records(3, 10));
    assertThatThrownBy(() -> CifarFiles.read("x", CifarFiles.CIFAR10, List.of(file)))
        .hasMessageContaining("a.bin: expected labels in 0..9, found 10 in record 1");
    Files.write(file, Arrays.copyOf(records(3, 4), 4000));
    assertThatThrownBy(() -> CifarFiles.read("x", CifarFiles.CIFAR10, List.of(file)))
        .hasMessageContaining("records of 3073 bytes, found 927 bytes in record 1");
    byte[] zip = gzip(records(1, 2, 3));
    Files.write(file, Arrays.copyOf(zip, zip.length - 20));
    assertThatThrownBy(() -> CifarFiles.read("x", CifarFiles.CIFAR10, List.of(file)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("whole gzip file");
  }

  @Test
  void realTestBatchIsBalanced() throws IOException {
    String data = System.getProperty("orbit.data", "");
    assumeThat(data).isNotEmpty();
    Path file = Path.of(data, "cifar10", "test_batch.bin.gz");
    assumeThat(file).exists();
    ImageSet set = CifarFiles.read("cifar10", CifarFiles.CIFAR10, List.of(file));
    assertThat(set.counts()).containsOnly(1000).hasSize(10);
  }
}
