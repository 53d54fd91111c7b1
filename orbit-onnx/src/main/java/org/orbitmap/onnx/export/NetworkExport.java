package org.orbitmap.onnx.export;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.orbitmap.io.Version;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Declaration.Shape;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Operations;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.OnnxFile;

/**
 * Writes a network as an ONNX model.
 *
 * <p>The input is {@code image}, N × channels × height × width with samples in [0, 1], or {@code
 * cloud}, N × points × 3; the output is {@code probabilities}.
 */
public final class NetworkExport {
  private static final int OPSET = 17;
  private static final int IR = 8;

  private NetworkExport() {}

  /** A network in operations; usually a method reference to a generic method. */
  @FunctionalInterface
  public interface Program {
    /** The class scores of a batch. */
    <T> T scores(Operations<T> ops, T x);
  }

  /**
   * The model that gives the class probabilities of a program.
   *
   * @param input what it takes
   * @param weights by name
   */
  public static OnnxFile export(
      InputShape<?> input, Map<String, FloatTensor> weights, Program program) throws IOException {
    String name = input instanceof InputShape.Images ? "image" : "cloud";
    Graph graph = new Graph(OPSET, "net/");
    OnnxOperations ops = new OnnxOperations(graph, weights);
    OnnxOperations.Node x =
        new OnnxOperations.Node(graph.value(name, Graph.FLOAT), Shape.of(input.axes()));
    OnnxOperations.Node y = ops.softmax(program.scores(ops, x));
    graph.name(y.value(), "probabilities");
    List<Object> axes = new ArrayList<>(List.of("N"));
    Arrays.stream(input.axes()).asLongStream().forEach(axes::add);
    GraphProto.Builder g =
        GraphProto.newBuilder()
            .setName("orbit")
            .addInput(Graph.info(name, Graph.tensorType(Graph.FLOAT, axes)))
            .addOutput(
                Graph.info(
                    "probabilities",
                    Graph.tensorType(Graph.FLOAT, List.of("N", (long) y.shape().count()))))
            .addAllInitializer(ops.initialisers())
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
}
