package org.orbitmap.onnx.wrap;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.io.Version;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxRuntime;
import org.orbitmap.orbit.Guarantee;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.UprightMapping;

/**
 * Builds one wrapped model: the nodes of the mapping, the model's own nodes once or in a loop over
 * the frames, and the nodes that make one answer of those of all frames. Long because it has each
 * of the ways to do that.
 */
final class WrapBuild {
  /** What properties start with when a wrapped file is wrapped once more. */
  private static final String INNER = Wrap.PROPERTY + "inner.";

  /** More than any score. */
  private static final double NEVER = 1e30;

  /**
   * What is put together; see {@link Wrap} for the meaning of each.
   *
   * @param frames how many canonical poses are asked about, K
   */
  record Parts(
      OnnxFile file,
      ModelInput<?> input,
      OrbitMapping<?, ?> mapping,
      Emitter emitter,
      Preprocessing preprocessing,
      int frames,
      Pool select,
      boolean mirrors,
      Set<String> equivariant,
      String scores,
      OnnxRuntime runtime) {
    /** How often the model is asked for one input. */
    int copies() {
      return mirrors ? 2 * frames : frames;
    }
  }

  private final Parts parts;
  private final OnnxFile file;
  private final ModelInput<?> input;
  private final boolean mirrors;
  private final Set<String> equivariant;
  private final Graph graph;
  private final String prefix;
  private final Rows rows;
  private Optional<Value> weights = Optional.empty(); // of the frames, [K, N]

  /**
   * Prepares the work.
   *
   * @param rows what the model gives
   * @throws IllegalArgumentException if that does not fit the parts
   */
  WrapBuild(Parts parts, Rows rows) {
    this.parts = parts;
    this.file = parts.file();
    this.input = parts.input();
    this.mirrors = parts.mirrors();
    this.equivariant = parts.equivariant();
    this.prefix = freePrefix();
    this.graph = new Graph(file.opset(), prefix);
    this.rows = rows;
    for (String name : equivariant) {
      if (!rows.has(name)) {
        throw new IllegalArgumentException(
            "equivariant: expected one of the outputs %s, found \"%s\""
                .formatted(rows.all().stream().map(TensorSpec::name).toList(), name));
      }
    }
    if (mirrors && !(input instanceof ModelInput.Images)) {
      throw new IllegalArgumentException("mirrors: expected a model of images, found " + input);
    }
    boolean weighted =
        parts.mapping() instanceof UprightMapping || parts.mapping() instanceof CloudUprightMapping;
    if (weighted && parts.select() == Pool.MAX) {
      throw new IllegalArgumentException(
          "select: expected the poses of an upright mapping by confidence or mean, found max");
    }
    if (mirrors && !equivariant.isEmpty()) {
      throw new IllegalArgumentException(
          "mirrors: expected no output that moves with the input, found " + equivariant);
    }
  }

  /** A prefix that no name in the model starts with, so that a wrapped model can be wrapped. */
  private String freePrefix() {
    Set<String> taken = new HashSet<>();
    for (String name : Surgery.names(file.model().getGraph())) {
      taken.add(name.substring(0, name.indexOf('/') + 1));
    }
    for (int i = 1; ; i++) {
      String p = i == 1 ? "orbit/" : "orbit" + i + "/";
      if (!taken.contains(p)) {
        return p;
      }
    }
  }

  OnnxFile build() throws IOException {
    GraphProto own = file.model().getGraph();
    int type = type(own.getInputList(), input.spec().name());
    Value x = graph.value(input.spec().name(), type);
    Value batch = input.batched() ? x : x.reshape(input.spec().asRow().lengths());
    Emitter.Framed framed = parts.emitter().emit(graph, batch.cast(Graph.FLOAT));
    Value shown = mirrors ? withMirrors(framed.inputs()) : framed.inputs();
    Value canonical = restore(shown, type);
    Optional<OnnxFile> free =
        parts.copies() == 1
            ? Optional.of(file)
            : rows.someAlone() ? Optional.empty() : Surgery.freeBatch(file, input, parts.runtime());
    GraphProto body = free.orElse(file).model().getGraph();
    Map<String, Value> answers = free.isPresent() ? inline(body, canonical) : loop(body, canonical);
    weights = framed.weights();
    finish(answers, framed);
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
    Value taken = input.batched() ? canonical : canonical.pick(0, 0);
    graph.nodes().addAll(Surgery.renamed(body.getNodeList(), inner(body, taken, answers)));
    answers.replaceAll((name, y) -> rows.alone(name) ? asRow(y) : y);
    return answers;
  }

