package org.orbitmap.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AtomicFilesTest {
  @TempDir Path folder;

  @Test
  void createsMissingFoldersAndReplaces() throws IOException {
    Path file = folder.resolve("a/b/c.txt");
    AtomicFiles.write(file, "eins");
    AtomicFiles.write(file, "zwei ∘");
    assertThat(file).hasContent("zwei ∘");
    assertThat(list(file.getParent())).containsExactly("c.txt");
  }

  @Test
  void keepsTheOldFileWhenWritingFails() throws IOException {
    Path file = folder.resolve("kept.bin");
    AtomicFiles.write(file, "old");
    assertThatThrownBy(
            () ->
                AtomicFiles.write(
                    file,
                    out -> {
                      out.write(new byte[100_000]);
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThat(file).hasContent("old");
    assertThat(list(folder)).containsExactly("kept.bin");
  }

  @Test
  void leavesNothingBehindWhenANewFileFails() throws IOException {
    assertThatThrownBy(
            () ->
                AtomicFiles.writePath(
                    folder.resolve("new.bin"),
                    temporary -> {
                      assertThat(temporary.toString()).endsWith("new.bin");
                      Files.writeString(temporary, "half");
                      throw new IllegalStateException("stopped");
                    }))
        .hasMessage("stopped");
    assertThat(list(folder)).isEmpty();
  }

  @Test
  void keepsSymbolicLinks() throws IOException {
    Path real = folder.resolve("real.txt");
    Path link = folder.resolve("link.txt");
    Files.writeString(real, "old");
    Files.createSymbolicLink(link, real);
    AtomicFiles.write(link, "new");
    assertThat(link).isSymbolicLink();
    assertThat(real).hasContent("new");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void refusesWhatIsNoFile() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> AtomicFiles.write(pipe, "x"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("pipe: expected a file to write, found a device or a pipe");
    assertThat(Files.isRegularFile(pipe)).isFalse();
    assertThatThrownBy(() -> AtomicFiles.write(Path.of("/proc/x.onnx"), "x"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("/proc/x.onnx: expected to write it");
    assertThatThrownBy(() -> AtomicFiles.write(folder, "x"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected a file to write, found a folder");
  }

  private static Stream<String> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(p -> p.getFileName().toString()).toList().stream();
    }
  }

  @Test
  void aPreparedFileAppearsWithItsCommit() throws IOException {
    Path target = folder.resolve("later/a.txt");
    try (AtomicFiles.Pending dropped = AtomicFiles.prepare(target, out -> out.write('x'))) {
      assertThat(target).doesNotExist();
      assertThat(dropped).isNotNull();
    }
    try (var files = Files.list(target.getParent())) {
      assertThat(files).isEmpty();
    }
    try (AtomicFiles.Pending kept = AtomicFiles.prepare(target, out -> out.write('y'))) {
      try (var files = Files.list(target.getParent())) {
        Path beside = files.findFirst().orElseThrow();
        assertThat(AtomicFiles.isLeftover(beside)).isTrue();
        assertThat(AtomicFiles.intended(beside)).isEqualTo("a.txt");
      }
      assertThat(AtomicFiles.sync(List.of(kept))).isEmpty();
      kept.commit();
    }
    assertThat(target).hasContent("y");
    assertThat(Digests.sha256(target))
        .isEqualTo("a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa");
  }

  @Test
  void aGroupIsSyncedTogetherAndSaysWhatFailed() throws IOException {
    List<AtomicFiles.Pending> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int content = i;
      all.add(AtomicFiles.prepare(folder.resolve("g/" + i), out -> out.write(content)));
    }
    all.get(7).close(); // gone before it is on the disk
    Map<AtomicFiles.Pending, IOException> failed = AtomicFiles.sync(all);
    assertThat(failed).containsOnlyKeys(all.get(7));
    assertThat(failed.get(all.get(7))).hasMessageContaining("g/7: expected to write it");
    for (AtomicFiles.Pending file : all) {
      if (!failed.containsKey(file)) {
        file.commit();
      }
    }
    try (Stream<Path> files = Files.list(folder.resolve("g"))) {
      assertThat(files).hasSize(39);
    }
    assertThat(Files.readAllBytes(folder.resolve("g/39"))).containsExactly(39);
  }

  /** Whoever comes second finds the folder, whenever the first has made it. */
  @Test
  void severalThreadsMakeOneFolder() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int i = 0; i < 200; i++) {
        Path own = folder.resolve("made/" + i);
        CyclicBarrier together = new CyclicBarrier(4);
        List<Future<Object>> all = new ArrayList<>();
        for (int k = 0; k < 4; k++) {
          Path file = own.resolve(Integer.toString(k));
          all.add(
              threads.submit(
                  () -> {
                    together.await();
                    AtomicFiles.prepare(file, out -> out.write(1)).commit();
                    return null;
                  }));
        }
        for (Future<Object> one : all) {
          one.get();
        }
      }
    } finally {
      threads.shutdown();
    }
  }
}
