package org.orbitmap.app.serve;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.image.PoseRule;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.RotationMapping;
import org.orbitmap.onnx.ModelInput;
import org.orbitmap.onnx.OnnxFile;
import org.orbitmap.onnx.OnnxModel;
import org.orbitmap.onnx.Preprocessing;
import org.orbitmap.onnx.Wrap;

/**
 * A classifier of pictures that is served twice: bare, and behind an orbit mapping. What is mapped
 * is the very graph that {@code orbit wrap} writes.
 */
final class ServedModel implements Served {
  /**
   * How a model is used.
   *
   * @param preprocessing from pixels in [0, 1] to the model's numbers
   * @param classes the names of the classes; empty if unknown
   * @param frames how many frames the mapped model looks at
   */
  record Use(Preprocessing preprocessing, List<String> classes, int frames) {}

  private record Ready(OnnxModel model, Classifier<Image> classifier) {}

  private final String name;
  private final OnnxFile file;
  private final ModelInput.Pictures input;
  private final Use use;
  private final Ready bare;
  private final List<String> classes;
  private final Map<PoseRule, Ready> wrapped = new LinkedHashMap<>();

  /**
   * Opens a model.
   *
   * @throws IOException if it cannot be run
   * @throws IllegalArgumentException if it does not take pictures, or larger ones than allowed
   */
  ServedModel(String name, OnnxFile file, Use use, Limits limits) throws IOException {
    this.name = name;
    this.file = file;
    this.use = use;
    if (!(ModelInput.of(file, ModelInput.Hints.NONE) instanceof ModelInput.Pictures pictures)) {
      throw new IllegalArgumentException(
          "%s: expected a classifier of pictures, found inputs %s".formatted(name, file.inputs()));
    }
    input = pictures;
    // A fixed batch is filled for a single picture too. In double, as the product may be any.
    double pixels = (double) Math.max(1, input.batch()) * input.height() * input.width();
    if (pixels > limits.pixels()) {
      throw new IllegalArgumentException(
          "%s: expected an input of at most %d pixels, all of its batch together, found %s"
              .formatted(name, limits.pixels(), input.port().shapeText()));
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
      return new Ready(model, model.pictures(input, use.preprocessing(), model.scoreOutput()));
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  ModelInput.Pictures input() {
    return input;
  }

  List<String> classes() {
    return classes;
  }

  int frames() {
    return use.frames();
  }

  /** The graph with the mapping in front, as {@code orbit wrap} writes it. */
  OnnxFile wrap(PoseRule rule) throws IOException {
    return Wrap.of(file)
        .mapping(new RotationMapping(rule, Resampling.BILINEAR))
        .frames(use.frames())
        .preprocessing(use.preprocessing())
        .build();
  }

  @Override
  public OnnxModel bareModel() {
    return bare.model();
  }

  @Override
  public OnnxModel mappedModel() throws IOException {
    return mapped(PoseRule.DISC).model();
  }

  /** Wrapped when first asked for; there are only as many as there are rules. */
  private Ready mapped(PoseRule rule) throws IOException {
    synchronized (wrapped) {
      Ready known = wrapped.get(rule);
      if (known == null) {
        known = ready(wrap(rule));
        wrapped.put(rule, known);
      }
      return known;
    }
  }

  /** Class probabilities of the bare model. */
  float[][] plain(List<Image> pictures) {
    return probabilities(bare.classifier().scores(pictures));
  }

  /** Class probabilities of the mapped model. */
  float[][] mapped(PoseRule rule, List<Image> pictures) throws IOException {
    return probabilities(mapped(rule).classifier().scores(pictures));
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
      wrapped.clear();
    }
    bare.model().close();
  }
}
