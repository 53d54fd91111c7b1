package org.orbitmap.app.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.io.UserError;

/** This command once more, in a Java that has vectors of the processor. */
public final class VectorBench {
  /** What the {@code java} command reads, whoever starts it. */
  private static final String OPTIONS = "JDK_JAVA_OPTIONS";

  /**
   * Objects begin at multiples of 16 bytes then, as pixels of four floats should: at those of 8 a
   * bilinear row takes up to twice as long, by chance.
   */
  private static final String VECTORS =
      "--add-modules jdk.incubator.vector -XX:ObjectAlignmentInBytes=16";

  /** Vectors take seconds until they are compiled, so that each has more time than others. */
  private static final int WARM_UP = 3;

  private VectorBench() {}

  /**
   * Measures benchmarks with vectors.
   *
   * @param names which
   * @param seconds for each
   * @return microseconds, by name
   */
  public static Map<String, Double> run(List<String> names, double seconds) throws IOException {
    Map<String, Double> microseconds = new LinkedHashMap<>();
    if (names.isEmpty()) {
      return microseconds;
    }
    List<String> command =
        Timed.orbit(
            "bench",
            "--json",
            "--only",
            String.join(",", names),
            "--seconds",
            Double.toString(WARM_UP * seconds));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().merge(OPTIONS, VECTORS, (given, more) -> given + " " + more);
    Process process = builder.start();
    JsonNode answer = new ObjectMapper().readTree(process.getInputStream().readAllBytes());
    if (Timed.ended(process) != 0 || !answer.path("vectors").asBoolean()) {
      throw UserError.expected(
          "--vectors",
          "a Java with the module jdk.incubator.vector",
          answer.path("java").asText("one that did not answer"),
          "Set JAVA_HOME to a whole JDK, 17 or newer");
    }
    for (JsonNode benchmark : answer.path("benchmarks")) {
      microseconds.put(
          benchmark.path("name").asText(), benchmark.path("microsecondsPerItem").asDouble());
    }
    return microseconds;
  }
}
