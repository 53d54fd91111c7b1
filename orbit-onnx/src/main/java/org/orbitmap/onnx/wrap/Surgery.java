package org.orbitmap.onnx.wrap;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.run.OnnxRuntime;

/** Changes to a model's graph that leave what its nodes compute as it is. */
final class Surgery {
  private static final String BATCH = "orbit_batch";
  private static final int PROBES = 3;
  private static final double TOLERANCE = 1e-4;

  private Surgery() {}

  /** The same nodes with some values called otherwise, also inside their subgraphs. */
  static List<NodeProto> renamed(List<NodeProto> nodes, Map<String, String> names) {
    return nodes.stream().map(n -> renamed(n, names)).toList();
  }

  private static NodeProto renamed(NodeProto node, Map<String, String> names) {
    NodeProto.Builder b = node.toBuilder();
    for (int i = 0; i < b.getInputCount(); i++) {
      b.setInput(i, names.getOrDefault(b.getInput(i), b.getInput(i)));
    }
    for (int i = 0; i < b.getOutputCount(); i++) {
      b.setOutput(i, names.getOrDefault(b.getOutput(i), b.getOutput(i)));
    }
    for (AttributeProto.Builder a : b.getAttributeBuilderList()) {
      if (a.hasG()) {
        a.setG(renamed(a.getG(), names));
      }
      for (int i = 0; i < a.getGraphsCount(); i++) {
        a.setGraphs(i, renamed(a.getGraphs(i), names));
      }
    }
    return b.build();
  }

  private static GraphProto renamed(GraphProto graph, Map<String, String> names) {
    GraphProto.Builder b =
        graph.toBuilder().clearNode().addAllNode(renamed(graph.getNodeList(), names));
    Stream.of(b.getInputBuilderList(), b.getOutputBuilderList(), b.getValueInfoBuilderList())
        .flatMap(List::stream)
        .forEach(v -> v.setName(names.getOrDefault(v.getName(), v.getName())));
    for (TensorProto.Builder t : b.getInitializerBuilderList()) {
      t.setName(names.getOrDefault(t.getName(), t.getName()));
    }
    return b.build();
  }

  /** Every name in a graph, subgraphs included. */
  static Set<String> names(GraphProto graph) {
    Set<String> all = new HashSet<>();
    collect(graph, all);
    return all;
  }

  private static void collect(GraphProto graph, Set<String> all) {
    graph.getInputList().forEach(v -> all.add(v.getName()));
    graph.getInitializerList().forEach(t -> all.add(t.getName()));
    for (NodeProto n : graph.getNodeList()) {
      all.add(n.getName());
      all.addAll(n.getInputList());
      all.addAll(n.getOutputList());
      for (AttributeProto a : n.getAttributeList()) {
        if (a.hasG()) {
          collect(a.getG(), all);
        }
        a.getGraphsList().forEach(g -> collect(g, all));
      }
    }
  }

  /**
   * The model with a free batch, if that can be: its answer to several inputs at once must be its
   * answers to each. That is tried, not guessed: first with nothing changed but the declared
   * shapes, then with constant Reshape targets whose first entry is the batch set free.
   *
   * @param runtime where it is tried
   * @return the model with a free batch, or empty if it has several inputs or its batch is fixed
   */
  static Optional<OnnxFile> freeBatch(OnnxFile file, ModelInput<?> input, OnnxRuntime runtime) {
    if (file.inputs().size() != 1 || !input.batched()) {
      return Optional.empty();
    }
    OnnxFile freed = freed(file, file.model());
    if (agrees(file, freed, input, runtime)) {
      return Optional.of(freed);
    }
    OnnxFile reshaped = freed(file, freeReshapes(file.model(), Math.max(1, input.batch())));
    return agrees(file, reshaped, input, runtime) ? Optional.of(reshaped) : Optional.empty();
  }

