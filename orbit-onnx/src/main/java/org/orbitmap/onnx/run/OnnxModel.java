package org.orbitmap.onnx.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.orbitmap.eval.Classifier;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.OnnxFile;

/**
 * A model in ONNX Runtime, ready to run. One session serves all threads; {@link #close} waits for
 * runs under way, and a closed model says so when it is used.
 */
public final class OnnxModel implements AutoCloseable {
  /** How the cores are used. */
  public enum Threads {
    /** All cores work on each run: lowest latency. */
    WITHIN,
    /** One core for each run: highest throughput for callers with threads of their own. */
    ACROSS
  }

  /** A model that was opened, wherever it runs. */
  public interface Session extends AutoCloseable {
    /**
     * Runs it once; results that are tensors come by name, in the model's order.
     *
     * @param feeds one for each input
     * @throws IllegalArgumentException if it cannot be run on them
     */
    Map<String, Output> run(Map<String, Feed> feeds);

    /** What it gives; where the file says no shape, the one that ONNX Runtime finds. */
    List<TensorSpec> outputs();

    @Override
    void close();
  }

  private final OnnxFile file;
  private final OnnxRuntime runtime;
  private final Session session;
  private final ReadWriteLock open = new ReentrantReadWriteLock();
  private boolean closed;

  private OnnxModel(OnnxFile file, OnnxRuntime runtime, Session session) {
    this.file = file;
    this.runtime = runtime;
    this.session = session;
  }

  /** Opens a model for single inputs. */
  public static OnnxModel open(OnnxFile file) throws IOException {
    return open(file, Threads.WITHIN);
  }

  /**
   * Opens a model in this process.
   *
   * @throws IOException if ONNX Runtime does not accept it, for instance for an unknown operator
   */
  public static OnnxModel open(OnnxFile file, Threads threads) throws IOException {
    return OnnxRuntime.HERE.open(file, threads);
  }

  /** A model that a runtime has opened. */
  public static OnnxModel of(OnnxFile file, OnnxRuntime runtime, Session session) {
    return new OnnxModel(file, runtime, session);
  }

  /** Where it runs. */
  public OnnxRuntime runtime() {
    return runtime;
  }

  /** The file that was opened. */
  public OnnxFile file() {
    return file;
  }

  /** A tensor that came out: its shape and its numbers as floats. */
  public record Output(long[] shape, float[] data) {}

  /** A tensor to feed: its shape and its numbers, converted to the input's element type. */
  public record Feed(long[] shape, float[] data) {}

