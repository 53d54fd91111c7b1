package org.orbitmap.app.serve.model;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.wrap.Wrap;
import org.orbitmap.upright.UprightMapping;

/**
 * A classifier of images that is served twice: bare, and behind an orbit mapping. What is mapped is
 * the very graph that {@code orbit wrap} writes.
 */
public final class ServedImages implements Served {
  /**
   * How a model is used.
   *
   * @param hints what the model does not tell about its input
   * @param preprocessing from pixels in [0, 1] to the numbers of a model with this input
   * @param scores the output with the class scores; null for the only one that can be it
   * @param classes the names of the classes; empty if unknown
   * @param frames how many frames the mapped model looks at
   * @param resampling how they are read
   * @param upright the fitted mapping in front of the mapped model; null for disc
   */
  public record Use(
      ModelInput.Hints hints,
      Function<ModelInput<?>, Preprocessing> preprocessing,
      String scores,
      List<String> classes,
      int frames,
      Resampling resampling,
      UprightMapping<?> upright) {
    /** With frames as they serve models that were trained upright. */
    public Use(
        ModelInput.Hints hints,
        Function<ModelInput<?>, Preprocessing> preprocessing,
        String scores,
        List<String> classes,
        int frames) {
      this(
          hints,
          preprocessing,
          scores,
          classes,
          frames,
          Frames.UPRIGHT.mapping().resampling(),
          null);
    }

    /** The same with other frames. */
    public Use with(int count, Resampling how) {
      return new Use(hints, preprocessing, scores, classes, count, how, upright);
    }

    /** The same behind a fitted mapping, in so many of the poses that it deems best. */
    public Use behind(UprightMapping<?> mapping, int count) {
      return new Use(hints, preprocessing, scores, classes, count, resampling, mapping);
    }

    /** With the usual preprocessing of a model that tells everything itself. */
    public static Use usual(List<String> classes, int frames) {
      return new Use(ModelInput.Hints.NONE, Preprocessing::usual, null, classes, frames);
    }
  }

  private static final int MOST_CHANNELS = 64;

  private record Ready(OnnxModel model, Classifier<Image> classifier) {}

  private final String name;
  private final OnnxFile file;
  private final ModelInput.Images input;
  private final Use use;
  private final Preprocessing preprocessing;
  private final Ready bare;
  private final List<String> classes;
  private final Map<PoseRule, Ready> wrapped = new LinkedHashMap<>();
  private Ready own; // behind the fitted mapping

  /**
   * Opens a model.
   *
   * @throws IOException if it cannot be run
   * @throws IllegalArgumentException if it does not take images, or larger ones than allowed
   */
  public ServedImages(String name, OnnxFile file, Use use, Limits limits) throws IOException {
    this.name = name;
    this.file = file;
    this.use = use;
    if (!(file.input(use.hints()) instanceof ModelInput.Images images)) {
      throw new IllegalArgumentException(
          "%s: expected a classifier of images, found inputs %s".formatted(name, file.inputs()));
    }
    input = images;
    preprocessing = use.preprocessing().apply(images);
    // A fixed batch is filled for a single image too. In double, as the product may be any.
    double pixels = (double) Math.max(1, input.batch()) * input.height() * input.width();
    if (pixels > limits.pixels()) {
      throw new IllegalArgumentException(
          "%s: expected an input of at most %d pixels, all of its batch together, found %s"
              .formatted(name, limits.pixels(), input.spec().shapeText()));
    }
    if (input.channels() > MOST_CHANNELS) {
      throw new IllegalArgumentException(
          "%s: expected at most %d channels, found %s"
              .formatted(name, MOST_CHANNELS, input.spec().shapeText()));
    }
    bare = ready(file);
    try {
      Image black = Image.black(input.channels(), input.height(), input.width());
      int count = bare.classifier().scores(List.of(black))[0].length;
      classes =
          use.classes().size() == count
              ? use.classes()
              : IntStream.range(0, count).mapToObj(i -> "class " + i).toList();
    } catch (RuntimeException | Error e) {
      bare.model().close();
      throw e;
    }
  }

  private Ready ready(OnnxFile one) throws IOException {
    OnnxModel model = OnnxModel.open(one);
    try {
      return new Ready(
          model, model.classifier(input, preprocessing, model.scoreOutput(use.scores())));
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ModelInput.Images input() {
    return input;
  }

  public List<String> classes() {
    return classes;
  }

  public int frames() {
    return use.frames();
  }

  /** How the frames are read. */
  public Resampling resampling() {
    return use.resampling();
  }

  /** The graph with the mapping in front, as {@code orbit wrap} writes it. */
  public OnnxFile wrap(PoseRule rule) throws IOException {
    return Wrap.of(file)
        .hints(use.hints())
        .scores(use.scores())
        .mapping(new RotationMapping(rule, use.resampling()))
        .frames(use.upright() == null ? use.frames() : Frames.UPRIGHT.count())
        .preprocessing(preprocessing)
        .build();
  }

  private OnnxFile wrapUpright() throws IOException {
    return Wrap.of(file)
        .hints(use.hints())
        .scores(use.scores())
        .mapping(use.upright())
        .frames(use.frames())
        .preprocessing(preprocessing)
        .build();
  }

  @Override
  public OnnxModel bareModel() {
    return bare.model();
  }

  @Override
  public OnnxModel mappedModel() throws IOException {
    if (use.upright() == null) {
      return ready(PoseRule.DISC).model();
    }
    synchronized (wrapped) {
      own = own == null ? ready(wrapUpright()) : own;
      return own.model();
    }
  }

  /** Wrapped when first asked for; there are only as many as there are rules. */
  private Ready ready(PoseRule rule) throws IOException {
    synchronized (wrapped) {
      Ready known = wrapped.get(rule);
      if (known == null) {
        known = ready(wrap(rule));
        wrapped.put(rule, known);
      }
      return known;
    }
  }

  /** The bare model. */
  public Classifier<Image> bare() {
    return bare.classifier();
  }

  /** The mapped model. */
  public Classifier<Image> mapped(PoseRule rule) throws IOException {
    return ready(rule).classifier();
  }

  /** Class probabilities of the bare model. */
  public float[][] plain(List<Image> images) {
    return probabilities(bare.classifier().scores(images));
  }

  /** Class probabilities of the mapped model. */
  public float[][] mapped(PoseRule rule, List<Image> images) throws IOException {
    return probabilities(mapped(rule).scores(images));
  }

  /** Scores that are no probabilities yet go through the softmax. */
  private static float[][] probabilities(float[][] rows) {
    float[][] out = new float[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      double[] p = Scores.probabilities(rows[i]);
      out[i] = new float[p.length];
      for (int c = 0; c < p.length; c++) {
        out[i][c] = (float) p[c];
      }
    }
    return out;
  }

  @Override
  public void close() {
    synchronized (wrapped) {
      wrapped.values().forEach(r -> r.model().close());
      if (own != null) {
        own.model().close();
      }
      wrapped.clear();
    }
    bare.model().close();
  }
}