  /** The same behind an axis of length 1. */
  private Value asRow(Value y) {
    return y.reshape(graph.concat(0, graph.longs(new long[] {1}, 1), y.shape()));
  }

  /** The model as the body of a loop over the frames; answers are stacked one after another. */
  private Map<String, Value> loop(GraphProto body, Value canonical) {
    int axes = input.batched() ? input.spec().rank() : input.spec().rank() + 1;
    Value perFrame = perFrame(canonical, axes, parts.copies());
    Map<String, Value> answers = new LinkedHashMap<>();
    List<TypeProto> types =
        body.getOutputList().stream()
            .filter(out -> rows.has(out.getName()))
            .map(ValueInfoProto::getType)
            .toList();
    List<Value> stacked =
        graph.loop(
            graph.longs(new long[] {parts.copies()}),
            i -> {
              Map<String, Value> frame = new LinkedHashMap<>();
              Value taken = perFrame.gather(0, i);
              Value one = input.batched() ? taken : taken.pick(0, 0);
              graph.nodes().addAll(Surgery.renamed(body.getNodeList(), inner(body, one, frame)));
              return new ArrayList<>(frame.values());
            },
            types);
    int k = 0;
    for (TensorSpec port : rows.all()) {
      Value all = stacked.get(k++);
      answers.put(port.name(), rows.alone(port.name()) ? all : flat(all, port));
    }
    return answers;
  }

  /** [K, N, …] to [K·N, …]. */
  private Value flat(Value v, TensorSpec port) {
    rows.requirePerInput(port);
    Value rest = graph.longs(new long[] {-1}, 1);
    if (port.rank() == 1) {
      return v.reshape(rest);
    }
    long[] axes = LongStream.range(2, port.rank() + 1L).toArray();
    Value tail = v.shape().gather(0, graph.longs(axes, axes.length));
    return v.reshape(graph.concat(0, rest, tail));
  }

  /** New names inside the model: of its input, and of the answers that something is done with. */
  private Map<String, String> inner(GraphProto body, Value canonical, Map<String, Value> answers) {
    Map<String, String> names = new HashMap<>();
    names.put(input.spec().name(), canonical.name());
    for (ValueInfoProto out : body.getOutputList()) {
      boolean changed = equivariant.contains(out.getName()) || rows.perInputScores(out.getName());
      if (parts.copies() == 1 ? changed : rows.has(out.getName())) {
        String name = prefix + "own/" + out.getName();
        names.put(out.getName(), name);
        answers.put(out.getName(), graph.value(name, out.getType().getTensorType().getElemType()));
      }
    }
    return names;
  }

  /** Joins the frames, maps dense outputs back, and gives the results their names. */
  private void finish(Map<String, Value> answers, Emitter.Framed framed) {
    List<Value> pose = framed.pose();
    Value doubt = framed.doubt();
    if (parts.copies() == 1) {
      answers.forEach((name, y) -> name(back(name, y, pose), name, doubt));
      return;
    }
    answers.keySet().forEach(name -> rows.requirePerInput(rows.get(name)));
    if (mirrors) {
      answers.replaceAll(this::meanOfPair);
    }
    if (parts.select() == Pool.CONFIDENCE) {
      Value best = mostConfident(answers);
      List<Value> chosen =
          equivariant.isEmpty() ? List.of() : pose.stream().map(v -> v.gather(0, best)).toList();
      answers.forEach((name, y) -> name(back(name, y.gather(0, best), chosen), name, doubt));
      return;
    }
    answers.forEach((name, y) -> name(pooled(name, back(name, y, pose)), name, doubt));
  }

