package org.orbitmap.onnx.wrap;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.Version;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.orbit.Guarantee;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Makes a model invariant without retraining (paper, Fact 1): a new model whose first nodes are the
 * orbit mapping, in standard operators, and whose inputs and outputs are those of the old one.
 *
 * <pre>{@code
 * OnnxFile invariant = Wrap.of(Path.of("model.onnx")).frames(24).build();
 * invariant.write(Path.of("invariant.onnx"));
 * }</pre>
 *
 * <p>The mapping is the one of the core, by value: the wrapped model computes net(h(x)) for the
 * same h. The model's own nodes and its opset stay as they are.
 */
public final class Wrap {
  /** What the properties that a wrapped file carries start with. */
  public static final String PROPERTY = "orbit.";

  /** What they start with when the file is wrapped once more. */
  private static final String INNER = PROPERTY + "inner.";

  private final OnnxFile file;
  private OrbitMapping<?, ?> mapping; // null: the default for the input
  private int frames = 1;
  private Pool select = Pool.CONFIDENCE;
  private boolean mirrors;
  private ModelInput.Hints hints = ModelInput.Hints.NONE;
  private Preprocessing preprocessing; // null: as usual for the input
  private Set<String> equivariant = Set.of();
  private String scores;

  private Wrap(OnnxFile file) {
    this.file = file;
  }

  /** Starts from a model file; by default with one frame. */
  public static Wrap of(Path model) throws IOException {
    return of(OnnxFile.read(model));
  }

  /** Starts from a model that was read. */
  public static Wrap of(OnnxFile model) {
    return new Wrap(model);
  }

  /**
   * The orbit mapping to put before the model: {@link RotationMapping} or {@link OrthogonalMapping}
   * for images, {@link CloudMapping} for point clouds. By default the disc mapping of rotations and
   * the one of all orientation-preserving similarities.
   */
  public Wrap mapping(OrbitMapping<?, ?> value) {
    mapping = Objects.requireNonNull(value, "mapping");
    return this;
  }

  /** K frames, the most confident one wins. */
  public Wrap frames(int count) {
    return frames(count, Pool.CONFIDENCE);
  }

  /**
   * K frames: the canonical image and its copies rotated by 360°/K, pooled as in {@link
   * org.orbitmap.image.mapping.Frames}. With the mean, class scores become probabilities.
   */
  public Wrap frames(int count, Pool how) {
    if (count < 1 || count > 360) {
      throw new IllegalArgumentException("frames: expected 1 to 360, found " + count);
    }
    frames = count;
    select = Objects.requireNonNull(how, "select");
    return this;
  }

  /**
   * Whether the model is asked for the mirror image of each frame as well, and the mean of both is
   * the frame's answer ({@link org.orbitmap.image.mapping.Frames}); class scores become
   * probabilities.
   */
  public Wrap mirrors(boolean value) {
    mirrors = value;
    return this;
  }

  /** How often the model is asked for one input. */
  private int copies() {
    return mirrors ? 2 * frames : frames;
  }

  /** What the model does not tell about its input. */
  public Wrap hints(ModelInput.Hints value) {
    hints = Objects.requireNonNull(value, "hints");
    return this;
  }

  /**
   * How pixels in [0, 1] become the model's input, outside the model; by default as {@link
   * Preprocessing#usual}.
   */
  public Wrap preprocessing(Preprocessing value) {
    preprocessing = Objects.requireNonNull(value, "preprocessing");
    return this;
  }

  /** Dense outputs that are mapped back to the pose of the input (paper, Proposition 2). */
  public Wrap equivariant(List<String> outputs) {
    equivariant = new LinkedHashSet<>(outputs);
    return this;
  }

  /** The output whose rows are class scores; by default the first with two axes that can be it. */
  public Wrap scores(String output) {
    scores = output;
    return this;
  }

  /** How the model takes its input, as far as it tells and the hints say. */
  public ModelInput<?> input() {
    return file.input(hints);
  }

