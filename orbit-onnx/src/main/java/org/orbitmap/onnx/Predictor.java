package org.orbitmap.onnx;

import java.awt.image.BufferedImage;
import java.util.List;
import org.orbitmap.eval.Classifier;
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
    this.classifier =
        model.pictures(input, preprocessing, scores == null ? model.scoreOutput() : scores);
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
    float[] scores = classifier.scores(List.of(channels(picture)))[0];
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return new Prediction(best, scores);
  }

  /** The same as a classifier, for batches. */
  public Classifier<Image> classifier() {
    return classifier;
  }

  /** Grey pictures for colour models, and the other way round by the mean of the channels. */
  private Image channels(Image u) {
    if (u.channels() == input.channels() || (u.channels() != 1 && input.channels() != 1)) {
      return u;
    }
    Image v = Image.black(input.channels(), u.height(), u.width());
    int plane = u.plane();
    for (int i = 0; i < v.data().length; i++) {
      float sum = 0;
      for (int c = 0; c < u.channels(); c++) {
        sum += u.data()[c * plane + i % plane];
      }
      v.data()[i] = sum / u.channels();
    }
    return v;
  }

  @Override
  public void close() {
    model.close();
  }
}
