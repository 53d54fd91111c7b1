package org.orbitmap.nn.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.eval.Classifier;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Operations;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.layer.BatchFrames;
import org.orbitmap.nn.layer.BatchMapping;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.nn.layer.Weights;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.Fitted;
import org.orbitmap.upright.UprightMapping;

/**
 * A classifier: orbit mapping, normalisation, network. It takes raw inputs (images with samples in
 * [0, 1], clouds as they are); the mapping works on them before they are normalised.
 *
 * @param <X> the inputs
 */
public final class Model<X> implements Classifier<X> {
  private static final ObjectMapper JSON = Documents.json();
  private static final int BATCH = 250;
  private static final String KEY = "model";
  private static final String UPRIGHT = "upright";

  /** What the names of the tensors of an upright mapping start with. */
  private static final String MAPPING = "mapping.";

  private final Description description;
  private final InputShape<X> input;
  private final Weights weights;
  private final OrbitMapping<?, X> mapping;
  private final BatchMapping batches;
  private final BatchFrames frames; // null for one

  /**
   * Everything about a model but its weights.
   *
   * @param architecture the network and the inputs
   * @param classes the names of the outputs
   * @param mean of each channel, subtracted from the inputs; empty for inputs that stay as they are
   * @param std of each channel, by which they are then divided; likewise
   * @param mapping orbit mapping in front of all that
   */
  public record Description(
      Architecture architecture,
      List<String> classes,
      float[] mean,
      float[] std,
      MappingConfig mapping) {
    public Description {
      classes = List.copyOf(classes);
      int channels = mean.length == 0 ? 0 : architecture.input().axes()[0];
      if (classes.size() != architecture.classes()
          || mean.length != channels
          || std.length != channels) {
        throw new IllegalArgumentException(
            "model: expected %d classes and %d means and deviations, found %d, %d and %d"
                .formatted(
                    architecture.classes(), channels, classes.size(), mean.length, std.length));
      }
    }

    /** What the model takes. */
    public InputShape<?> input() {
      return architecture.input();
    }
  }

  /** How a description is written. */
  private record Written(
      String network,
      double widthFactor,
      boolean tiPooling,
      Map<String, String> options,
      String kind,
      int[] axes,
      List<String> classes,
      float[] mean,
      float[] std,
      MappingConfig mapping) {
    static Written of(Description d) {
      Architecture a = d.architecture();
      return new Written(
          a.network().name(),
          a.widthFactor(),
          a.tiPooling(),
          a.options(),
          a.input().kind(),
          a.input().axes(),
          d.classes(),
          d.mean(),
          d.std(),
          d.mapping());
    }

    Description description() {
      Architecture a =
          new Architecture(
              Networks.named(network),
              widthFactor,
              tiPooling,
              options,
              InputShape.of(kind, axes),
              classes.size());
      return new Description(a, classes, mean, std, mapping);
    }
  }

  /**
   * A model.
   *
   * @param fitted the numbers of an upright mapping; null if it has none, or they are in its file
   */
  private Model(Description description, Weights weights, Fitted fitted) {
    this.description = description;
    @SuppressWarnings("unchecked") // whoever asks for inputs of this type has looked: see of, load
    InputShape<X> shape = (InputShape<X>) description.input();
    input = shape;
    this.weights = weights;
    if (fitted != null && !fitted.kind().equals(input.kind())) {
      throw new IllegalArgumentException(
          "upright mapping: expected one of %s, found one of %s"
              .formatted(input.kind(), fitted.kind()));
    }
    @SuppressWarnings("unchecked") // it is of the same kind of inputs
    OrbitMapping<?, X> given =
        fitted == null
            ? null
            : (OrbitMapping<?, X>) fitted.mapping(description.mapping().resampling());
    mapping =
        given != null
            ? given
            : description.mapping().used() ? description.mapping().mapping(input) : null;
    MappingConfig how = description.mapping();
    batches = how.used() ? BatchMapping.of(mapping, input) : null;
    frames = how.used() && how.frames() > 1 ? BatchFrames.of(mapping, input, how.frames()) : null;
  }

  /** A model with random weights that depend on the seed alone. */
  public static Model<?> of(Description description, long seed) {
    return of(description, seed, null);
  }

