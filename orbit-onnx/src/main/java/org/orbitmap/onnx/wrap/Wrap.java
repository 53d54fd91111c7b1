package org.orbitmap.onnx.wrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.run.OnnxRuntime;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightFrames;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.UprightFrames;
import org.orbitmap.upright.UprightMapping;

/**
 * Makes a model invariant without retraining (paper, Fact 1): a new model whose first nodes are the
 * orbit mapping, in standard operators, and whose inputs and outputs are those of the old one.
 *
 * <pre>{@code
 * OnnxFile invariant = Wrap.of(Path.of("model.onnx")).build();
 * invariant.write(Path.of("invariant.onnx"));
 * }</pre>
 *
 * <p>The mapping is the one of the core, by value: the wrapped model computes net(h(x)) for the
 * same h. The model's own nodes stay as they are, and so does its opset unless {@link #raiseOpset}.
 *
 * <p>What is not said is chosen for models that were trained upright, so that wrapping does not
 * hurt them: {@link Frames#UPRIGHT} for images. A model that was trained behind the mapping needs
 * one frame: {@code frames(1)}.
 */
public final class Wrap {
  /** What the properties that a wrapped file carries start with. */
  public static final String PROPERTY = OnnxFile.PROPERTY;

  /** The opset that {@link #raiseOpset} gives. */
  public static final int RAISED_OPSET = Opset.GRID_SAMPLE;

  private final OnnxFile file;
  private OrbitMapping<?, ?> mapping; // null: the default for the input
  private Integer frames; // null: the default for the input
  private Pool select; // null: the default for the mapping
  private boolean mirrors;
  private ModelInput.Hints hints = ModelInput.Hints.NONE;
  private Preprocessing preprocessing; // null: as usual for the input
  private Set<String> equivariant = Set.of();
  private String scores;
  private Predictor.Sizing sizing = Predictor.Sizing.FIT;
  private OnnxRuntime runtime = OnnxRuntime.HERE;
  private boolean raise;

  private Wrap(OnnxFile file) {
    this.file = file;
  }

  /** Starts from a model file. */
  public static Wrap of(Path model) throws IOException {
    return of(OnnxFile.read(model));
  }

  /** Starts from a model that was read. */
  public static Wrap of(OnnxFile model) {
    return new Wrap(model);
  }

  /**
   * The orbit mapping to put before the model: {@link RotationMapping}, {@link OrthogonalMapping}
   * or {@link UprightMapping} for images, {@link CloudMapping} or {@link CloudUprightMapping} for
   * point clouds. By default that of {@link Frames#UPRIGHT} and the one of all
   * orientation-preserving similarities.
   */
  public Wrap mapping(OrbitMapping<?, ?> value) {
    mapping = Objects.requireNonNull(value, "mapping");
    return this;
  }

  /** K frames, joined as usual for the mapping: the most confident one wins. */
  public Wrap frames(int count) {
    if (count < 1 || count > 360) {
      throw new IllegalArgumentException("frames: expected 1 to 360, found " + count);
    }
    frames = count;
    return this;
  }

  /**
   * K frames: the canonical image and its copies rotated by 360°/K, pooled as in {@link Frames}.
   * With the mean, class scores become probabilities. For clouds K is the number of directions of
   * the axes (4, or 8 with mirror images) or that of their orders, too: {@link CloudFrames}. For an
   * {@link UprightMapping} or {@link CloudUprightMapping} they are the K poses that its predictor
   * deems best, joined with their probabilities ({@link UprightFrames}, {@link
   * CloudUprightFrames}).
   *
   * <p>By default as many as {@link Frames#UPRIGHT} has, and all directions of a cloud; one if the
   * model has no class scores to choose by.
   */
  public Wrap frames(int count, Pool how) {
    return frames(count).select(how);
  }

  /**
   * How the answers of the frames become one; by default the most confident one wins, and those of
   * an upright mapping are averaged.
   */
  public Wrap select(Pool how) {
    select = Objects.requireNonNull(how, "select");
    return this;
  }

