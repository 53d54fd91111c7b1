package org.orbitmap.nn.train;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.network.FloatTensor;

/**
 * Everything that a run needs to go on after an epoch, as one safetensors file.
 *
 * @param epoch how many are done
 * @param schedule where the learning rate is
 * @param steps of the optimiser, where its method counts them
 * @param bestAccuracy of the model that is kept
 * @param bestClassAccuracy the mean over the classes of its accuracy on them
 * @param bestEpoch the epoch of that model
 * @param weights of the network
 * @param optimiser its memory
 * @param best the weights of the model that is kept
 */
record Checkpoint(
    int epoch,
    Schedule.State schedule,
    long steps,
    double bestAccuracy,
    double bestClassAccuracy,
    int bestEpoch,
    Map<String, FloatTensor> weights,
    Map<String, FloatTensor> optimiser,
    Map<String, FloatTensor> best) {
  private static final String WEIGHTS = "weights/";
  private static final String OPTIMISER = "optimiser/";
  private static final String BEST = "best/";

  /** Writes it whole or not at all. */
  void write(Path file, TrainConfig config) throws IOException {
    // Each is copied when it is written, so that never all of them are in Java's memory.
    Map<String, Supplier<FloatTensor>> tensors = new LinkedHashMap<>();
    weights.entrySet().forEach(e -> tensors.put(WEIGHTS + e.getKey(), e::getValue));
    optimiser.entrySet().forEach(e -> tensors.put(OPTIMISER + e.getKey(), e::getValue));
    best.entrySet().forEach(e -> tensors.put(BEST + e.getKey(), e::getValue));
    Map<String, String> m = new LinkedHashMap<>();
    m.put("epoch", Integer.toString(epoch));
    m.put("rate", Double.toString(schedule.rate()));
    m.put("lowest-loss", Double.toString(schedule.best()));
    m.put("waited", Integer.toString(schedule.waited()));
    m.put("best-accuracy", Double.toString(bestAccuracy));
    m.put("best-class-accuracy", Double.toString(bestClassAccuracy));
    m.put("best-epoch", Integer.toString(bestEpoch));
    m.put("steps", Long.toString(steps));
    m.put("config", config.toYaml());
    Safetensors.write(file, m, tensors);
  }

  /**
   * Reads one.
   *
   * @throws IOException if the file is damaged
   * @throws IllegalArgumentException if it is no checkpoint
   */
  static Checkpoint read(Path file) throws IOException {
    Safetensors read = Safetensors.read(file);
    Map<String, String> m = read.metadata();
    return new Checkpoint(
        (int) number(m, "epoch"),
        new Schedule.State(number(m, "rate"), number(m, "lowest-loss"), (int) number(m, "waited")),
        (long) number(m, "steps"),
        number(m, "best-accuracy"),
        number(m, "best-class-accuracy"),
        (int) number(m, "best-epoch"),
        read.part(WEIGHTS),
        read.part(OPTIMISER),
        read.part(BEST));
  }

  private static double number(Map<String, String> metadata, String name) {
    return Double.parseDouble(metadata.getOrDefault(name, "no " + name));
  }
}
