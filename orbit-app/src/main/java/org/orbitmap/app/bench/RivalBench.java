package org.orbitmap.app.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.io.UserError;

/**
 * What OpenCV's bare warp, the paper's method in PyTorch and an alignment by {@code eigh} take,
 * measured by a script beside the mappings.
 */
public final class RivalBench {
  private static final String SCRIPT = "mapping_rivals.py";

  private RivalBench() {}

  /**
   * What another program takes for a part or all of what a benchmark does.
   *
   * @param benchmark which one, by its name
   * @param name what the other is called
   */
  public record Rival(String benchmark, String name, double microsecondsPerItem) {}

  /** Says what a benchmark took as a share of what each of its rivals did. */
  public static void print(
      List<Rival> rivals, String benchmark, double microseconds, PrintWriter text) {
    for (Rival rival : rivals) {
      if (rival.benchmark.equals(benchmark)) {
        double own = rival.microsecondsPerItem;
        text.printf("  %.3f times the %.2f µs of %s%n", microseconds / own, own, rival.name);
      }
    }
  }

  /** The lesser of each, of two measurements. */
  public static List<Rival> least(List<Rival> one, List<Rival> other) {
    Map<String, Rival> all = new LinkedHashMap<>();
    for (List<Rival> some : List.of(one, other)) {
      for (Rival r : some) {
        all.merge(r.name, r, (a, b) -> a.microsecondsPerItem <= b.microsecondsPerItem ? a : b);
      }
    }
    return List.copyOf(all.values());
  }

  /**
   * Measures; what the Python does not have is left out.
   *
   * @param seconds for each
   */
  public static List<Rival> run(Path python, double seconds) throws IOException {
    Process process =
        new ProcessBuilder(Timed.python(python, SCRIPT, Double.toString(seconds)))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<Rival> rivals = new ArrayList<>();
    for (String line :
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList()) {
      String name = line.substring(0, line.indexOf(' '));
      String benchmark =
          name.replaceFirst("opencv-warp|pytorch-paper", "image").replace("pytorch-eigh", "cloud");
      rivals.add(new Rival(benchmark, name, Double.parseDouble(line.substring(name.length()))));
    }
    if (Timed.ended(process) != 0 || rivals.isEmpty()) {
      throw UserError.expected(
          "--python", "a Python with NumPy, and OpenCV or PyTorch", python, "");
    }
    return rivals;
  }
}