  /**
   * Gives a result its name, without the axis of the batch where the model has none. What the core
   * refuses has no answer: scores of inputs that are not finite become NaN. The model alone cannot
   * be trusted with that, as many runtimes take the maximum of NaN and 0 for 0.
   */
  private void name(Value y, String name, Value doubt) {
    Value result = y;
    if (rows.perInputScores(name)) {
      long[] shape = new long[rows.get(name).rank()];
      Arrays.fill(shape, 1);
      shape[0] = -1;
      result = y.plus(doubt.cast(y.type()).reshape(shape));
    }
    graph.name(rows.alone(name) ? result.pick(0, 0) : result, name);
  }

  /** [2·K·N, …] to [K·N, …]. */
  private Value meanOfPair(String name, Value y) {
    rows.requireReal("mirrors", name);
    Value pair = split(y, rows.get(name).rank(), 2, -1);
    return (rows.isLogits(name) ? probabilities(name, pair) : pair)
        .reduce("ReduceMean", 0)
        .pick(0, 0);
  }

  /** Class scores of an output, behind one more axis, as probabilities. */
  private Value probabilities(String name, Value scores) {
    return rows.isBinary(name) ? scores.sigmoid() : scores.softmax(1 + rows.get(name).classAxis());
  }

  private Value back(String name, Value y, List<Value> pose) {
    return equivariant.contains(name) ? parts.emitter().back(graph, y, rows.get(name), pose) : y;
  }