  /** Runs the model once; results that are tensors come by name, in the model's order. */
  public Map<String, Output> run(Map<String, Feed> feeds) {
    open.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException(file + ": the model is closed");
      }
      for (TensorSpec port : file.inputs()) {
        if (!feeds.containsKey(port.name())) {
          throw new IllegalArgumentException(
              "%s: expected a value for input %s, found none".formatted(file, port));
        }
      }
      return session.run(feeds);
    } finally {
      open.readLock().unlock();
    }
  }

  /**
   * Runs the model once on zeros; a free axis gets length 1.
   *
   * @throws IllegalArgumentException if it cannot be run on them
   */
  public Map<String, Output> runZeros() {
    return run(zeros(file));
  }

  /** Zeros for every input of a model; a free axis gets length 1. */
  public static Map<String, Feed> zeros(OnnxFile file) {
    Map<String, Feed> feeds = new LinkedHashMap<>();
    for (TensorSpec port : file.inputs()) {
      long[] shape = port.shape().stream().mapToLong(s -> Math.max(1, s.value())).toArray();
      long length = Arrays.stream(shape).reduce(1, Math::multiplyExact);
      feeds.put(port.name(), new Feed(shape, new float[Math.toIntExact(length)]));
    }
    return feeds;
  }

  /**
   * The model as a classifier. Where the output has one number p for each input, the scores are
   * those of two classes: 1 - p and p if it is a probability, else 0 and p.
   *
   * @param input how the model takes its inputs
   * @param preprocessing from inputs to the model's numbers
   * @param output the output with one row of scores for each input
   * @throws IllegalArgumentException if other inputs have to be fed as well
   */
  public <X> Classifier<X> classifier(
      ModelInput<X> input, Preprocessing preprocessing, String output) {
    file.requireOnly(input);
    boolean probability = file.givesProbabilities(output);
    int most = Math.max(1, ModelInput.MOST / file.cost());
    return input.classifier(
        file, preprocessing, most, (data, shape) -> rows(input, output, probability, data, shape));
  }

  /** What the model gives; where the file says no shape, the one that ONNX Runtime finds. */
  public List<TensorSpec> outputs() {
    return session.outputs();
  }

  /** The name of the output that holds class scores. */
  public String scoreOutput() {
    return scoreOutput(null);
  }

  /**
   * The name of the output that holds class scores.
   *
   * @param name which; null for the first that can be it, as {@link TensorSpec#scores(List,
   *     String)} has it
   * @throws IllegalArgumentException if there is no such output, or it cannot be class scores
   */
  public String scoreOutput(String name) {
    return TensorSpec.scores(outputs(), name)
        .map(TensorSpec::name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s: expected an output of class scores (real numbers, N x C or N x 1), found %s"
                        .formatted(file, outputs())));
  }

  /**
   * Runs the model on any number of inputs. Where its batch is fixed they go through it as many at
   * a time as it takes, the last ones filled up with copies, and the answers are joined.
   *
   * @param feeds the same number of rows along each first axis
   * @param fixed how many rows the model takes at once; below 1 for any number
   * @throws IllegalArgumentException if that does not fit, or an output has no rows to join
   */
  public Map<String, Output> runRows(Map<String, Feed> feeds, int fixed) {
    int rows = feeds.values().stream().mapToInt(f -> rows(f.shape())).max().orElse(0);
    if (fixed < 1 || rows == fixed) {
      return run(feeds);
    }
    Map<String, List<Output>> parts = new LinkedHashMap<>();
    for (int from = 0; from < rows; from += fixed) {
      Map<String, Feed> part = new LinkedHashMap<>();
      for (Map.Entry<String, Feed> f : feeds.entrySet()) {
        part.put(f.getKey(), part(f.getKey(), f.getValue(), rows, from, fixed));
      }
      run(part).forEach((name, o) -> parts.computeIfAbsent(name, n -> new ArrayList<>()).add(o));
    }
    Map<String, Output> joined = new LinkedHashMap<>();
    parts.forEach((name, all) -> joined.put(name, joined(name, all, rows, fixed)));
    return joined;
  }

  private static int rows(long[] shape) {
    return shape.length == 0 ? 0 : Math.toIntExact(shape[0]);
  }

  private Feed part(String name, Feed whole, int rows, int from, int count) {
    if (rows(whole.shape()) != rows) {
      throw new IllegalArgumentException(
          "%s: expected %d rows in every input, found %s in \"%s\""
              .formatted(file, rows, Arrays.toString(whole.shape()), name));
    }
    int each = whole.data().length / rows;
    float[] data = new float[count * each];
    for (int i = 0; i < count; i++) {
      System.arraycopy(whole.data(), Math.min(from + i, rows - 1) * each, data, i * each, each);
    }
    long[] shape = whole.shape().clone();
    shape[0] = count;
    return new Feed(shape, data);
  }

  private Output joined(String name, List<Output> parts, int rows, int count) {
    long[] shape = parts.get(0).shape().clone();
    if (rows(shape) != count) {
      throw new IllegalArgumentException(
          "%s: expected a batch of %d, as the model takes, found %d; output \"%s\" %s has no rows to join"
              .formatted(file, count, rows, name, Arrays.toString(shape)));
    }
    int each = parts.get(0).data().length / count;
    float[] data = new float[rows * each];
    for (int k = 0; k < parts.size(); k++) {
      int kept = Math.min(count, rows - k * count);
      System.arraycopy(parts.get(k).data(), 0, data, k * count * each, kept * each);
    }
    shape[0] = rows;
    return new Output(shape, data);
  }

  /** One row of scores for each input of a batch. */
  private float[][] rows(
      ModelInput<?> input, String output, boolean probability, float[] data, long... shape) {
    int rows = input.batched() ? Math.toIntExact(shape[0]) : 1;
    Output out = run(Map.of(input.spec().name(), new Feed(shape, data))).get(output);
    if (out == null || out.data().length == 0 || out.data().length % rows != 0) {
      throw new IllegalArgumentException(
          "%s: expected output \"%s\" with one row of scores for each input, found %s"
              .formatted(file, output, file.outputs()));
    }
    int classes = out.data().length / rows;
    float[][] scores = new float[rows][];
    for (int i = 0; i < rows; i++) {
      float first = out.data()[i * classes];
      scores[i] =
          classes > 1
              ? Arrays.copyOfRange(out.data(), i * classes, (i + 1) * classes)
              : new float[] {probability ? 1 - first : 0, first};
    }
    return scores;
  }

  @Override
  public void close() {
    open.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        session.close();
      }
    } finally {
      open.writeLock().unlock();
    }
  }
}