  /**
   * Whether the model is asked for the mirror image of each frame as well, and the mean of both is
   * the frame's answer ({@link Frames}); class scores become probabilities.
   */
  public Wrap mirrors(boolean value) {
    mirrors = value;
    return this;
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

  /** Where the model is tried; in this process unless said. */
  public Wrap runtime(OnnxRuntime value) {
    runtime = Objects.requireNonNull(value, "runtime");
    return this;
  }

  /**
   * Whether a model of images may get opset 16, where the image is read several times faster (by
   * {@code GridSample}). That is done only if all its nodes mean the same there, by the standard
   * and by its answers to some inputs; else the opset stays. Whoever runs the result needs a
   * runtime that knows opset 16.
   */
  public Wrap raiseOpset(boolean value) {
    raise = value;
    return this;
  }

  /** How a predictor takes images of another size; {@link Predictor.Sizing#FIT} unless said. */
  public Wrap sizing(Predictor.Sizing value) {
    sizing = Objects.requireNonNull(value, "sizing");
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
    OnnxFile taken = raise ? raised() : file;
    try (OnnxModel bare = runtime.open(taken)) { // one that cannot run is not worth wrapping
      ModelInput<?> input = input();
      OrbitMapping<?, ?> given = mapping(input);
      OrbitMapping<?, ?> chosen =
          mirrors && given instanceof UprightMapping<?> upright ? upright.onBothSides() : given;
      Rows rows = new Rows(taken, input, bare.outputs(), equivariant, scores);
      int count = frames != null ? frames : rows.choosable() ? usualFrames(chosen) : 1;
      WrapBuild.Parts parts =
          new WrapBuild.Parts(
              taken,
              input,
              chosen,
              emitter(input, chosen, count),
              preprocessing(input),
              count,
              select != null ? select : usualPool(chosen),
              mirrors,
              equivariant,
              scores,
              runtime);
      OnnxFile wrapped = new WrapBuild(parts, rows).build();
      Surgery.requireRuns(bare, wrapped, input);
      return wrapped;
    }
  }

  private OnnxFile raised() {
    ModelInput<?> input = input();
    return input instanceof ModelInput.Images && file.inputs().size() == 1
        ? Opset.raised(file).filter(f -> Surgery.same(file, f, input, runtime)).orElse(file)
        : file;
  }

  private int usualFrames(OrbitMapping<?, ?> chosen) {
    return chosen instanceof CloudMapping clouds
        ? CloudFrames.directions(clouds.group())
        : chosen instanceof CloudUprightMapping
            ? 1
            : !(chosen instanceof UprightMapping)
                ? Frames.UPRIGHT.count()
                : mirrors ? 1 : UprightFrames.USUAL;
  }

  private static Pool usualPool(OrbitMapping<?, ?> chosen) {
    return chosen instanceof UprightMapping || chosen instanceof CloudUprightMapping
        ? UprightFrames.USUAL_POOL
        : Pool.CONFIDENCE;
  }

  /**
   * Outputs that look like images and are not mapped back: they are in the canonical pose, not in
   * that of the input.
   */
  public List<TensorSpec> canonicalOutputs() throws IOException {
    if (!(input() instanceof ModelInput.Images)) {
      return List.of();
    }
    try (OnnxModel bare = runtime.open(file)) {
      return bare.outputs().stream()
          .filter(p -> p.dense() && !equivariant.contains(p.name()))
          .toList();
    }
  }

  /** Wraps the model and opens it for predictions on images. */
  public Predictor open() throws IOException {
    if (!(input() instanceof ModelInput.Images images)) {
      throw new IllegalArgumentException(
          "%s: expected a model of images, found %s".formatted(file, input()));
    }
    return new Predictor(runtime.open(build()), images, preprocessing(images), scores, sizing);
  }

  private Preprocessing preprocessing(ModelInput<?> input) {
    return preprocessing != null ? preprocessing : Preprocessing.usual(input);
  }

  private OrbitMapping<?, ?> mapping(ModelInput<?> input) {
    return mapping != null
        ? mapping
        : input instanceof ModelInput.Images
            ? Frames.UPRIGHT.mapping()
            : CloudMapping.of(SimilarityGroup.similarities(3));
  }

  private Emitter emitter(ModelInput<?> input, OrbitMapping<?, ?> mapping, int count) {
    if (input instanceof ModelInput.Images images) {
      if (mapping instanceof RotationMapping m) {
        return new ImageEmitter(
            images, preprocessing(input), m.rule(), m.resampling(), false, count);
      }
      if (mapping instanceof OrthogonalMapping m) {
        return new ImageEmitter(
            images, preprocessing(input), m.rule(), m.resampling(), true, count);
      }
      if (mapping instanceof UprightMapping<?> m) {
        return UprightEmitter.of(images, preprocessing(input), m, count);
      }
    }
    if (input instanceof ModelInput.Clouds clouds && mapping instanceof CloudMapping m) {
      return new CloudEmitter(clouds, m, count);
    }
    if (input instanceof ModelInput.Clouds clouds && mapping instanceof CloudUprightMapping m) {
      return CloudUprightEmitter.of(clouds, m, count);
    }
    throw new IllegalArgumentException(
        "%s: expected a mapping that fits the input (%s), found %s of %s"
            .formatted(file, input, mapping.name(), mapping.action().group().name()));
  }
}
