package org.orbitmap.onnx.export;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.orbitmap.io.Version;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;

/**
 * Writes a network of images as an ONNX model, layer by layer, with weights that are looked up by
 * name.
 *
 * <pre>{@code
 * NetworkBuilder net = new NetworkBuilder(3, 32, 32, weights::get);
 * var x = net.relu(net.conv(net.input(), "conv1", 1, 1));
 * OnnxFile file = net.build(net.softmax(net.linear(net.flatten(x), "head")));
 * }</pre>
 *
 * <p>The input is {@code image}, N × channels × height × width with samples in [0, 1]; the output
 * is {@code probabilities}.
 */
public final class NetworkBuilder {
  private static final int OPSET = 17;
  private static final int IR = 8;
  private static final double EPSILON = 1e-5;

  private final Graph graph = new Graph(OPSET, "net/");
  private final long[] image;
  private final Function<String, Weight> weights;
  private final Map<String, TensorProto> initialisers = new LinkedHashMap<>();

  /**
   * The numbers of a layer.
   *
   * @param shape the lengths of the axes
   * @param values row by row
   */
  public record Weight(long[] shape, float[] values) {}

  /** A tensor in the network; one row, or one image, for each input. */
  public static final class Layer {
    private final Value value;

    private Layer(Value value) {
      this.value = value;
    }
  }

  /**
   * Starts a network.
   *
   * @param weights the weights by name, null where there are none
   */
  public NetworkBuilder(int channels, int height, int width, Function<String, Weight> weights) {
    this.image = new long[] {channels, height, width};
    this.weights = weights;
  }

  /** The images. */
  public Layer input() {
    return new Layer(graph.value("image", Graph.FLOAT));
  }

  /** (x - mean) / std, channel by channel. */
  public Layer normalise(Layer x, float[] mean, float[] std) {
    Value m = graph.floats(mean, 1, mean.length, 1, 1);
    Value s = graph.floats(std, 1, std.length, 1, 1);
    return new Layer(x.value.minus(m).over(s));
  }

  /**
   * A convolution with the weights {@code name.weight} and, if there are any, {@code name.bias}.
   */
  public Layer conv(Layer x, String name, int stride, int padding) {
    long side = weight(name + ".weight").shape()[2];
    List<Value> inputs = new ArrayList<>(List.of(x.value, initialiser(name + ".weight")));
    if (weights.apply(name + ".bias") != null) {
      inputs.add(initialiser(name + ".bias"));
    }
    return op(
        "Conv",
        inputs,
        Graph.integers("kernel_shape", side, side),
        Graph.integers("strides", stride, stride),
        Graph.integers("pads", padding, padding, padding, padding));
  }

  /** Batch normalisation with its running statistics. */
  public Layer norm(Layer x, String name) {
    return op(
        "BatchNormalization",
        List.of(
            x.value,
            initialiser(name + ".weight"),
            initialiser(name + ".bias"),
            initialiser(name + ".running_mean"),
            initialiser(name + ".running_var")),
        Graph.real("epsilon", EPSILON));
  }

  /** max(x, 0). */
  public Layer relu(Layer x) {
    return op("Relu", List.of(x.value));
  }

  /** The sum of two layers. */
  public Layer add(Layer x, Layer y) {
    return new Layer(x.value.plus(y.value));
  }

  /** The largest value in each window. */
  public Layer maxPool(Layer x, int side, int stride, int padding) {
    return op(
        "MaxPool",
        List.of(x.value),
        Graph.integers("kernel_shape", side, side),
        Graph.integers("strides", stride, stride),
        Graph.integers("pads", padding, padding, padding, padding));
  }

  /** The mean over rows and columns: one number for each channel. */
  public Layer globalAverage(Layer x) {
    return flatten(op("GlobalAveragePool", List.of(x.value)));
  }

  /** One row for each input. */
  public Layer flatten(Layer x) {
    return op("Flatten", List.of(x.value), Graph.integer("axis", 1));
  }

  /** x·Wᵀ + b. */
  public Layer linear(Layer x, String name) {
    return op(
        "Gemm",
        List.of(x.value, initialiser(name + ".weight"), initialiser(name + ".bias")),
        Graph.integer("transB", 1));
  }

  /** The four quarter turns of square images, as four times as many images. */
  public Layer quarterTurns(Layer x) {
    long side = image[1];
    if (side != image[2]) {
      throw new IllegalArgumentException(
          "quarter turns: expected square images, found %d x %d".formatted(side, image[2]));
    }
    long[] reversed = new long[(int) side];
    Arrays.setAll(reversed, i -> side - 1 - i);
    Value mirror = graph.longs(reversed, side);
    Value u = x.value;
    Value rotated = u.transpose(0, 1, 3, 2);
    return new Layer(
        graph.concat(
            0,
            u,
            rotated.gather(2, mirror),
            u.gather(2, mirror).gather(3, mirror),
            rotated.gather(3, mirror)));
  }

  /** The maximum over the four turns of rows that came from {@link #quarterTurns}. */
  public Layer maxOverTurns(Layer x, int width) {
    return new Layer(x.value.reshape(4, -1, width).reduce("ReduceMax", 0).reshape(-1, width));
  }

  /** Class probabilities. */
  public Layer softmax(Layer x) {
    return new Layer(x.value.softmax(1));
  }

  /**
   * The model that gives a layer, one row for each image.
   *
   * @param classes the length of a row
   */
  public OnnxFile build(Layer output, int classes) throws IOException {
    graph.name(output.value, "probabilities");
    GraphProto.Builder g =
        GraphProto.newBuilder()
            .setName("orbit")
            .addInput(
                Graph.info(
                    "image",
                    Graph.tensorType(Graph.FLOAT, List.of("N", image[0], image[1], image[2]))))
            .addOutput(
                Graph.info("probabilities", Graph.tensorType(Graph.FLOAT, List.of("N", classes))))
            .addAllInitializer(initialisers.values())
            .addAllNode(graph.nodes());
    return OnnxFile.of(
        "exported network",
        ModelProto.newBuilder()
            .setIrVersion(IR)
            .setProducerName("orbit")
            .setProducerVersion(Version.current())
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET))
            .setGraph(g)
            .build());
  }

  private Layer op(String type, List<Value> inputs, AttributeProto... attributes) {
    return new Layer(graph.op(type, Graph.FLOAT, inputs, attributes));
  }

  private Weight weight(String name) {
    Weight w = weights.apply(name);
    if (w == null) {
      throw new IllegalArgumentException("weights: expected %s, found none".formatted(name));
    }
    return w;
  }

  private Value initialiser(String name) {
    initialisers.computeIfAbsent(
        name,
        n -> {
          Weight w = weight(n);
          ByteBuffer raw =
              ByteBuffer.allocate(4 * w.values().length).order(ByteOrder.LITTLE_ENDIAN);
          raw.asFloatBuffer().put(w.values());
          TensorProto.Builder t =
              TensorProto.newBuilder()
                  .setName(n)
                  .setDataType(Graph.FLOAT)
                  .setRawData(ByteString.copyFrom(raw));
          Arrays.stream(w.shape()).forEach(t::addDims);
          return t.build();
        });
    return graph.value(name, Graph.FLOAT);
  }
}
