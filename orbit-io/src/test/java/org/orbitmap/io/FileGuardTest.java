package org.orbitmap.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.data.LabelledFiles;

/** Hostile files cost themselves, not the batch they are in. */
class FileGuardTest {
  @TempDir Path folder;

  /** Runs out of stack before it comes to an end. */
  private static int deeper(int n) {
    return n > 1_000_000_000 ? n : 1 + deeper(n + 1);
  }

  @Test
  void whateverAReaderThrowsIsARefusalOfTheFile() throws IOException {
    Path file = Path.of("a.bin");
    String read = FileGuard.read(file, Path::toString);
    assertThat(read).isEqualTo("a.bin");
    assertThatThrownBy(() -> FileGuard.read(file, f -> deeper(0)))
        .isInstanceOf(FormatException.class)
        .hasMessage("a.bin: expected a file of ordinary structure, found one nested too deeply");
    assertThatThrownBy(() -> FileGuard.read(file, f -> new long[Integer.MAX_VALUE].length))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a.bin: expected to fit into memory");
    assertThatThrownBy(() -> FileGuard.read(file, f -> List.of(1).get(f.getNameCount() + 3)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("an error inside orbit: java.lang.IndexOutOfBounds");
    assertThatThrownBy(
            () ->
                FileGuard.read(
                    file,
                    f -> {
                      throw new UserError("as it is");
                    }))
        .isInstanceOf(UserError.class)
        .hasMessage("as it is");
  }

  @Test
  void aBatchNamesTheBadOnes() {
    List<Path> files = List.of(Path.of("good"), Path.of("deep"), Path.of("null"));
    assertThatThrownBy(
            () ->
                LabelledFiles.read(
                    "set",
                    files,
                    f ->
                        switch (f.toString()) {
                          case "deep" -> deeper(0);
                          case "null" -> f.getParent().getNameCount();
                          default -> 1;
                        }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2 of 3 files cannot be read")
        .hasMessageContaining("deep: expected");
  }

  @Test
  void aGzipFileUnpacksToABoundedMultiple() throws IOException {
    Path bomb = folder.resolve("bomb.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(bomb))) {
      byte[] zeros = new byte[1 << 20];
      for (int k = 0; k < 70; k++) {
        out.write(zeros);
      }
    }
    assertThat(Files.size(bomb)).isLessThan(100_000);
    assertThatThrownBy(() -> drain(bomb))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("bomb.gz: expected a gzip file of at most 67,108,864 bytes")
        .hasMessageContaining("unpack it first");

    Path honest = folder.resolve("honest.gz");
    try (OutputStream out = new Stored(Files.newOutputStream(honest))) {
      for (int k = 0; k < 70; k++) {
        out.write(new byte[1 << 20]);
      }
    }
    assertThat(drain(honest)).isEqualTo(70L << 20);
  }

  @Test
  void whatIsCutInItsHeaderIsNamed() throws IOException {
    Path cut = Files.write(folder.resolve("cut.gz"), new byte[] {0x1f, (byte) 0x8b, 8});
    assertThatThrownBy(() -> drain(cut))
        .isInstanceOf(FormatException.class)
        .hasMessage(cut + ": expected a whole gzip file, found a cut or damaged one");
    Path wrong = Files.write(folder.resolve("wrong.gz"), new byte[] {0x1f, (byte) 0x8b, 7, 0, 0});
    assertThatThrownBy(() -> drain(wrong)).hasMessageContaining("(Unsupported compression");
  }

  @Test
  void bytesOneByOneAreThoseOfTheFile() throws IOException {
    Path zipped = folder.resolve("small.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      out.write(new byte[] {1, 2});
    }
    try (InputStream in = Gunzip.open(zipped)) {
      assertThat(in.read()).isEqualTo(1);
      assertThat(in.read()).isEqualTo(2);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void aZippedFileStandsForAPlainOne() throws IOException {
    Path plain = folder.resolve("a");
    assertThat(Gunzip.plainOrZipped(plain)).isEqualTo(plain);
    Path zipped = Files.createFile(folder.resolve("a.gz"));
    assertThat(Gunzip.plainOrZipped(plain)).isEqualTo(zipped);
    Files.createFile(plain);
    assertThat(Gunzip.plainOrZipped(plain)).isEqualTo(plain);
  }

  /** A gzip file whose content is stored as it is. */
  private static final class Stored extends GZIPOutputStream {
    Stored(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.NO_COMPRESSION);
    }
  }

  private static long drain(Path file) throws IOException {
    try (InputStream in = Gunzip.open(file)) {
      return in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