  /** For each input the row, among K·N, of the most confident frame, as in {@link Frames}. */
  private Value mostConfident(Map<String, Value> answers) {
    TensorSpec port =
        rows.scores()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "frames: expected an output with one row of class scores for each input, found %s; name it, or select by mean or max"
                            .formatted(
                                parts.scores() == null ? rows.all() : rows.get(parts.scores()))));
    Value all = answers.get(port.name()).cast(Graph.FLOAT);
    Value scores = perFrame(port.rank() == 2 ? all : all.reshape(flat(port)), 2, parts.frames());
    boolean given = mirrors || !rows.isLogits(port.name());
    if (rows.isBinary(port.name())) {
      Value other = given ? scores.negate().plus(1) : scores.times(0);
      scores = graph.concat(2, other, scores);
    }
    int classes = rows.isBinary(port.name()) ? 2 : port.length(port.classAxis());
    Value odds = logOdds(given ? scores.clip(Float.MIN_NORMAL, 1).log() : scores, classes);
    if (weights.isPresent()) {
      Value share = weights.get().clip(Float.MIN_NORMAL, 1).log();
      odds = odds.plus(share.reshape(parts.frames(), -1, 1));
    }
    Value frame = odds.argmax(0).reshape(-1);
    if (input.batch() > 0) {
      return frame.times(input.batch()).plus(graph.iota(input.batch()));
    }
    Value n = frame.shape().pick(0, 0);
    return frame.times(n).plus(graph.iota(n));
  }

  /**
   * Of log-probabilities or logits s [K, N, C]: s of the best class less log Σ exp s of the rest.
   *
   * @param count C, or -1 if it is known only when the graph runs
   */
  private Value logOdds(Value s, int count) {
    AttributeProto[] last = {Graph.integer("axis", 2), Graph.integer("keepdims", 1)};
    Value best = graph.op("ArgMax", Graph.INT64, List.of(s), last);
    Value classes = count > 0 ? graph.iota(count) : graph.iota(s.shape().pick(0, 2));
    Value isBest = graph.op("Equal", Graph.BOOL, List.of(classes, best)).cast(Graph.FLOAT);
    Value rest = s.minus(isBest.times(NEVER));
    Value second = rest.reduce("ReduceMax", 2);
    Value sum = rest.minus(second).exp().reduce("ReduceSum", 2);
    return s.reduce("ReduceMax", 2).minus(second).minus(sum.log());
  }

  /** The shape with all axes but the first as one. */
  private static long[] flat(TensorSpec port) {
    return port.rank() == 1 ? new long[] {-1, 1} : new long[] {0, -1};
  }

  /** [K·N, …] to [K, N, …]. */
  private Value perFrame(Value y, int rank, int count) {
    return split(y, rank, count, input.batch() > 0 ? input.batch() : -1);
  }

  /** [a·b, …] to [a, b, …]; one of the two may be -1, the other decides. */
  private Value split(Value y, int rank, long a, long b) {
    long[] axes = LongStream.range(1, rank).toArray();
    Value lead = graph.longs(new long[] {a, b}, 2);
    return axes.length == 0
        ? y.reshape(lead)
        : y.reshape(graph.concat(0, lead, y.shape().gather(0, graph.longs(axes, axes.length))));
  }

  /** One answer from those of all frames, by the mean or the maximum. */
  private Value pooled(String name, Value y) {
    rows.requireReal("select " + parts.select(), name);
    Value frames = perFrame(y, rows.get(name).rank(), parts.frames());
    if (parts.select() == Pool.MAX) {
      if (rows.isBinary(name)) {
        throw new IllegalArgumentException(
            "select max: expected a score for each class, found one number for two classes in %s; select by confidence or mean"
                .formatted(rows.get(name)));
      }
      return frames.reduce("ReduceMax", 0).pick(0, 0);
    }
    Value known = rows.isLogits(name) && !mirrors ? probabilities(name, frames) : frames;
    if (weights.isEmpty()) {
      return known.reduce("ReduceMean", 0).pick(0, 0);
    }
    long[] broadcast = LongStream.generate(() -> 1).limit(rows.get(name).rank() + 1L).toArray();
    broadcast[0] = parts.frames();
    broadcast[1] = -1;
    Value share = weights.get().reshape(broadcast).cast(known.type());
    return known.times(share).reduce("ReduceSum", 0).pick(0, 0);
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
    if (!inline || parts.copies() > 1) {
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
                properties.put(
                    k.startsWith(Wrap.PROPERTY) ? k.replaceFirst(Wrap.PROPERTY, INNER) : k, v));
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
    shape.getDimBuilder(p.rowAxis()).setDimValue(p.height());
    shape.getDimBuilder(p.columnAxis()).setDimValue(p.width());
    return b.build();
  }

  private Map<String, String> properties() {
    Map<String, String> p = new LinkedHashMap<>();
    p.put("version", Version.current());
    p.put("mapping", parts.mapping().toString());
    p.put("group", parts.mapping().action().group().name());
    Guarantee guarantee = parts.mapping().guarantee();
    p.put(
        "guarantee",
        guarantee.level().name().toLowerCase(Locale.ROOT)
            + (guarantee.reason().isEmpty() ? "" : ": " + guarantee.reason()));
    p.put("input", input.toString());
    if (!parts.preprocessing().isNone()) {
      p.put("preprocessing", parts.preprocessing().toString());
    }
    if (parts.copies() > 1) {
      String with = mirrors ? " with mirror images" : "";
      p.put("frames", "%d%s, select %s".formatted(parts.frames(), with, parts.select()));
    }
    p.put("cost", Integer.toString(Math.multiplyExact(parts.copies(), file.cost())));
    boolean averaged = mirrors || (parts.copies() > 1 && parts.select() == Pool.MEAN);
    rows.scores()
        .map(TensorSpec::name)
        .filter(name -> averaged || file.givesProbabilities(name))
        .ifPresent(name -> p.put("probabilities", name));
    if (!equivariant.isEmpty()) {
      p.put("equivariant", String.join(", ", equivariant));
    }
    Map<String, String> prefixed = new LinkedHashMap<>();
    p.forEach((k, v) -> prefixed.put(Wrap.PROPERTY + k, v));
    return prefixed;
  }
}