  /**
   * The same with the numbers of its upright mapping given instead of read from the file that the
   * description names.
   *
   * @param fitted null to read them, or if it has no such mapping
   */
  public static Model<?> of(Description description, long seed, Fitted fitted) {
    return new Model<>(
        description, new Weights(description.architecture().declare().parameters(), seed), fitted);
  }

  /** Everything but the weights. */
  public Description description() {
    return description;
  }

  /** What the model takes. */
  public InputShape<X> input() {
    return input;
  }

  /** The mapping in front of the network, if it has one. */
  public OrbitMapping<?, X> mapping() {
    return mapping != null ? mapping : description.mapping().mapping(input);
  }

  /** The numbers of its upright mapping, if it has one. */
  public Optional<Fitted> fitted() {
    return mapping instanceof UprightMapping<?> m
        ? Optional.of(m.fitted())
        : mapping instanceof CloudUprightMapping m ? Optional.of(m.fitted()) : Optional.empty();
  }

  /**
   * The same model as one of these inputs.
   *
   * @throws IllegalArgumentException if it takes others
   */
  public <Y> Model<Y> taking(InputShape<Y> shape) {
    if (!input.equals(shape)) {
      throw new IllegalArgumentException("model: expected %s, found %s".formatted(input, shape));
    }
    @SuppressWarnings("unchecked") // equal shapes have the same type of inputs
    Model<Y> same = (Model<Y>) this;
    return same;
  }

  /** The same weights behind another mapping; nothing is copied. */
  public Model<X> with(MappingConfig other) {
    return new Model<>(
        new Description(
            description.architecture,
            description.classes,
            description.mean,
            description.std,
            other),
        weights,
        other.rule().equals(description.mapping.rule()) ? fitted().orElse(null) : null);
  }

  /** The numbers of the network. */
  public Weights weights() {
    return weights;
  }

  /** Copies of all weights and running statistics, by name. */
  public Map<String, FloatTensor> tensors() {
    return weights.snapshot();
  }

  /** The number of trainable parameters. */
  public long parameters() {
    return weights.count();
  }

  /** What follows the mapping, in any operations: normalisation and network, to class scores. */
  public <T> T afterMapping(Operations<T> ops, T x) {
    int c = description.mean.length;
    T normal = x;
    if (c > 0) {
      normal = ops.subtract(normal, ops.constant(description.mean, c, 1, 1));
      normal = ops.divide(normal, ops.constant(description.std, c, 1, 1));
    }
    return description.architecture.scores(ops, normal);
  }

  /**
   * The class scores of a batch of raw inputs when predicting; with several frames the logarithm of
   * the mean of their probabilities, by the weights of the frames.
   *
   * @param x (n, axes of an input)
   */
  public Tensor logits(Tensor x) {
    if (frames == null) {
      Tensor canonical = batches == null ? x : batches.map(x);
      return afterMapping(TorchOperations.inference(weights), TorchOperations.arranged(canonical));
    }
    BatchFrames.Framed framed = frames.of(x);
    Tensor sum = null;
    for (long k = 0; k < framed.count(); k++) { // one after the other: memory
      Tensor frame = TorchOperations.arranged(framed.inputs().select(0, k));
      Tensor scores = afterMapping(TorchOperations.inference(weights), frame);
      Tensor p = torch.softmax(scores, 1).mul(framed.weights().select(0, k).unsqueeze(1));
      sum = sum == null ? p : sum.add(p);
    }
    return torch.log(sum.clamp_min(new Scalar(Float.MIN_NORMAL)));
  }

  /**
   * The class scores of a batch of raw inputs in training, with what the network adds to the loss.
   *
   * @param random for dropout, and for the frame of each input if one is drawn
   */
  public Forward train(Tensor x, RandomGenerator random) {
    TorchOperations ops = TorchOperations.training(weights, random);
    boolean mapped = description.mapping().trained();
    if (mapped && frames != null) {
      BatchFrames.Framed framed = frames.inTraining(x, random);
      return new Forward(pooled(ops, framed), ops.penalties());
    }
    Tensor canonical = mapped ? batches.map(x) : x;
    return new Forward(afterMapping(ops, TorchOperations.arranged(canonical)), ops.penalties());
  }

