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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.OnnxFile;

/** A model in the ONNX Runtime of this process. */
final class LocalSession implements OnnxModel.Session {
  private final OnnxFile file;
  private final OrtSession session;

  private LocalSession(OnnxFile file, OrtSession session) {
    this.file = file;
    this.session = session;
  }

  static OnnxModel open(OnnxFile file, OnnxModel.Threads threads) throws IOException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      if (threads == OnnxModel.Threads.ACROSS) {
        options.setIntraOpNumThreads(1);
      }
      OrtSession session = Ort.environment().createSession(file.bytes(), options);
      return OnnxModel.of(file, OnnxRuntime.HERE, new LocalSession(file, session));
    } catch (OrtException e) {
      throw new IOException(
          "%s: ONNX Runtime cannot load this model: %s".formatted(file, firstLine(e)), e);
    }
  }

  private static String firstLine(OrtException e) {
    return e.getMessage().lines().findFirst().orElse("no reason given");
  }

  @Override
  public Map<String, OnnxModel.Output> run(Map<String, OnnxModel.Feed> feeds) {
    Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
    try {
      for (TensorSpec port : file.inputs()) {
        tensors.put(port.name(), tensor(port, feeds.get(port.name())));
      }
      try (OrtSession.Result result = session.run(tensors)) {
        Map<String, OnnxModel.Output> outputs = new LinkedHashMap<>();
        for (TensorSpec port : file.outputs()) {
          if (result.get(port.name()).orElseThrow() instanceof OnnxTensor tensor) {
            outputs.put(port.name(), output(tensor));
          }
        }
        return outputs;
      }
    } catch (OrtException e) {
      throw new IllegalArgumentException(
          "%s: ONNX Runtime cannot run this model: %s".formatted(file, firstLine(e)), e);
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  @Override
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

  private static OnnxTensor tensor(TensorSpec port, OnnxModel.Feed feed) throws OrtException {
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

  private static OnnxModel.Output output(OnnxTensor t) throws OrtException {
    long[] shape = t.getInfo().getShape();
    return switch (t.getInfo().type) {
      case FLOAT, FLOAT16, BFLOAT16 -> {
        FloatBuffer b = t.getFloatBuffer();
        float[] data = new float[b.remaining()];
        b.get(data);
        yield new OnnxModel.Output(shape, data);
      }
      case DOUBLE -> {
        DoubleBuffer b = t.getDoubleBuffer();
        float[] data = new float[b.remaining()];
        for (int i = 0; i < data.length; i++) {
          data[i] = (float) b.get(i);
        }
        yield new OnnxModel.Output(shape, data);
      }
      case INT64 -> {
        LongBuffer b = t.getLongBuffer();
        float[] data = new float[b.remaining()];
        for (int i = 0; i < data.length; i++) {
          data[i] = b.get(i);
        }
        yield new OnnxModel.Output(shape, data);
      }
      case UINT8, INT8 -> {
        ByteBuffer b = t.getByteBuffer();
        boolean signed = t.getInfo().type == OnnxJavaType.INT8;
        float[] data = new float[b.remaining()];
        for (int i = 0; i < data.length; i++) {
          data[i] = signed ? b.get(i) : b.get(i) & 255;
        }
        yield new OnnxModel.Output(shape, data);
      }
      case INT32 -> {
        IntBuffer b = t.getIntBuffer();
        float[] data = new float[b.remaining()];
        for (int i = 0; i < data.length; i++) {
          data[i] = b.get(i);
        }
        yield new OnnxModel.Output(shape, data);
      }
      default ->
          throw new IllegalArgumentException(
              "expected an output of numbers, found " + t.getInfo().type);
    };
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException(file + ": cannot close: " + firstLine(e), e);
    }
  }
}
