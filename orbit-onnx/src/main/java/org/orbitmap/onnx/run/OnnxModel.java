package org.orbitmap.onnx.run;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.platform.Fp16Conversions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
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

  private final OnnxFile file;
  private final OrtSession session;
  private final ReadWriteLock open = new ReentrantReadWriteLock();
  private boolean closed;

  private OnnxModel(OnnxFile file, OrtSession session) {
    this.file = file;
    this.session = session;
  }

  /** Opens a model for single inputs. */
  public static OnnxModel open(OnnxFile file) throws IOException {
    return open(file, Threads.WITHIN);
  }

  /**
   * Opens a model.
   *
   * @throws IOException if ONNX Runtime does not accept it, for instance for an unknown operator
   */
  public static OnnxModel open(OnnxFile file, Threads threads) throws IOException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      if (threads == Threads.ACROSS) {
        options.setIntraOpNumThreads(1);
      }
      return new OnnxModel(file, Ort.environment().createSession(file.bytes(), options));
    } catch (OrtException e) {
      throw new IOException(
          "%s: ONNX Runtime cannot load this model: %s".formatted(file, firstLine(e)), e);
    }
  }

  private static String firstLine(OrtException e) {
    return e.getMessage().lines().findFirst().orElse("no reason given");
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
      Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
      try {
        for (TensorSpec port : file.inputs()) {
          Feed feed = feeds.get(port.name());
          if (feed == null) {
            throw new IllegalArgumentException(
                "%s: expected a value for input %s, found none".formatted(file, port));
          }
          tensors.put(port.name(), tensor(port, feed));
        }
        try (OrtSession.Result result = session.run(tensors)) {
          Map<String, Output> outputs = new LinkedHashMap<>();
          for (TensorSpec port : file.outputs()) {
            if (result.get(port.name()).orElseThrow() instanceof OnnxTensor tensor) {
              outputs.put(port.name(), output(tensor));
            }
          }
          return outputs;
        }
      } finally {
        tensors.values().forEach(OnnxTensor::close);
      }
    } catch (OrtException e) {
      throw new IllegalArgumentException(
          "%s: ONNX Runtime cannot run this model: %s".formatted(file, firstLine(e)), e);
    } finally {
      open.readLock().unlock();
    }
  }

  private static OnnxTensor tensor(TensorSpec port, Feed feed) throws OrtException {
    float[] x = feed.data();
    switch (port.type()) {
      case "double" -> {
        double[] d = new double[x.length];
        for (int i = 0; i < d.length; i++) {
          d[i] = x[i];
        }
        return OnnxTensor.createTensor(Ort.environment(), DoubleBuffer.wrap(d), feed.shape());
      }
      case "uint8" -> {
        byte[] b = new byte[x.length];
        for (int i = 0; i < b.length; i++) {
          b[i] = (byte) Math.max(0, Math.min(255, Math.round(x[i])));
        }
        return OnnxTensor.createTensor(
            Ort.environment(), ByteBuffer.wrap(b), feed.shape(), OnnxJavaType.UINT8);
      }
      case "float16" -> {
        ShortBuffer half = Fp16Conversions.convertFloatBufferToFp16Buffer(FloatBuffer.wrap(x));
        return OnnxTensor.createTensor(Ort.environment(), half, feed.shape(), OnnxJavaType.FLOAT16);
      }
      case "int64" -> {
        long[] l = new long[x.length];
        for (int i = 0; i < l.length; i++) {
          l[i] = (long) x[i];
        }
        return OnnxTensor.createTensor(Ort.environment(), LongBuffer.wrap(l), feed.shape());
      }
      case "float" -> {
        return OnnxTensor.createTensor(Ort.environment(), FloatBuffer.wrap(x), feed.shape());
      }
      default ->
          throw new IllegalArgumentException(
              "expected an input of floats, doubles, halves, bytes or longs, found " + port);
    }
  }

  private static Output output(OnnxTensor t) throws OrtException {
    long[] shape = t.getInfo().getShape();
    return switch (t.getInfo().type) {
      case FLOAT, FLOAT16, BFLOAT16 -> {
        FloatBuffer b = t.getFloatBuffer();
        float[] data = new float[b.remaining()];
        b.get(data);
        yield new Output(shape, data);
      }
      case DOUBLE -> {
        DoubleBuffer b = t.getDoubleBuffer();
        float[] data = new float[b.remaining()];
        for (int i = 0; i < data.length; i++) {
          data[i] = (float) b.get(i);
        }
        yield new Output(shape, data);
      }
      case INT64 -> {
        LongBuffer b = t.getLongBuffer();
        float[] data = new float[b.remaining()];
        for (int i = 0; i < data.length; i++) {
          data[i] = b.get(i);
        }
        yield new Output(shape, data);
      }
      case UINT8, INT8 -> {
        ByteBuffer b = t.getByteBuffer();
        boolean signed = t.getInfo().type == OnnxJavaType.INT8;
        float[] data = new float[b.remaining()];
        for (int i = 0; i < data.length; i++) {
          data[i] = signed ? b.get(i) : b.get(i) & 255;
        }
        yield new Output(shape, data);
      }
      case INT32 -> {
        IntBuffer b = t.getIntBuffer();
        float[] data = new float[b.remaining()];
        for (int i = 0; i < data.length; i++) {
          data[i] = b.get(i);
        }
        yield new Output(shape, data);
      }
      default ->
          throw new IllegalArgumentException(
              "expected an output of numbers, found " + t.getInfo().type);
    };
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
    try {
      Map<String, NodeInfo> found = session.getOutputInfo();
      return file.outputs().stream()
          .map(
              p ->
                  p.rank() == 0 && found.get(p.name()).getInfo() instanceof TensorInfo t
                      ? new TensorSpec(p.name(), p.type(), TensorSpec.sizes(t.getShape()))
                      : p)
          .toList();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
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
    } catch (OrtException e) {
      throw new IllegalStateException(file + ": cannot close: " + firstLine(e), e);
    } finally {
      open.writeLock().unlock();
    }
  }
}
