package org.orbitmap.onnx;

import java.awt.image.BufferedImage;
import java.util.List;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.io.ImageFiles;

/** A model that tells the class of pictures; safe for several threads at once. */
public final class Predictor implements AutoCloseable {
  private final OnnxModel model;
  private final ModelInput.Pictures input;
  private final Classifier<Image> classifier;

  Predictor(
      OnnxModel model, ModelInput.Pictures input, Preprocessing preprocessing, String scores) {
    this.model = model;
    this.input = input;
    this.classifier = model.pictures(input, preprocessing, model.scoreOutput(scores));
  }

  /**
   * What the model says of a picture.
   *
   * @param label the class with the largest score
   * @param scores the scores of all classes
   */
  public record Prediction(int label, float[] scores) {}

  /**
   * The class of a picture, which must have the size that the model takes.
   *
   * @throws IllegalArgumentException if the size differs
   */
  public Prediction predict(BufferedImage picture) {
    return predict(ImageFiles.of(picture));
  }

  /** The class of a picture with samples in [0, 1]. */
  public Prediction predict(Image picture) {
    float[] scores = classifier.scores(List.of(picture.withChannels(input.channels())))[0];
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
