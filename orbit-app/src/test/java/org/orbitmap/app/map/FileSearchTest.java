package org.orbitmap.app.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.InputFile;

/** Folders are searched in one order, however much of them fits into memory. */
class FileSearchTest {
  @TempDir Path folder;

  /** Takes everything that ends with x. */
  private record Any() implements FileMapper {
    @Override
    public String kind() {
      return "a file";
    }

    @Override
    public boolean accepts(Path file) {
      return file.toString().endsWith("x");
    }

    @Override
    public String outputName(String fileName) {
      return fileName.replaceFirst("\\..*", ".out");
    }

    @Override
    public Map<String, String> settings() {
      return Map.of();
    }

    @Override
    public Mapped map(InputFile file, Path output) {
      throw new UnsupportedOperationException();
    }
  }

  private List<String> met(int sorted, Path... inputs) throws IOException {
    FileSearch search = new FileSearch(folder.resolve("in/out"), List.of(new Any()), sorted);
    List<String> met = new ArrayList<>();
    FileSearch.Visitor visitor =
        new FileSearch.Visitor() {
          @Override
          public void found(MapPlan.Job job) {
            met.add(folder.relativize(job.file()) + " to " + job.output());
          }

          @Override
          public void skipped(Path file, String reason) {
            met.add(folder.relativize(file) + ": " + reason);
          }
        };
    for (Path input : inputs) {
      search.add(input, visitor);
    }
    return met;
  }

  @Test
  void theOrderDoesNotDependOnMemory() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 60; i++) {
      Path sub = folder.resolve(i % 3 == 0 ? "in" : "in/" + i % 3);
      Files.createDirectories(sub);
      Files.writeString(sub.resolve(random.nextInt(100_000) + ".x"), "");
    }
    List<String> inMemory = met(1000, folder.resolve("in"));
    assertThat(inMemory).hasSize(60);
    assertThat(inMemory.stream().filter(f -> !f.contains("/1/") && !f.contains("/2/")).toList())
        .isSorted();
    for (int sorted : new int[] {1, 7, 20}) {
      assertThat(met(sorted, folder.resolve("in"))).isEqualTo(inMemory);
    }
  }

  @Test
  void aFileIsFoundOnce() throws IOException {
    Files.createDirectories(folder.resolve("in/sub"));
    Files.createDirectories(folder.resolve("in/out"));
    Files.createDirectories(folder.resolve("apart"));
    Files.writeString(folder.resolve("in/a.x"), "");
    Files.writeString(folder.resolve("in/sub/b.x"), "");
    Files.writeString(folder.resolve("in/sub/c.y"), "");
    Files.writeString(folder.resolve("in/out/d.x"), "");
    Files.writeString(folder.resolve("apart/e.x"), "");
    Files.createSymbolicLink(folder.resolve("in/link"), folder.resolve("apart"));
    assertThat(
            met(
                100,
                folder.resolve("in/sub/b.x"),
                folder.resolve("in"),
                folder.resolve("in/sub"),
                folder.resolve("in/sub/c.y"),
                folder.resolve("in/out/d.x"),
                folder.resolve("in/link/e.x"),
                folder.resolve("in/a.x")))
        .containsExactly(
            "in/sub/b.x to b.out",
            "in/a.x to a.out",
            "in/link: a link to a folder",
            "in/out: the output folder",
            "in/sub/b.x: named before",
            "in/sub/c.y: not a file",
            "in/sub/b.x: named before",
            "in/sub/c.y: not a file",
            "in/sub/c.y to c.out", // named by the user
            "in/out/d.x to d.out",
            "in/link/e.x to e.out",
            "in/a.x: named before");
  }
}
