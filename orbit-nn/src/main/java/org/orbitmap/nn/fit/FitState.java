package org.orbitmap.nn.fit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.nn.model.Documents;

/**
 * Everything that a fit needs to go on after a step, as one safetensors file.
 *
 * @param identity what is fitted on which data: only the same goes on
 * @param task which of the networks is trained, from 0
 * @param step how many steps of it are done
 * @param steps how many there will be
 * @param optimiserSteps of the optimiser, where its method counts them
 * @param seconds used so far, for all networks
 * @param loss the sum of the losses since the last line of the history, and of how many steps
 * @param lossSteps see there
 * @param history what was measured
 * @param weights of the network
 * @param optimiser its memory
 * @param done the weights of the networks before it, {@code name/parameter}
 */
record FitState(
    String identity,
    int task,
    long step,
    long steps,
    long optimiserSteps,
    double seconds,
    double loss,
    long lossSteps,
    List<FitResult.Metrics> history,
    Map<String, FloatTensor> weights,
    Map<String, FloatTensor> optimiser,
    Map<String, FloatTensor> done) {
  private static final ObjectMapper JSON = Documents.json();
  private static final String WEIGHTS = "weights/";
  private static final String OPTIMISER = "optimiser/";
  private static final String DONE = "done/";

  /** Writes it whole or not at all. */
  void write(Path file) throws IOException {
    Map<String, FloatTensor> tensors = new LinkedHashMap<>();
    weights.forEach((k, v) -> tensors.put(WEIGHTS + k, v));
    optimiser.forEach((k, v) -> tensors.put(OPTIMISER + k, v));
    done.forEach((k, v) -> tensors.put(DONE + k, v));
    Map<String, String> m = new LinkedHashMap<>();
    m.put("identity", identity);
    m.put("task", Integer.toString(task));
    m.put("step", Long.toString(step));
    m.put("steps", Long.toString(steps));
    m.put("optimiser-steps", Long.toString(optimiserSteps));
    m.put("seconds", Double.toString(seconds));
    m.put("loss", Double.toString(loss));
    m.put("loss-steps", Long.toString(lossSteps));
    m.put("history", JSON.writeValueAsString(history));
    new Safetensors(m, tensors).write(file);
  }

  /**
   * Reads one.
   *
   * @throws IOException if the file is damaged
   * @throws IllegalArgumentException if it is none
   */
  static FitState read(Path file) throws IOException {
    Safetensors read = Safetensors.read(file);
    Map<String, String> m = read.metadata();
    try {
      return new FitState(
          m.getOrDefault("identity", ""),
          (int) number(m, "task"),
          (long) number(m, "step"),
          (long) number(m, "steps"),
          (long) number(m, "optimiser-steps"),
          number(m, "seconds"),
          number(m, "loss"),
          (long) number(m, "loss-steps"),
          JSON.readValue(
              m.getOrDefault("history", ""), new TypeReference<List<FitResult.Metrics>>() {}),
          read.part(WEIGHTS),
          read.part(OPTIMISER),
          read.part(DONE));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("history: expected JSON, found something else", e);
    }
  }

  private static double number(Map<String, String> metadata, String name) {
    return Double.parseDouble(metadata.getOrDefault(name, "no " + name));
  }
}