  private static OnnxFile freed(OnnxFile file, ModelProto model) {
    ModelProto.Builder m = model.toBuilder();
    GraphProto.Builder g = m.getGraphBuilder();
    g.clearValueInfo();
    String input = file.inputs().get(0).name();
    for (ValueInfoProto.Builder v : g.getInputBuilderList()) {
      if (v.getName().equals(input)) {
        freeFirstAxis(v);
      }
    }
    g.getOutputBuilderList().forEach(Surgery::freeFirstAxis);
    try {
      return OnnxFile.of(file.source(), m.build());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void freeFirstAxis(ValueInfoProto.Builder v) {
    TensorShapeProto.Builder shape = v.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
    if (shape.getDimCount() > 0) {
      shape.getDimBuilder(0).setDimParam(BATCH);
    }
  }

  /** Sets the first entry of constant Reshape targets free where it is the batch. */
  private static ModelProto freeReshapes(ModelProto model, long batch) {
    ModelProto.Builder m = model.toBuilder();
    GraphProto.Builder g = m.getGraphBuilder();
    Map<String, Integer> uses = new HashMap<>();
    Set<String> targets = new HashSet<>();
    for (NodeProto n : g.getNodeList()) {
      n.getInputList().forEach(i -> uses.merge(i, 1, Integer::sum));
      if (n.getOpType().equals("Reshape") && n.getInputCount() == 2) {
        targets.add(n.getInput(1));
      }
    }
    targets.removeIf(t -> uses.get(t) > 1);
    for (int i = 0; i < g.getInitializerCount(); i++) {
      if (targets.contains(g.getInitializer(i).getName())) {
        g.setInitializer(i, freeFirst(g.getInitializer(i), batch));
      }
    }
    for (NodeProto.Builder n : g.getNodeBuilderList()) {
      if (n.getOpType().equals("Constant") && targets.contains(n.getOutput(0))) {
        for (AttributeProto.Builder a : n.getAttributeBuilderList()) {
          if (a.hasT()) {
            a.setT(freeFirst(a.getT(), batch));
          }
        }
      }
    }
    return m.build();
  }

  private static TensorProto freeFirst(TensorProto shape, long batch) {
    List<Long> dims = new ArrayList<>(shape.getInt64DataList());
    if (dims.isEmpty()) {
      ByteBuffer raw = shape.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      while (raw.remaining() >= Long.BYTES) {
        dims.add(raw.getLong());
      }
    }
    if (dims.size() < 2 || dims.get(0) != batch) {
      return shape;
    }
    dims.set(0, dims.contains(-1L) ? 0L : -1L);
    ByteBuffer raw = ByteBuffer.allocate(dims.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    dims.forEach(raw::putLong);
    raw.flip();
    return shape.toBuilder().clearInt64Data().setRawData(ByteString.copyFrom(raw)).build();
  }

  /** Random numbers from 0 to 1 for so many inputs; 64 points where their number is free. */
  private static OnnxModel.Feed probe(ModelInput<?> input, int count) {
    int size =
        input instanceof ModelInput.Images p
            ? p.size()
            : 3 * ((ModelInput.Clouds) input).pointsOr(64);
    Random random = new Random(5);
    float[] all = new float[Math.multiplyExact(count, size)];
    for (int i = 0; i < all.length; i++) {
      all[i] = random.nextFloat();
    }
    return new OnnxModel.Feed(input.shape(count, size), all);
  }

  /**
   * Checks that a wrapped model runs and gives tensors of the shapes that the bare one gives. A
   * model that does not run on random numbers, with zeros for its other inputs, is only opened.
   *
   * @throws IOException if it does not
   */
  static void requireRuns(OnnxModel bare, OnnxFile wrapped, ModelInput<?> input)
      throws IOException {
    Map<String, OnnxModel.Feed> feeds = Map.of();
    Map<String, OnnxModel.Output> expected;
    try {
      feeds = OnnxModel.zeros(bare.file());
      feeds.put(input.spec().name(), probe(input, Math.max(1, input.batch())));
      expected = bare.run(feeds);
    } catch (IllegalArgumentException | ArithmeticException e) {
      expected = null;
    }
    try (OnnxModel opened = bare.runtime().open(wrapped)) {
      if (expected == null) {
        return;
      }
      Map<String, OnnxModel.Output> found = opened.run(feeds);
      for (Map.Entry<String, OnnxModel.Output> e : expected.entrySet()) {
        String own = Arrays.toString(e.getValue().shape());
        String now = Arrays.toString(found.get(e.getKey()).shape());
        if (!own.equals(now)) {
          throw new IOException(
              "%s: expected output \"%s\" of shape %s as the model gives it, found %s; this model cannot be wrapped so"
                  .formatted(wrapped, e.getKey(), own, now));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Whether two models with the same input give the same answers, up to rounding.
   *
   * @param runtime where it is tried
   */
  static boolean same(OnnxFile a, OnnxFile b, ModelInput<?> input, OnnxRuntime runtime) {
    OnnxModel.Feed probe = probe(input, Math.max(1, input.batch()));
    Map<String, OnnxModel.Feed> feed = Map.of(input.spec().name(), probe);
    try (OnnxModel one = runtime.open(a);
        OnnxModel other = runtime.open(b)) {
      Map<String, OnnxModel.Output> found = other.run(feed);
      return one.run(feed).entrySet().stream()
          .allMatch(e -> close(e.getValue().data(), found.get(e.getKey()).data()));
    } catch (IOException | IllegalArgumentException e) {
      return false; // one of them cannot run
    }
  }

  private static boolean close(float[] a, float[] b) {
    return a.length == b.length
        && IntStream.range(0, a.length)
            .allMatch(i -> Math.abs(a[i] - b[i]) <= TOLERANCE * (1 + Math.abs(a[i])));
  }

  private static boolean agrees(
      OnnxFile own, OnnxFile freed, ModelInput<?> input, OnnxRuntime runtime) {
    int batch = Math.max(1, input.batch());
    OnnxModel.Feed probe = probe(input, PROBES * batch);
    float[] all = probe.data();
    int size = all.length / (PROBES * batch);
    String name = input.spec().name();
    try (OnnxModel single = runtime.open(own);
        OnnxModel many = runtime.open(freed)) {
      Map<String, OnnxModel.Output> together = many.run(Map.of(name, probe));
      for (int k = 0; k < PROBES; k++) {
        float[] part = Arrays.copyOfRange(all, k * batch * size, (k + 1) * batch * size);
        Map<String, OnnxModel.Output> alone =
            single.run(Map.of(name, new OnnxModel.Feed(input.shape(batch, size), part)));
        for (Map.Entry<String, OnnxModel.Output> e : alone.entrySet()) {
          float[] a = e.getValue().data();
          float[] b = together.get(e.getKey()).data();
          if (b.length != PROBES * a.length) {
            return false;
          }
          for (int i = 0; i < a.length; i++) {
            float other = b[k * a.length + i];
            if (!(Math.abs(a[i] - other) <= TOLERANCE * (1 + Math.abs(a[i])))) {
              return false;
            }
          }
        }
      }
      return true;
    } catch (IOException | IllegalArgumentException e) {
      return false; // the runtime refused the batch: it is fixed
    }
  }
}
