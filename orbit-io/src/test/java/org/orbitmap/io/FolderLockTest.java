package org.orbitmap.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {
  @TempDir Path folder;

  /** What another process does: takes the lock, says so, and waits to be killed. */
  public static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      try (FolderLock held = FolderLock.take(Path.of(args[0]))) {
        held.removeLeftovers();
        AtomicFiles.write(
            Path.of(args[0], "result.txt"),
            out -> {
              out.write("half".getBytes(StandardCharsets.UTF_8));
              out.flush();
              System.out.println("held");
              try {
                Thread.sleep(TimeUnit.MINUTES.toMillis(10));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
      }
    }
  }

  @Test
  void oneAtATimeInThisProcess() throws Exception {
    Path inner = folder.resolve("new/one");
    try (FolderLock held = FolderLock.take(inner)) {
      assertThat(held).isNotNull();
      assertThatThrownBy(() -> FolderLock.take(inner))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("expected a folder that no other process writes to, found process ")
          .hasMessageContaining(Long.toString(ProcessHandle.current().pid()))
          .hasMessageContaining("since 20")
          .hasMessageContaining("hoose another folder");
    }
    FolderLock.take(inner).close();
    assertThat(inner).doesNotExist();
  }

  @Test
  void aSecondProcessIsToldAndAKilledOneIsForgotten() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.inputReader().readLine()).isEqualTo("held");
      assertThatThrownBy(() -> FolderLock.take(folder))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("found process " + other.pid() + " on ");
      // what it writes now is not taken for a leftover
      AtomicFiles.write(folder.resolve("result.txt"), "whole");
      assertThat(hidden()).isEqualTo(2);
    } finally {
      other.destroyForcibly().waitFor();
    }
    try (FolderLock held = FolderLock.take(folder)) {
      assertThat(held).isNotNull();
      AtomicFiles.write(folder.resolve("result.txt"), "whole again");
    }
    assertThat(hidden()).isZero();
    assertThat(folder.resolve("result.txt")).hasContent("whole again");
  }

  private long hidden() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.getFileName().toString().startsWith(".")).count();
    }
  }
}