  /** The logarithm of the mean of the probabilities of all frames, which are one batch. */
  private Tensor pooled(TorchOperations ops, BatchFrames.Framed framed) {
    Tensor all = afterMapping(ops, TorchOperations.arranged(framed.inputs().flatten(0, 1)));
    if (framed.count() == 1) {
      return all;
    }
    Tensor logs = torch.log_softmax(all, 1).reshape(framed.count(), -1, all.size(1));
    Tensor shares =
        torch.log(framed.weights().clamp_min(new Scalar(Float.MIN_NORMAL))).unsqueeze(2);
    return torch.logsumexp(logs.add(shares), 0);
  }

  /**
   * What a pass in training gives.
   *
   * @param logits the class scores
   * @param penalties terms that the network adds to the loss
   */
  public record Forward(Tensor logits, List<Tensor> penalties) {}

  /**
   * Class probabilities.
   *
   * @throws UserError if the network gives none, as with weights that are not finite
   */
  @Override
  public float[][] scores(List<? extends X> batch) {
    int classes = description.classes.size();
    float[][] rows = new float[batch.size()][];
    for (int start = 0; start < batch.size(); start += BATCH) {
      int n = Math.min(BATCH, batch.size() - start);
      float[] numbers = input.pack("model", batch.subList(start, start + n));
      float[] p =
          NativeScope.inference(
              () -> Tensors.toArray(torch.softmax(logits(Tensors.of(numbers, input.batch(n))), 1)));
      for (int i = 0; i < n; i++) {
        rows[start + i] = Arrays.copyOfRange(p, i * classes, (i + 1) * classes);
        if (!Float.isFinite(p[i * classes])) { // with softmax, all of a row or none
          throw UserError.expected(
              "model", "probabilities", p[i * classes], "Train it again, or look at the input");
        }
      }
    }
    return rows;
  }

  /** Writes the model: one safetensors file that needs nothing else. */
  public void save(Path file, Map<String, FloatTensor> values, Map<String, String> provenance)
      throws IOException {
    Map<String, String> metadata = new TreeMap<>(provenance);
    metadata.put(KEY, JSON.writeValueAsString(Written.of(description)));
    Map<String, FloatTensor> all = new LinkedHashMap<>(values);
    if (fitted().isPresent()) {
      metadata.put(UPRIGHT, JSON.writeValueAsString(UprightFile.metadata(fitted().get())));
      UprightFile.tensors(fitted().get()).forEach((name, t) -> all.put(MAPPING + name, t));
    }
    new Safetensors(metadata, all).write(file);
  }

  /** Reads a model. */
  public static Model<?> load(Path file) throws IOException {
    Engine.load(); // what is wrong with the engine is not the file's fault
    Safetensors read = Safetensors.read(file);
    String text = read.metadata().get(KEY);
    if (text == null) {
      throw new FormatException(file, "a model of orbit", "other tensors");
    }
    try {
      Description description = JSON.readValue(text, Written.class).description();
      for (Parameter p : description.architecture().declare().parameters()) {
        FloatTensor given = read.tensors().get(p.name());
        if (given == null || !Arrays.equals(given.shape(), p.shape())) {
          // before memory is taken for what is only claimed
          throw new IllegalArgumentException("expected %s, found %s".formatted(p, given));
        }
      }
      Map<String, FloatTensor> own = new LinkedHashMap<>();
      Map<String, FloatTensor> ofMapping = new LinkedHashMap<>();
      read.tensors()
          .forEach(
              (name, t) -> {
                if (name.startsWith(MAPPING)) {
                  ofMapping.put(name.substring(MAPPING.length()), t);
                } else {
                  own.put(name, t);
                }
              });
      String upright = read.metadata().get(UPRIGHT);
      Fitted fitted =
          upright == null
              ? null
              : UprightFile.fitted(
                  JSON.readValue(upright, new TypeReference<Map<String, String>>() {}), ofMapping);
      Model<?> model = of(description, 0, fitted);
      model.weights().restore(own);
      return model;
    } catch (JsonProcessingException | RuntimeException e) { // a description may lack anything
      throw new FormatException(file, "a model of orbit", e.getMessage());
    }
  }
}