  /**
   * The wrapped model.
   *
   * @throws IllegalArgumentException if the model's input or outputs do not fit the mapping
   * @throws IOException if ONNX Runtime does not accept the model
   */
  public OnnxFile build() throws IOException {
    try (OnnxModel bare = OnnxModel.open(file)) { // one that cannot run is not worth wrapping
      OnnxFile wrapped = new Build(input(), bare.outputs()).build();
      Surgery.requireRuns(bare, wrapped, input());
      return wrapped;
    }
  }

  /** Wraps the model and opens it for predictions on images. */
  public Predictor open() throws IOException {
    if (!(input() instanceof ModelInput.Images images)) {
      throw new IllegalArgumentException(
          "%s: expected a model of images, found %s".formatted(file, input()));
    }
    return new Predictor(OnnxModel.open(build()), images, preprocessing(images), scores);
  }

  private Preprocessing preprocessing(ModelInput<?> input) {
    return preprocessing != null ? preprocessing : Preprocessing.usual(input);
  }

  private OrbitMapping<?, ?> mapping(ModelInput<?> input) {
    return mapping != null
        ? mapping
        : input instanceof ModelInput.Images
            ? RotationMapping.disc()
            : CloudMapping.of(SimilarityGroup.similarities(3));
  }

  private Emitter emitter(ModelInput<?> input, OrbitMapping<?, ?> mapping) {
    if (input instanceof ModelInput.Images images) {
      if (mapping instanceof RotationMapping m) {
        return new ImageEmitter(
            images, preprocessing(input), m.rule(), m.resampling(), false, frames);
      }
      if (mapping instanceof OrthogonalMapping m) {
        return new ImageEmitter(
            images, preprocessing(input), m.rule(), m.resampling(), true, frames);
      }
    }
    if (input instanceof ModelInput.Clouds clouds && mapping instanceof CloudMapping m) {
      return new CloudEmitter(clouds, m, frames);
    }
    throw new IllegalArgumentException(
        "%s: expected a mapping that fits the input (%s), found %s of %s"
            .formatted(file, input, mapping.name(), mapping.action().group().name()));
  }

  /** One run of {@link #build}. */
  private final class Build {
    private final ModelInput<?> input;
    private final OrbitMapping<?, ?> mapping;
    private final Emitter emitter;
    private final Graph graph;
    private final String prefix;
    private final Map<String, TensorSpec> outputs =
        new LinkedHashMap<>(); // those that nodes compute
    private final Optional<TensorSpec> scored;

    Build(ModelInput<?> input, List<TensorSpec> given) {
      this.input = input;
      this.mapping = mapping(input);
      this.emitter = emitter(input, mapping);
      this.prefix = freePrefix();
      this.graph = new Graph(file.opset(), prefix);
      Set<String> computed =
          file.model().getGraph().getNodeList().stream()
              .flatMap(n -> n.getOutputList().stream())
              .collect(Collectors.toSet());
      given.stream()
          .filter(p -> computed.contains(p.name()))
          .forEach(p -> outputs.put(p.name(), p));
      scored =
          TensorSpec.scores(
              given.stream().filter(p -> !equivariant.contains(p.name())).toList(), scores);
      for (String name : equivariant) {
        if (!outputs.containsKey(name)) {
          throw new IllegalArgumentException(
              "equivariant: expected one of the outputs %s, found \"%s\""
                  .formatted(outputs.keySet(), name));
        }
      }
      if (mirrors && !(input instanceof ModelInput.Images)) {
        throw new IllegalArgumentException("mirrors: expected a model of images, found " + input);
      }
      if (mirrors && !equivariant.isEmpty()) {
        throw new IllegalArgumentException(
            "mirrors: expected no output that moves with the input, found " + equivariant);
      }
    }

    /** A prefix that no name in the model starts with, so that a wrapped model can be wrapped. */
    private String freePrefix() {
      Set<String> taken = Surgery.names(file.model().getGraph());
      for (int i = 1; ; i++) {
        String p = i == 1 ? "orbit/" : "orbit" + i + "/";
        if (taken.stream().noneMatch(n -> n.startsWith(p))) {
          return p;
        }
      }
    }

