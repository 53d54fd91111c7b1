package org.orbitmap.app.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.orbitmap.eval.Progress;

/**
 * How long commands take that do little, from the shell to the answer: the least of several rounds,
 * beside a Python that imports what one would use instead.
 */
public final class StartBench {
  private StartBench() {}

  /**
   * Measures.
   *
   * @param model an ONNX file to look at
   * @param python empty for none
   */
  public static List<Figure> run(Path model, int rounds, Optional<Path> python, Progress progress)
      throws IOException {
    Map<String, List<String>> commands = new LinkedHashMap<>();
    commands.put("version", Timed.orbit("--version"));
    commands.put("inspect", Timed.orbit("inspect", model.toString()));
    commands.put("help", Timed.orbit("--help"));
    if (python.isPresent()) {
      for (String module : List.of("sys", "cv2", "torch")) {
        if (Timed.has(python.get(), module)) {
          commands.put(
              "python-import-" + module,
              List.of(python.get().toString(), "-c", "import " + module));
        }
      }
    }
    Map<String, Timed> least = new LinkedHashMap<>();
    for (int r = 0; r < rounds; r++) {
      for (Map.Entry<String, List<String>> command : commands.entrySet()) {
        least.merge(command.getKey(), Timed.of(command.getValue()), Timed::least);
      }
      progress.update(r + 1, rounds);
    }
    List<Figure> figures = new ArrayList<>();
    least.forEach(
        (name, timed) -> {
          figures.add(new Figure(name, timed.seconds(), "s"));
          figures.add(new Figure(name + "-cpu", timed.processor(), "s of a core"));
        });
    return figures;
  }
}
