package org.orbitmap.onnx.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;

/**
 * An ONNX model read from a file and checked: it parses, it has a graph, and every value that a
 * node or an output needs is defined. Initialisers that are stored in files beside the model have
 * been read in.
 */
public final class OnnxFile {
  /** What the properties that a wrapped file carries start with. */
  public static final String PROPERTY = "orbit.";

  /** The property with the number of times that the model inside is asked for one input. */
  public static final String COST = PROPERTY + "cost";

  /** The property that names an output whose numbers are probabilities. */
  public static final String PROBABILITIES = PROPERTY + "probabilities";

  /** Nodes that leave probabilities what they are. */
  private static final Set<String> THROUGH =
      Set.of("Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Cast", "Dropout");

  /** What a serialised model may hold: the limit of the protobuf format. */
  static final long LIMIT = Integer.MAX_VALUE;

  private final String source;
  private final ModelProto model;
  private final Set<Path> parts;

  private OnnxFile(String source, ModelProto model, Set<Path> parts) {
    this.source = source;
    this.model = model;
    this.parts = Set.copyOf(parts);
  }

  /**
   * Reads and checks a model.
   *
   * @throws IOException if the file cannot be read, is no whole ONNX model, or is above 2 GB
   */
  public static OnnxFile read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException(file + ": expected an ONNX model, found nothing there");
    }
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": expected an ONNX model, found a folder");
    }
    long size = Files.size(file);
    if (size > LIMIT) {
      throw tooLarge(file.toString(), size);
    }
    Path folder = file.toAbsolutePath().getParent();
    OnnxFile read = of(file.toString(), parse(file.toString(), Files.readAllBytes(file)), folder);
    Set<Path> all = new HashSet<>(read.parts);
    all.add(file);
    return new OnnxFile(read.source, read.model, all);
  }

  private static ModelProto parse(String source, byte[] content) throws IOException {
    try {
      return ModelProto.parseFrom(content);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(
          "%s: expected an ONNX model, found %d bytes that are none or were cut off (%s)"
              .formatted(source, content.length, e.getMessage()));
    }
  }

  /**
   * Reads and checks a model that is in memory, whole in itself.
   *
   * @param source what to call it in messages
   * @throws IOException if the bytes are no whole ONNX model
   */
  public static OnnxFile decode(String source, byte[] content) throws IOException {
    return of(source, parse(source, content), null);
  }

  /** A model built here, checked like one that was read. */
  public static OnnxFile of(String source, ModelProto model) throws IOException {
    return of(source, model, null);
  }

  private static OnnxFile of(String source, ModelProto model, Path folder) throws IOException {
    Externals externals = new Externals(source, folder);
    OnnxFile file = new OnnxFile(source, externals.inline(model), externals.files(model));
    file.check();
    return file;
  }

  private static TensorSpec spec(ValueInfoProto v) {
    if (!v.getType().hasTensorType()) {
      return new TensorSpec(v.getName(), "other", List.of());
    }
    int type = v.getType().getTensorType().getElemType();
    TensorProto.DataType known = TensorProto.DataType.forNumber(type);
    return new TensorSpec(
        v.getName(),
        known == null ? "type " + type : known.name().toLowerCase(Locale.ROOT),
        v.getType().getTensorType().getShape().getDimList().stream()
            .map(OnnxFile::dimension)
            .toList());
  }

  private static TensorSpec.Dimension dimension(TensorShapeProto.Dimension d) {
    return d.hasDimValue() && d.getDimValue() >= 0
        ? new TensorSpec.Dimension(d.getDimValue(), "")
        : new TensorSpec.Dimension(-1, d.getDimParam());
  }

  /**
   * What the model takes: images or point clouds.
   *
   * @throws IllegalArgumentException if it takes neither, or leaves open what a hint could tell
   */
  public ModelInput<?> input(ModelInput.Hints hints) {
    return ModelInput.of(this, inputs(), hints);
  }

  /**
   * Checks that the model can be run with one of its inputs alone.
   *
   * @throws IllegalArgumentException if others have to be fed as well
   */
  public void requireOnly(ModelInput<?> input) {
    List<TensorSpec> further =
        inputs().stream().filter(p -> !p.name().equals(input.spec().name())).toList();
    if (!further.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: expected one input, \"%s\", found %d more that have to be fed: %s; give each of them a constant"
              .formatted(this, input.spec().name(), further.size(), further));
    }
  }

  /**
   * The same model with a constant in place of an input.
   *
   * @param values one for each element, or one for all; a free axis gets length 1
   * @throws IllegalArgumentException if there is no such input, or the values do not fit
   */
  public OnnxFile with(String input, double... values) {
    TensorSpec spec =
        inputs().stream()
            .filter(p -> p.name().equals(input))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s: expected an input among %s, found \"%s\""
                            .formatted(this, inputs(), input)));
    ModelProto.Builder changed = model.toBuilder();
    GraphProto.Builder graph = changed.getGraphBuilder();
    List<ValueInfoProto> others =
        graph.getInputList().stream().filter(v -> !v.getName().equals(input)).toList();
    graph.clearInput().addAllInput(others).addNode(0, Constants.of(spec, values));
    return new OnnxFile(source, changed.build(), parts);
  }

  /** How often the model inside is asked for one input; 1 for what was not wrapped. */
  public int cost() {
    return Integer.parseInt(metadata().getOrDefault(COST, "1"));
  }

  /**
   * Whether an output holds probabilities, seen from the nodes that make it, or from what was
   * written when the model was wrapped.
   */
  public boolean givesProbabilities(String output) {
    if (output.equals(metadata().get(PROBABILITIES))) {
      return true;
    }
    Map<String, NodeProto> makers = new HashMap<>();
    for (NodeProto n : model.getGraph().getNodeList()) {
      n.getOutputList().forEach(o -> makers.put(o, n));
    }
    NodeProto node = makers.get(output);
    int left = makers.size(); // a file may go in circles
    while (node != null && THROUGH.contains(node.getOpType()) && left-- > 0) {
      node = node.getInputCount() == 0 ? null : makers.get(node.getInput(0));
    }
    return node != null && Set.of("Softmax", "Sigmoid").contains(node.getOpType());
  }

  static IOException tooLarge(String source, long size) {
    return new IOException(
        "%s: expected a model of at most 2 GB with its initialisers (the limit of the format when a model is one file), found %.2f GB"
            .formatted(source, size / 1e9));
  }

  private void check() throws IOException {
    GraphProto graph = model.getGraph();
    if (!model.hasGraph() || model.getIrVersion() <= 0 || graph.getOutputCount() == 0) {
      throw new IOException(
          "%s: expected an ONNX model, found one without %s"
              .formatted(
                  source,
                  !model.hasGraph()
                      ? "a graph"
                      : graph.getOutputCount() == 0
                          ? "outputs (a truncated file?)"
                          : "a version of the format"));
    }
    if (model.getOpsetImportList().stream().noneMatch(OnnxFile::standard)) {
      throw new IOException(
          source
              + ": expected an ONNX model that names its opset of standard operators, found none (a truncated file?)");
    }
    if (model.getSerializedSize() < 0) {
      throw tooLarge(source, Integer.toUnsignedLong(model.getSerializedSize()));
    }
    Names known = new Names();
    scope(graph, known);
    for (ValueInfoProto out : graph.getOutputList()) {
      if (!known.has(out.getName())) {
        throw new IOException(
            "%s: expected a node that gives output \"%s\", found none (a truncated file?)"
                .formatted(source, out.getName()));
      }
    }
  }

  /**
   * Adds the names that a graph defines; checks that each node's inputs are among them. Names of
   * graphs inside are known there only. Linear in the size of the graph.
   */
  private void scope(GraphProto graph, Names known) throws IOException {
    graph.getInputList().forEach(v -> known.add(v.getName()));
    graph.getInitializerList().forEach(t -> known.add(t.getName()));
    graph.getSparseInitializerList().forEach(t -> known.add(t.getValues().getName()));
    for (NodeProto node : graph.getNodeList()) {
      for (String input : node.getInputList()) {
        if (!input.isEmpty() && !known.has(input)) {
          throw new IOException(
              "%s: expected a value \"%s\" before node \"%s\" (%s) needs it, found none (a truncated file?)"
                  .formatted(source, input, node.getName(), node.getOpType()));
        }
      }
      for (AttributeProto a : node.getAttributeList()) {
        if (a.hasG()) {
          inside(a.getG(), known);
        }
        for (GraphProto g : a.getGraphsList()) {
          inside(g, known);
        }
      }
      node.getOutputList().forEach(known::add);
    }
  }

  private void inside(GraphProto graph, Names known) throws IOException {
    int before = known.mark();
    scope(graph, known);
    known.back(before);
  }

  /** Names that are known at a place in the graph, in the order in which they were added. */
  private static final class Names {
    private final Set<String> all = new HashSet<>();
    private final List<String> added = new ArrayList<>();

    boolean has(String name) {
      return all.contains(name);
    }

    void add(String name) {
      if (all.add(name)) {
        added.add(name);
      }
    }

    int mark() {
      return added.size();
    }

    /** Forgets what was added since. */
    void back(int mark) {
      List<String> since = added.subList(mark, added.size());
      since.forEach(all::remove);
      since.clear();
    }
  }

  private static boolean standard(OperatorSetIdProto o) {
    return o.getDomain().isEmpty() || o.getDomain().equals("ai.onnx");
  }

  /** The files that the model was read from: its own, and those that hold initialisers. */
  public Set<Path> parts() {
    return parts;
  }

  /** Where the model came from, for messages. */
  public String source() {
    return source;
  }

  public ModelProto model() {
    return model;
  }

  /** The opset of the standard operators. */
  public int opset() {
    return (int)
        model.getOpsetImportList().stream()
            .filter(OnnxFile::standard)
            .mapToLong(OperatorSetIdProto::getVersion)
            .max()
            .orElseThrow();
  }

  /** The version of the file format. */
  public long irVersion() {
    return model.getIrVersion();
  }

  /** The program that wrote the model; may be empty. */
  public String producer() {
    return (model.getProducerName() + " " + model.getProducerVersion()).strip();
  }

  /** All operator sets in use, by domain; the standard operators' domain is {@code ai.onnx}. */
  public Map<String, Long> opsets() {
    Map<String, Long> all = new TreeMap<>();
    model
        .getOpsetImportList()
        .forEach(o -> all.put(standard(o) ? "ai.onnx" : o.getDomain(), o.getVersion()));
    return all;
  }

  /** What has to be fed: the inputs that no initialiser gives a value. */
  public List<TensorSpec> inputs() {
    Set<String> given =
        model.getGraph().getInitializerList().stream()
            .map(TensorProto::getName)
            .collect(Collectors.toSet());
    return model.getGraph().getInputList().stream()
        .filter(v -> !given.contains(v.getName()))
        .map(OnnxFile::spec)
        .toList();
  }

  /** What the model gives. */
  public List<TensorSpec> outputs() {
    return model.getGraph().getOutputList().stream().map(OnnxFile::spec).toList();
  }

  /** How often each operator occurs in the graph. */
  public Map<String, Long> operators() {
    return model.getGraph().getNodeList().stream()
        .collect(Collectors.groupingBy(NodeProto::getOpType, TreeMap::new, Collectors.counting()));
  }

  /** The number of parameters: elements of floating-point initialisers. */
  public long parameters() {
    return model.getGraph().getInitializerList().stream()
        .filter(t -> t.getDataType() != Graph.INT64)
        .mapToLong(
            t -> t.getDimsList().stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b))
        .sum();
  }

  /**
   * The properties written in the file, in its order; what {@code orbit wrap} did is among them.
   */
  public Map<String, String> metadata() {
    Map<String, String> all = new LinkedHashMap<>();
    for (StringStringEntryProto e : model.getMetadataPropsList()) {
      all.put(e.getKey(), e.getValue());
    }
    return all;
  }

  /** The model as the bytes of one self-contained file. */
  public byte[] bytes() {
    return model.toByteArray();
  }

  /**
   * Writes one self-contained file. The write is atomic: the file is there whole or not at all.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    byte[] whole = bytes();
    AtomicFiles.write(file, out -> out.write(whole));
  }

  @Override
  public String toString() {
    return source;
  }
}