    OnnxFile build() throws IOException {
      GraphProto own = file.model().getGraph();
      int type = type(own.getInputList(), input.spec().name());
      Value x = graph.value(input.spec().name(), type);
      Emitter.Framed framed = emitter.emit(graph, x.cast(Graph.FLOAT));
      Value shown = mirrors ? withMirrors(framed.inputs()) : framed.inputs();
      Value canonical = restore(shown, type);
      Optional<OnnxFile> free = copies() == 1 ? Optional.of(file) : Surgery.freeBatch(file, input);
      GraphProto body = free.orElse(file).model().getGraph();
      Map<String, Value> answers =
          free.isPresent() ? inline(body, canonical) : loop(body, canonical);
      finish(answers, framed.pose());
      return OnnxFile.of(file.source() + " (wrapped)", assemble(body, free.isPresent()));
    }

    /** Images, and then the same with their columns in reverse order. */
    private Value withMirrors(Value y) {
      ModelInput.Images images = (ModelInput.Images) input;
      int w = images.width();
      long[] reversed = LongStream.range(0, w).map(j -> w - 1 - j).toArray();
      Value mirrored = y.gather(images.layout().columnAxis(), graph.longs(reversed, w));
      return graph.concat(0, y, mirrored);
    }

    /** Back to the input's type; bytes are rounded. */
    private Value restore(Value v, int type) {
      return input.spec().real() ? v.cast(type) : v.plus(0.5).floor().clip(0, 255).cast(type);
    }

    private static int type(List<ValueInfoProto> infos, String name) {
      return infos.stream()
          .filter(v -> v.getName().equals(name))
          .findFirst()
          .orElseThrow()
          .getType()
          .getTensorType()
          .getElemType();
    }

    /** The model's nodes after ours, once; what they give is known by new names. */
    private Map<String, Value> inline(GraphProto body, Value canonical) {
      Map<String, Value> answers = new LinkedHashMap<>();
      graph.nodes().addAll(Surgery.renamed(body.getNodeList(), inner(body, canonical, answers)));
      return answers;
    }

    /** The model as the body of a loop over the frames; answers are stacked one after another. */
    private Map<String, Value> loop(GraphProto body, Value canonical) {
      Value perFrame = perFrame(canonical, input.spec(), copies());
      Map<String, Value> answers = new LinkedHashMap<>();
      List<TypeProto> types =
          body.getOutputList().stream()
              .filter(out -> outputs.containsKey(out.getName()))
              .map(ValueInfoProto::getType)
              .toList();
      List<Value> stacked =
          graph.loop(
              graph.longs(new long[] {copies()}),
              i -> {
                Map<String, Value> turn = new LinkedHashMap<>();
                Value one = perFrame.gather(0, i);
                graph.nodes().addAll(Surgery.renamed(body.getNodeList(), inner(body, one, turn)));
                return new ArrayList<>(turn.values());
              },
              types);
      int k = 0;
      for (TensorSpec port : outputs.values()) {
        answers.put(port.name(), flat(stacked.get(k++), port));
      }
      return answers;
    }

    /** [K, N, …] to [K·N, …]. */
    private Value flat(Value v, TensorSpec port) {
      requireRows(port);
      Value rest = graph.longs(new long[] {-1}, 1);
      if (port.rank() == 1) {
        return v.reshape(rest);
      }
      long[] axes = LongStream.range(2, port.rank() + 1L).toArray();
      Value tail = v.shape().gather(0, graph.longs(axes, axes.length));
      return v.reshape(graph.concat(0, rest, tail));
    }

    private void requireRows(TensorSpec port) {
      int fixed = input.batch();
      if (port.rank() == 0 || (fixed > 0 && port.length(0) >= 0 && port.length(0) != fixed)) {
        throw new IllegalArgumentException(
            "frames: expected outputs with one row for each input, found " + port);
      }
    }

