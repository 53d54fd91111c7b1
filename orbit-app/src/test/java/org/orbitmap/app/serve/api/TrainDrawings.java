package org.orbitmap.app.serve.api;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.eval.Scores;

/**
 * Makes {@code drawings.onnx}, the small network that the page starts with: four convolutions and a
 * linear layer, trained on upright drawings (numbers from 10,000 on; the samples of the page,
 * numbers 1000 to 1999, are not among them). Rotated images it has never seen. Its only argument is
 * the file to write.
 */
public final class TrainDrawings {
  private static final int SIDE = Studio.SIDE;
  private static final int CLASSES = SampleDrawings.CLASSES.size();
  private static final int[] CHANNELS = {3, 16, 24, 32, 48};
  private static final int TRAIN = 4000;
  private static final int TEST = 500;
  private static final int EPOCHS = 8;
  private static final int BATCH = 50;
  private static final double RATE = 2e-3;

  private final Map<String, Tensor> weights = new LinkedHashMap<>();
  private final Map<String, Tensor> first = new LinkedHashMap<>();
  private final Map<String, Tensor> second = new LinkedHashMap<>();
  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20260101);

  private TrainDrawings() {}

  /** Trains and writes. */
  public static void main(String[] args) throws Exception {
    Loader.load(torch.class);
    TrainDrawings trained = new TrainDrawings();
    trained.train();
    Files.write(Path.of(args[0]), trained.onnx().toByteArray());
  }

  private void train() {
    for (int i = 1; i < CHANNELS.length; i++) {
      make("conv" + i, 9 * CHANNELS[i - 1], CHANNELS[i], CHANNELS[i - 1], 3, 3);
    }
    long flat = (long) CHANNELS[4] * (SIDE / 16) * (SIDE / 16);
    make("head", (int) flat, CLASSES, flat);
    float[][] train = images(10_000, TRAIN);
    float[][] test = images(900_000, TEST);
    int[] order = new int[TRAIN];
    Arrays.setAll(order, i -> i);
    int steps = EPOCHS * TRAIN / BATCH;
    int step = 0;
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
      for (int i = TRAIN - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        int t = order[i];
        order[i] = order[j];
        order[j] = t;
      }
      double sum = 0;
      for (int from = 0; from < TRAIN; from += BATCH) {
        double rate = RATE * 0.5 * (1 + Math.cos(Math.PI * step / steps));
        sum += step(train, order, from, rate, ++step);
      }
      System.err.printf(
          "epoch %d: loss %.4f, test accuracy %.3f%n", epoch, sum * BATCH / TRAIN, accuracy(test));
    }
  }

  private void make(String name, int fan, long... shape) {
    int n = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    float[] w = new float[n];
    for (int i = 0; i < n; i++) {
      w[i] = (float) (random.nextGaussian() * Math.sqrt(2.0 / fan));
    }
    put(name + ".weight", w, shape);
    put(name + ".bias", new float[(int) shape[0]], shape[0]);
  }

  private void put(String name, float[] values, long... shape) {
    Tensor t = tensor(values, shape);
    t.set_requires_grad(true);
    weights.put(name, t);
    first.put(name, tensor(new float[values.length], shape));
    second.put(name, tensor(new float[values.length], shape));
  }

  private static Tensor tensor(float[] values, long... shape) {
    Tensor t = torch.empty(shape);
    try (FloatPointer p = t.data_ptr_float()) {
      p.put(values);
    }
    return t;
  }

  private static float[][] images(int from, int count) {
    float[][] all = new float[count][];
    Arrays.setAll(all, i -> SampleDrawings.image(from + i, 3, SIDE, SIDE).data());
    return all;
  }

  private static Tensor batch(float[][] data, int[] order, int from) {
    int size = 3 * SIDE * SIDE;
    float[] values = new float[BATCH * size];
    for (int i = 0; i < BATCH; i++) {
      System.arraycopy(data[order[from + i]], 0, values, i * size, size);
    }
    return tensor(values, BATCH, 3, SIDE, SIDE);
  }

  private Tensor logits(Tensor x) {
    Tensor y = x;
    for (int i = 1; i < CHANNELS.length; i++) {
      y =
          torch.relu(
              torch.conv2d(
                  y,
                  weights.get("conv" + i + ".weight"),
                  new TensorOptional(weights.get("conv" + i + ".bias")),
                  new long[] {2, 2},
                  new long[] {1, 1},
                  new long[] {1, 1},
                  1));
    }
    return torch.linear(
        y.flatten(1, -1), weights.get("head.weight"), new TensorOptional(weights.get("head.bias")));
  }

  /** One step of Adam; returns the loss. */
  @SuppressWarnings("try")
  private double step(float[][] data, int[] order, int from, double rate, int step) {
    try (PointerScope scope = new PointerScope()) {
      Tensor labels = torch.empty(BATCH).to(ScalarType.Long);
      try (LongPointer p = labels.data_ptr_long()) {
        for (int i = 0; i < BATCH; i++) {
          p.put(i, order[from + i] % CLASSES);
        }
      }
      Tensor loss = torch.cross_entropy_loss(logits(batch(data, order, from)), labels);
      loss.backward();
      try (NoGradGuard guard = new NoGradGuard()) {
        weights.forEach((name, w) -> adam(name, w, rate, step));
      }
      return loss.item_float();
    }
  }

  private void adam(String name, Tensor w, double rate, int step) {
    Tensor g = w.grad();
    Tensor m = first.get(name);
    Tensor v = second.get(name);
    m.mul_(new Scalar(0.9)).add_(g, new Scalar(0.1));
    v.mul_(new Scalar(0.999)).addcmul_(g, g, new Scalar(0.001));
    Tensor root = v.div(new Scalar(1 - Math.pow(0.999, step))).sqrt().add(new Scalar(1e-8));
    w.addcdiv_(m, root, new Scalar(-rate / (1 - Math.pow(0.9, step))));
    g.zero_();
  }

  @SuppressWarnings("try")
  private double accuracy(float[][] test) {
    int right = 0;
    int[] order = new int[test.length];
    Arrays.setAll(order, i -> i);
    for (int from = 0; from < test.length; from += BATCH) {
      try (PointerScope scope = new PointerScope();
          NoGradGuard guard = new NoGradGuard()) {
        float[] scores = floats(logits(batch(test, order, from)));
        for (int i = 0; i < BATCH; i++) {
          float[] row = Arrays.copyOfRange(scores, i * CLASSES, (i + 1) * CLASSES);
          right += Scores.argmax(row) == (from + i) % CLASSES ? 1 : 0;
        }
      }
    }
    return (double) right / test.length;
  }

  private static float[] floats(Tensor t) {
    Tensor flat = t.detach().contiguous();
    float[] values = new float[(int) flat.numel()];
    try (FloatPointer p = flat.data_ptr_float()) {
      p.get(values);
    }
    return values;
  }

  private ModelProto onnx() {
    GraphProto.Builder graph = GraphProto.newBuilder().setName("drawings");
    graph.addInput(info("image", 3, SIDE, SIDE));
    graph.addOutput(info("scores", CLASSES));
    String last = "image";
    for (int i = 1; i < CHANNELS.length; i++) {
      String name = "conv" + i;
      graph.addNode(
          node("Conv", name, last, name + ".weight", name + ".bias").toBuilder()
              .addAttribute(longs("strides", 2, 2))
              .addAttribute(longs("pads", 1, 1, 1, 1)));
      last = name + ".relu";
      graph.addNode(node("Relu", last, name));
    }
    graph.addNode(node("Flatten", "flat", last));
    AttributeProto.Builder transposed =
        AttributeProto.newBuilder().setName("transB").setType(AttributeProto.AttributeType.INT);
    graph.addNode(
        node("Gemm", "scores", "flat", "head.weight", "head.bias").toBuilder()
            .addAttribute(transposed.setI(1)));
    weights.forEach((name, t) -> graph.addInitializer(initialiser(name, t)));
    return ModelProto.newBuilder()
        .setIrVersion(9)
        .setProducerName("orbit")
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
        .addMetadataProps(
            StringStringEntryProto.newBuilder()
                .setKey("classes")
                .setValue(String.join(",", SampleDrawings.CLASSES)))
        .setGraph(graph)
        .build();
  }

  private static NodeProto node(String type, String out, String... in) {
    return NodeProto.newBuilder()
        .setOpType(type)
        .setName(out)
        .addAllInput(List.of(in))
        .addOutput(out)
        .build();
  }

  private static AttributeProto longs(String name, long... values) {
    AttributeProto.Builder a =
        AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
    Arrays.stream(values).forEach(a::addInts);
    return a.build();
  }

  private static ValueInfoProto info(String name, long... tail) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimParam("N"));
    for (long n : tail) {
      shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(n));
    }
    TypeProto.Tensor.Builder tensor = TypeProto.Tensor.newBuilder().setElemType(1).setShape(shape);
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(tensor))
        .build();
  }

  private static TensorProto initialiser(String name, Tensor t) {
    List<Long> shape = new ArrayList<>();
    for (int i = 0; i < t.dim(); i++) {
      shape.add(t.size(i));
    }
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(1)
        .addAllDims(shape)
        .setRawData(ByteString.copyFrom(CanonicalApi.bytes(floats(t))))
        .build();
  }
}
