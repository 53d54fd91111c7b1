package org.orbitmap.onnx.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/** Every operation of an exported network gives in ONNX Runtime what it gives here. */
class NetworkExportTest {
  private static final int ITEMS = 3;
  private static final InputShape.Images IMAGES = new InputShape.Images(2, 6, 6);
  private static final InputShape.Clouds CLOUDS = new InputShape.Clouds(5);

  /** Operations on images of 2 x 6 x 6. */
  private enum OnImages implements NetworkExport.Program {
    CONVOLUTIONS {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T y = ops.convolution(x, "first", Convolution.of(4, 3).stride(2).padding(1));
        Convolution second = new Convolution(6, 2, 1, 0, 2, false);
        return ops.convolution(y, "second", second);
      }
    },
    KERNELS {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T kernel = ops.parameter("kernel", Initial.he(18), 4, 2, 3, 3);
        T gain = ops.parameter("gain", Initial.constant(1), 4);
        T y =
            ops.convolution(
                x, ops.standardised(kernel, gain, 0.01), Convolution.of(4, 3).withoutBias());
        int[] index = {0, 1, 2, 1, 0, 1, 2, 2};
        T shared = ops.shared("shared", Initial.he(1), 3, index, 2, 4, 1, 1);
        T derived = ops.derived("derived", NetworkExportTest::cross);
        T z = ops.convolution(y, shared, Convolution.of(2, 1).withoutBias());
        return ops.convolution(z, derived, Convolution.of(1, 2).withoutBias());
      }
    },
    NORMS {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T y = ops.batchNorm(x, "plain");
        return ops.normRelu(ops.batchNorm(y, "field", 2), "last");
      }
    },
    CURVES {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T y = ops.add(ops.elu(x), ops.multiply(ops.gelu(x), ops.sigmoid(x)));
        return ops.subtract(
            ops.divide(y, ops.softplus(x)), ops.sqrt(ops.sigmoid(ops.addRelu(x, y))));
      }
    },
    POOLS {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T y = ops.maxPool(ops.sigmoid(ops.pad(x, 1, 0, 2, 1)), 3, 2, 1);
        T partial = ops.averagePool(y, 3, true);
        T whole = ops.averagePool(y, 2);
        return ops.add(
            ops.globalAverage(y),
            ops.add(ops.globalAverage(partial), ops.max(ops.max(whole, 2), 1)));
      }
    },
    FEWER {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T y = ops.dropout(ops.mean(ops.transpose(x, 0, 2), 1), 0.5);
        T z = ops.select(ops.max(x, 0), 1, new int[] {4, 0});
        return ops.matmul(
            ops.reshape(y, 2, 6), ops.maximum(z, ops.select(z, new int[] {5, 3, 3, 1, 0, 2})));
      }
    },
    TURNS {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T sum = ops.quarterTurns(x, 0);
        for (int k = 1; k < 4; k++) {
          float[] weight = {k + 1};
          sum = ops.add(sum, ops.multiply(ops.quarterTurns(x, -k), ops.constant(weight, 1)));
        }
        return sum;
      }
    },
    ROTATIONS {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T directions = ops.linear(ops.flatten(x), "angle", 2);
        T plain = ops.rotate(x, directions, Resampling.BILINEAR);
        Resampling masked = Resampling.BILINEAR.with(Fill.constant(0.75f)).withMask(true);
        return ops.add(plain, ops.rotate(x, directions, masked));
      }
    },
    SAMPLES {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T here = ops.parameter("places", Initial.uniform(3), 3, 4, 2);
        T each = ops.reshape(ops.linear(ops.flatten(x), "places-of-each", 24), 3, 4, 2);
        T y =
            ops.sample(
                x, ops.multiply(here, ops.constant(new float[] {4}, 1)), Interpolation.BILINEAR);
        return ops.add(y, ops.sample(ops.pad(x, 0, 0, 0, 3), each, Interpolation.BILINEAR));
      }
    },
    LOGARITHMS {
      @Override
      <T> T of(Operations<T> ops, T x) {
        T noise = ops.uniform(x, 7, 6, 6);
        T y = ops.logSoftmax(ops.linear(ops.mean(x, 0), "rows", 3));
        ops.penalty(y);
        T known = ops.select(ops.constant(new float[] {1, 2, 3}, 3), new int[] {2, 0, 1});
        return ops.multiply(ops.matmul(noise, ops.multiply(y, known)), ops.softmax(y));
      }
    };

    abstract <T> T of(Operations<T> ops, T x);

    @Override
    public <T> T scores(Operations<T> ops, T x) {
      return ops.flatten(of(ops, x));
    }
  }

  /** A kernel of 1 x 2 x 2 x 2 that is the product of two parameters. */
  private static <T> T cross(Operations<T> ops) {
    T column = ops.parameter("column", Initial.he(1), 4, 1);
    T row = ops.parameter("row", Initial.he(1), 1, 2);
    return ops.reshape(ops.matmul(column, row), 1, 2, 2, 2);
  }

  /** Operations on clouds of five points. */
  private enum OnClouds implements NetworkExport.Program {
    POINTS {
      @Override
      public <T> T scores(Operations<T> ops, T x) {
        T y = ops.relu(ops.batchNorm(ops.linear(x, "point", 4), "norm"));
        T z = ops.batchNorm(ops.linear(ops.max(y, 0), "fc", 6), "fc.norm");
        return ops.length(x, 0) == 5 ? z : ops.relu(z);
      }
    }
  }

  private static Map<String, FloatTensor> weights(
      InputShape<?> input, NetworkExport.Program program) {
    Declaration declaration = new Declaration();
    program.scores(declaration, Shape.of(input.axes()));
    SplittableRandom random = new SplittableRandom(1);
    Map<String, FloatTensor> all = new LinkedHashMap<>();
    for (Parameter p : declaration.parameters()) {
      FloatTensor t = FloatTensor.uniform(random, p.shape());
      for (int i = 0; i < t.values().length; i++) {
        t.values()[i] += p.name().endsWith(".running_var") ? 0.75f : 0.1f;
      }
      all.put(p.name(), t);
    }
    return all;
  }

  private static void agrees(InputShape<?> input, NetworkExport.Program program)
      throws IOException {
    Map<String, FloatTensor> weights = weights(input, program);
    int[] axes = input.axes();
    long[] shape = new long[axes.length + 1];
    shape[0] = ITEMS;
    for (int i = 0; i < axes.length; i++) {
      shape[i + 1] = axes[i];
    }
    FloatTensor items = FloatTensor.uniform(new SplittableRandom(2), shape);
    ArrayOperations here = new ArrayOperations(new ArrayWeights(weights));
    Batch expected = here.softmax(program.scores(here, Batch.of(items.values(), axes)));
    OnnxFile file = NetworkExport.export(input, weights, program);
    String name = input.kind().equals("images") ? "image" : "cloud";
    try (OnnxModel model = OnnxModel.open(file)) {
      OnnxModel.Output found =
          model.run(Map.of(name, new OnnxModel.Feed(shape, items.values()))).get("probabilities");
      assertThat(found.shape()).containsExactly(ITEMS, expected.shape().count());
      assertThat(found.data()).containsExactly(expected.values(), within(1e-5f));
    }
  }

  @ParameterizedTest
  @EnumSource
  void onImages(OnImages program) throws IOException {
    agrees(IMAGES, program);
  }

  @ParameterizedTest
  @EnumSource
  void onClouds(OnClouds program) throws IOException {
    agrees(CLOUDS, program);
  }

  /** Weights as nodes, each once, in the order in which they are asked for. */
  @Test
  void weightsMayBeNodes() {
    Map<String, FloatTensor> weights = weights(CLOUDS, OnClouds.POINTS);
    Graph graph = new Graph(17, "p/");
    OnnxOperations ops = OnnxOperations.withConstants(graph, weights);
    OnnxOperations.Node x =
        new OnnxOperations.Node(graph.value("x", Graph.FLOAT), Shape.of(CLOUDS.axes()));
    OnClouds.POINTS.scores(ops, x);
    OnClouds.POINTS.scores(ops, x);
    assertThat(ops.initialisers()).isEmpty();
    assertThat(
            graph.nodes().stream()
                .filter(n -> n.getOpType().equals("Constant"))
                .filter(n -> n.getAttribute(0).getT().getDataType() == Graph.FLOAT))
        .hasSize(weights.size());
  }

  @Test
  void theModelSaysWhatItIs() throws IOException {
    Map<String, FloatTensor> weights = weights(CLOUDS, OnClouds.POINTS);
    ModelProto model = NetworkExport.export(CLOUDS, weights, OnClouds.POINTS).model();
    assertThat(model.getProducerName()).isEqualTo("orbit");
    assertThat(model.getOpsetImport(0).getVersion()).isEqualTo(17);
    assertThat(model.getGraph().getInitializerList())
        .extracting(TensorProto::getName)
        .containsExactlyInAnyOrderElementsOf(weights.keySet());
    assertThat(model.getGraph().getInput(0).getType().getTensorType().getShape().getDimList())
        .extracting(d -> d.getDimParam() + d.getDimValue())
        .containsExactly("N0", "5", "3");
    assertThat(model.getGraph().getOutput(0).getType().getTensorType().getShape().getDimList())
        .extracting(d -> d.getDimParam() + d.getDimValue())
        .containsExactly("N0", "6");
    weights.remove("fc.bias");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NetworkExport.export(CLOUDS, weights, OnClouds.POINTS))
        .withMessage("weights: expected fc.bias, found none");
  }
}