    /** New names inside the model: of its input, and of the answers that something is done with. */
    private Map<String, String> inner(
        GraphProto body, Value canonical, Map<String, Value> answers) {
      Map<String, String> names = new HashMap<>();
      names.put(input.spec().name(), canonical.name());
      for (ValueInfoProto out : body.getOutputList()) {
        if (copies() == 1
            ? equivariant.contains(out.getName())
            : outputs.containsKey(out.getName())) {
          String name = prefix + "own/" + out.getName();
          names.put(out.getName(), name);
          answers.put(
              out.getName(), graph.value(name, out.getType().getTensorType().getElemType()));
        }
      }
      return names;
    }

    /** Joins the frames, maps dense outputs back, and gives the results their names. */
    private void finish(Map<String, Value> answers, List<Value> pose) {
      if (copies() == 1) {
        answers.forEach((name, y) -> graph.name(back(name, y, pose), name));
        return;
      }
      answers.keySet().forEach(name -> requireRows(outputs.get(name)));
      if (mirrors) {
        answers.replaceAll(this::meanOfPair);
      }
      if (select == Pool.CONFIDENCE) {
        Value best = mostConfident(answers);
        List<Value> chosen =
            equivariant.isEmpty() ? List.of() : pose.stream().map(v -> v.gather(0, best)).toList();
        answers.forEach((name, y) -> graph.name(back(name, y.gather(0, best), chosen), name));
        return;
      }
      answers.forEach((name, y) -> graph.name(pooled(name, back(name, y, pose)), name));
    }

    /** [2·K·N, …] to [K·N, …]. */
    private Value meanOfPair(String name, Value y) {
      requireReal("mirrors", name);
      Value pair = split(y, outputs.get(name), 2, -1);
      return (logits(name) ? pair.softmax(2) : pair).reduce("ReduceMean", 0).pick(0, 0);
    }

    private Value back(String name, Value y, List<Value> pose) {
      return equivariant.contains(name) ? emitter.back(graph, y, outputs.get(name), pose) : y;
    }

