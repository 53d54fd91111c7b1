package org.orbitmap.onnx;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Image;

/**
 * A model in ONNX Runtime, ready to run. One session serves all threads; {@link #close} waits for
 * runs under way, and a closed model says so when it is used.
 */
public final class OnnxModel implements AutoCloseable {
  /** The most inputs fed at once to a model with a free batch. */
  private static final int BATCH = 64;

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
        for (Port port : file.inputs()) {
          Feed feed = feeds.get(port.name());
          if (feed == null) {
            throw new IllegalArgumentException(
                "%s: expected a value for input %s, found none".formatted(file, port));
          }
          tensors.put(port.name(), tensor(port, feed));
        }
        try (OrtSession.Result result = session.run(tensors)) {
          Map<String, Output> outputs = new LinkedHashMap<>();
          for (Port port : file.outputs()) {
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

  private static OnnxTensor tensor(Port port, Feed feed) throws OrtException {
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
   * The model as a classifier of pictures in [0, 1], of the size and channels that it takes.
   *
   * @param input how the model takes pictures
   * @param preprocessing from pixels to the model's numbers
   * @param output the output with one row of scores for each input
   */
  public Classifier<Image> pictures(
      ModelInput.Pictures input, Preprocessing preprocessing, String output) {
    Preprocessing p = preprocessing.forChannels(input.channels());
    return batch -> {
      batch.forEach(u -> requireShape(input, u));
      int size = input.size();
      return scores(
          input,
          output,
          batch.size(),
          size,
          (i, data, at) -> put(input, p, batch.get(i), data, at));
    };
  }

  /** The model as a classifier of point clouds. */
  public Classifier<PointCloud> clouds(ModelInput.Clouds input, String output) {
    return batch -> {
      int points = batch.isEmpty() ? 1 : batch.get(0).size();
      for (PointCloud c : batch) {
        if (c.dimension() != 3
            || c.size() != points
            || (input.points() >= 0 && points != input.points())) {
          throw new IllegalArgumentException(
              "%s: expected clouds of %s points in 3-D, found %s"
                  .formatted(file, input.points() < 0 ? points : input.points(), c));
        }
      }
      return scores(
          input,
          output,
          batch.size(),
          3 * points,
          (i, data, at) -> put(input, batch.get(i), data, at));
    };
  }

  /** What the model gives; where the file says no shape, the one that ONNX Runtime finds. */
  public List<Port> outputs() {
    try {
      Map<String, NodeInfo> found = session.getOutputInfo();
      return file.outputs().stream()
          .map(
              p ->
                  p.rank() == 0 && found.get(p.name()).getInfo() instanceof TensorInfo t
                      ? new Port(p.name(), p.type(), Port.sizes(t.getShape()))
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
   * @param name which; null for the first with two axes that can be it, else the first that can
   * @throws IllegalArgumentException if there is no such output, or it cannot be class scores
   */
  public String scoreOutput(String name) {
    return Port.scores(outputs(), name)
        .map(Port::name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s: expected an output of class scores (real numbers, two or more for each input), found %s"
                        .formatted(file, outputs())));
  }

  private void requireShape(ModelInput.Pictures input, Image u) {
    if (u.channels() != input.channels()
        || u.height() != input.height()
        || u.width() != input.width()) {
      throw new IllegalArgumentException(
          "%s: expected pictures of %d x %d x %d, found %s"
              .formatted(file, input.channels(), input.height(), input.width(), u));
    }
  }

  /** Writes the i-th input of a batch. */
  private interface Writer {
    void write(int i, float[] data, int at);
  }

  static void put(ModelInput.Pictures input, Preprocessing p, Image u, float[] data, int at) {
    int plane = u.plane();
    for (int c = 0; c < u.channels(); c++) {
      float gain = (float) p.gain(c);
      float black = (float) p.black(c);
      boolean first = input.layout() == Layout.NCHW;
      int step = first ? 1 : u.channels();
      int to = first ? at + c * plane : at + c;
      float[] from = u.data();
      for (int i = 0, s = c * plane; i < plane; i++, s++, to += step) {
        data[to] = from[s] * gain + black;
      }
    }
  }

  static void put(ModelInput.Clouds input, PointCloud cloud, float[] data, int at) {
    float[] x = cloud.coordinates();
    if (input.pointsFirst()) {
      System.arraycopy(x, 0, data, at, x.length);
      return;
    }
    int points = cloud.size();
    for (int i = 0; i < points; i++) {
      for (int d = 0; d < 3; d++) {
        data[at + d * points + i] = x[3 * i + d];
      }
    }
  }

  private float[][] scores(ModelInput input, String output, int n, int size, Writer writer) {
    int chunk = input.batch() > 0 ? input.batch() : BATCH;
    float[][] scores = new float[n][];
    for (int from = 0; from < n; from += chunk) {
      int count = Math.min(chunk, n - from);
      int rows = input.batch() > 0 ? chunk : count; // a fixed batch is filled up with copies
      float[] data = new float[rows * size];
      for (int i = 0; i < rows; i++) {
        writer.write(from + Math.min(i, count - 1), data, i * size);
      }
      Feed feed = new Feed(shape(input, rows, size), data);
      Output out = run(Map.of(input.port().name(), feed)).get(output);
      if (out == null || out.shape().length == 0 || out.data().length % rows != 0) {
        throw new IllegalArgumentException(
            "%s: expected output \"%s\" with one row of scores for each input, found %s"
                .formatted(file, output, file.outputs()));
      }
      int classes = out.data().length / rows;
      if (classes < 2) {
        throw new IllegalArgumentException(
            "%s: expected two or more scores for each input, found one in output \"%s\""
                .formatted(file, output));
      }
      for (int i = 0; i < count; i++) {
        scores[from + i] = new float[classes];
        System.arraycopy(out.data(), i * classes, scores[from + i], 0, classes);
      }
    }
    return scores;
  }

  static long[] shape(ModelInput input, int rows, int size) {
    if (input instanceof ModelInput.Pictures p) {
      return p.layout() == Layout.NCHW
          ? new long[] {rows, p.channels(), p.height(), p.width()}
          : new long[] {rows, p.height(), p.width(), p.channels()};
    }
    return ((ModelInput.Clouds) input).pointsFirst()
        ? new long[] {rows, size / 3, 3}
        : new long[] {rows, 3, size / 3};
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
