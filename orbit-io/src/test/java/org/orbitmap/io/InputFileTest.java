package org.orbitmap.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
  @TempDir Path folder;

  @Test
  void digestAndContentAreOfTheSameBytes() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "before");
    String before = Digests.sha256(file);
    InputFile input = new InputFile(file);
    assertThat(input.sha256()).isEqualTo(before);
    Files.writeString(file, "after it");
    assertThat(input.bytes(100)).asString().isEqualTo("before");
    assertThatThrownBy(() -> input.bytes(3))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("at most 3 bytes");
    InputFile other = new InputFile(file);
    assertThat(other.bytes(100)).asString().isEqualTo("after it");
    Files.writeString(file, "later");
    assertThat(other.sha256()).isNotEqualTo(Digests.sha256(file)).isNotEqualTo(before);
    assertThat(other.path()).isEqualTo(file);
  }

  @Test
  void aLargeFileHasTheSameDigest() throws IOException {
    Path file = folder.resolve("large");
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength((1 << 24) + 5);
      out.seek(1 << 23);
      out.write(7);
    }
    assertThat(new InputFile(file).sha256()).isEqualTo(Digests.sha256(file));
    assertThatThrownBy(() -> new InputFile(file).bytes(1 << 24))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("at most 16,777,216 bytes")
        .hasMessageContaining("16,777,221");
  }

  @Test
  void whatIsNotThereIsNamed() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> new InputFile(missing).bytes(1))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("missing");
    assertThatThrownBy(() -> new InputFile(missing).sha256())
        .isInstanceOf(NoSuchFileException.class);
  }
}