    /** For each input the row, among K·N, of the frame whose largest probability is largest. */
    private Value mostConfident(Map<String, Value> answers) {
      TensorSpec port =
          scored
              .filter(p -> p.rank() == 2)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "frames: expected an output with one row of class scores for each input, found %s; name it, or select by mean or max"
                              .formatted(scores == null ? outputs.values() : outputs.get(scores))));
      Value rows = perFrame(answers.get(port.name()).cast(Graph.FLOAT), port, frames);
      boolean given = mirrors || !logits(port.name());
      Value probabilities = given ? rows : rows.softmax(2);
      Value frame = probabilities.reduce("ReduceMax", 2).argmax(0).reshape(-1);
      if (input.batch() > 0) {
        return frame.times(input.batch()).plus(graph.iota(input.batch()));
      }
      Value n = frame.shape().pick(0, 0);
      return frame.times(n).plus(graph.iota(n));
    }

    /** [K·N, …] to [K, N, …]. */
    private Value perFrame(Value y, TensorSpec port, int count) {
      return split(y, port, count, input.batch() > 0 ? input.batch() : -1);
    }

    /** [a·b, …] to [a, b, …]; one of the two may be -1, the other decides. */
    private Value split(Value y, TensorSpec port, long a, long b) {
      long[] axes = LongStream.range(1, port.rank()).toArray();
      Value lead = graph.longs(new long[] {a, b}, 2);
      return axes.length == 0
          ? y.reshape(lead)
          : y.reshape(graph.concat(0, lead, y.shape().gather(0, graph.longs(axes, axes.length))));
    }

    /** One answer from those of all frames, by the mean or the maximum. */
    private Value pooled(String name, Value y) {
      requireReal("select " + select, name);
      Value rows = perFrame(y, outputs.get(name), frames);
      if (select == Pool.MAX) {
        return rows.reduce("ReduceMax", 0).pick(0, 0);
      }
      return (logits(name) && !mirrors ? rows.softmax(2) : rows).reduce("ReduceMean", 0).pick(0, 0);
    }

    private void requireReal(String what, String name) {
      if (!outputs.get(name).real()) {
        throw new IllegalArgumentException(
            "%s: expected outputs of real numbers, found %s".formatted(what, outputs.get(name)));
      }
    }

    /** Whether the rows of an output are class scores that are not probabilities yet. */
    private boolean logits(String name) {
      return scored.filter(p -> p.rank() == 2 && p.name().equals(name)).isPresent()
          && !Probabilities.given(file, name);
    }

    private ModelProto assemble(GraphProto body, boolean inline) {
      GraphProto own = file.model().getGraph();
      GraphProto.Builder g =
          body.toBuilder()
              .clearNode()
              .addAllNode(graph.nodes())
              .clearInput()
              .addAllInput(own.getInputList().stream().map(this::sized).toList())
              .clearOutput()
              .addAllOutput(own.getOutputList());
      Set<String> given =
          own.getOutputList().stream().map(ValueInfoProto::getName).collect(Collectors.toSet());
      if (!inline || copies() > 1) {
        g.clearValueInfo();
      } else {
        for (int i = g.getValueInfoCount() - 1; i >= 0; i--) {
          if (given.contains(g.getValueInfo(i).getName())) {
            g.removeValueInfo(i);
          }
        }
      }
      ModelProto.Builder m = file.model().toBuilder().setGraph(g);
      Map<String, String> properties = new LinkedHashMap<>();
      file.metadata()
          .forEach(
              (k, v) ->
                  properties.put(k.startsWith(PROPERTY) ? k.replaceFirst(PROPERTY, INNER) : k, v));
      properties.putAll(properties());
      m.clearMetadataProps();
      properties.forEach(
          (k, v) -> m.addMetadataProps(StringStringEntryProto.newBuilder().setKey(k).setValue(v)));
      return m.build();
    }

    /** The input of images with the size that the mapping is made for. */
    private ValueInfoProto sized(ValueInfoProto v) {
      if (!(input instanceof ModelInput.Images p) || !v.getName().equals(p.spec().name())) {
        return v;
      }
      ValueInfoProto.Builder b = v.toBuilder();
      TensorShapeProto.Builder shape = b.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
      shape.getDimBuilder(p.layout().rowAxis()).setDimValue(p.height());
      shape.getDimBuilder(p.layout().columnAxis()).setDimValue(p.width());
      return b.build();
    }

    private Map<String, String> properties() {
      Map<String, String> p = new LinkedHashMap<>();
      p.put("version", Version.current());
      p.put("mapping", mapping.toString());
      p.put("group", mapping.action().group().name());
      Guarantee guarantee = mapping.guarantee();
      p.put(
          "guarantee",
          guarantee.level().name().toLowerCase(Locale.ROOT)
              + (guarantee.reason().isEmpty() ? "" : ": " + guarantee.reason()));
      p.put("input", input.toString());
      if (!preprocessing(input).isNone()) {
        p.put("preprocessing", preprocessing(input).toString());
      }
      if (copies() > 1) {
        String with = mirrors ? " with mirror images" : "";
        p.put("frames", "%d%s, select %s".formatted(frames, with, select));
      }
      if (!equivariant.isEmpty()) {
        p.put("equivariant", String.join(", ", equivariant));
      }
      Map<String, String> prefixed = new LinkedHashMap<>();
      p.forEach((k, v) -> prefixed.put(PROPERTY + k, v));
      return prefixed;
    }
  }

  /** Whether a score output holds probabilities, seen from the nodes that make it. */
  private static final class Probabilities {
    private static final Set<String> THROUGH =
        Set.of("Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Cast", "Dropout");

    private Probabilities() {}

    static boolean given(OnnxFile file, String output) {
      Map<String, NodeProto> makers = new HashMap<>();
      for (NodeProto n : file.model().getGraph().getNodeList()) {
        n.getOutputList().forEach(o -> makers.put(o, n));
      }
      NodeProto node = makers.get(output);
      while (node != null && THROUGH.contains(node.getOpType())) {
        node = makers.get(node.getInput(0));
      }
      return node != null && node.getOpType().equals("Softmax");
    }
  }
}
