package org.orbitmap.onnx.wrap;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFit;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.run.OnnxModel;

/** A model that tells the class of images; safe for several threads at once. */
public final class Predictor implements AutoCloseable {
  private final OnnxModel model;
  private final ModelInput.Images input;
  private final Sizing sizing;
  private final Classifier<Image> classifier;

  /** How an image of another size than the model takes becomes one of that size. */
  public enum Sizing {
    /** The largest central part of the model's proportions, scaled. */
    FIT,
    /** The central part of the model's size, as it is. */
    CROP,
    /** Not at all: an image of another size is refused. */
    EXACT
  }

  Predictor(
      OnnxModel model,
      ModelInput.Images input,
      Preprocessing preprocessing,
      String scores,
      Sizing sizing) {
    this.model = model;
    this.input = input;
    this.sizing = sizing;
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
   * The class of an image, brought to the size that the model takes.
   *
   * @throws IllegalArgumentException if its size does not fit the choice of {@link Sizing}
   */
  public Prediction predict(BufferedImage image) {
    return predict(ImageFiles.of(image));
  }

  /** The class of an image with samples in [0, 1]. */
  public Prediction predict(Image image) {
    Image taken = sized(image).withChannels(input.channels());
    float[] scores = classifier.scores(List.of(taken))[0];
    return new Prediction(Scores.argmax(scores), scores);
  }

  private Image sized(Image image) {
    if (image.height() == input.height() && image.width() == input.width()) {
      return image;
    }
    return switch (sizing) {
      case FIT -> ImageFit.fit(image, input.height(), input.width());
      case CROP -> cropped(image);
      case EXACT ->
          throw new IllegalArgumentException(
              "%s: expected images of %d x %d, found %s"
                  .formatted(model.file(), input.height(), input.width(), image));
    };
  }

  private Image cropped(Image image) {
    int top = (image.height() - input.height()) / 2;
    int left = (image.width() - input.width()) / 2;
    if (image.height() < input.height() || image.width() < input.width()) {
      throw new IllegalArgumentException(
          "%s: expected images of at least %d x %d to crop, found %s"
              .formatted(model.file(), input.height(), input.width(), image));
    }
    Image part = Image.black(image.channels(), input.height(), input.width());
    for (int c = 0; c < image.channels(); c++) {
      for (int i = 0; i < input.height(); i++) {
        System.arraycopy(
            image.data(),
            (c * image.height() + top + i) * image.width() + left,
            part.data(),
            (c * input.height() + i) * input.width(),
            input.width());
      }
    }
    return part;
  }

  /** The same as a classifier, for batches of images of the model's size. */
  public Classifier<Image> classifier() {
    return classifier;
  }

  @Override
  public void close() {
    model.close();
  }
}
