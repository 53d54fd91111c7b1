package org.orbitmap.onnx.wrap;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.run.OnnxModel;

/** A model that tells the class of images; safe for several threads at once. */
public final class Predictor implements AutoCloseable {
  private final OnnxModel model;
  private final ModelInput.Images input;
  private final Classifier<Image> classifier;

  Predictor(OnnxModel model, ModelInput.Images input, Preprocessing preprocessing, String scores) {
    this.model = model;
    this.input = input;
    this.classifier = model.classifier(input, preprocessing, model.scoreOutput(scores));
  }

  /**
   * What the model says of an image.
   *
   * @param label the class with the largest score
   * @param scores the scores of all classes
   */
  public record Prediction(int label, float[] scores) {
    @Override
    public boolean equals(Object o) {
      return o instanceof Prediction p && label == p.label && Arrays.equals(scores, p.scores);
    }

    @Override
    public int hashCode() {
      return 31 * label + Arrays.hashCode(scores);
    }

    @Override
    public String toString() {
      return "Prediction[label=%d, scores=%s]".formatted(label, Arrays.toString(scores));
    }
  }

  /**
   * The class of an image, which must have the size that the model takes.
   *
   * @throws IllegalArgumentException if the size differs
   */
  public Prediction predict(BufferedImage image) {
    return predict(ImageFiles.of(image));
  }

  /** The class of an image with samples in [0, 1]. */
  public Prediction predict(Image image) {
    float[] scores = classifier.scores(List.of(image.withChannels(input.channels())))[0];
    return new Prediction(Scores.argmax(scores), scores);
  }

  /** The same as a classifier, for batches. */
  public Classifier<Image> classifier() {
    return classifier;
  }

  @Override
  public void close() {
    model.close();
  }
}
