package org.orbitmap.nn.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.orbitmap.image.Interpolation;
import org.orbitmap.nn.train.TrainConfig;

/**
 * How a predictor of the upright pose is made and trained: everything that is a matter of trial,
 * and nothing else.
 *
 * @param network by name; with {@code -o2} behind it for mirror images
 * @param widthFactor factor on its channels
 * @param bins of the circle of angles
 * @param outside what the predictor sees outside the inscribed disc
 * @param views how many poses of the canonical image are asked and averaged when it is used
 * @param concentration κ of the soft targets: a bin, or a rotation of axes to axes, counts as exp(κ
 *     cos θ) with its angle θ to the truth, normalised
 * @param first how an example was rotated before it came, drawn evenly; null stands for not at all
 * @param copies in how many ways an example comes, rotated each in its own way before it is brought
 *     to the one pose of them all
 * @param agreement the weight of the divergence between the answers for the copies of an example
 * @param reading how the canonical image that the predictor sees is read
 * @param canonical the share of examples in their canonical pose; the others are in a random one
 * @param flip whether the mirror image of an upright input is as good (not used under o2)
 * @param stretch by up to which factor a cloud is stretched or shrunk along each of its upright
 *     axes: what stands, stands in other proportions, too; 1 for not at all
 * @param restorer the network that undoes interpolation, by name
 * @param undone how an example of the restorer was rotated before the mapping rotates it back,
 *     drawn evenly; null stands for not at all
 * @param predicting how the predictor is trained
 * @param restoring how the restorer is trained
 */
public record FitRecipe(
    String network,
    double widthFactor,
    int bins,
    float outside,
    int views,
    double concentration,
    List<Interpolation> first,
    int copies,
    double agreement,
    Interpolation reading,
    double canonical,
    boolean flip,
    double stretch,
    String restorer,
    List<Interpolation> undone,
    Course predicting,
    Course restoring) {
  /**
   * How long and how fast a network is trained. The learning rate rises in a straight line over the
   * warm-up, from a tenth of its peak, and then falls to 0 as half a wave of the cosine.
   *
   * @param method of the steps; its rate is the peak
   * @param warmUp the share of the steps before the peak
   * @param batch examples in one step
   * @param examples in all
   * @param mostEpochs of few inputs, no more examples than this many of each
   */
  public record Course(
      TrainConfig.Method method, double warmUp, int batch, long examples, int mostEpochs) {
    public Course {
      if (!(warmUp >= 0 && warmUp < 1) || batch < 2 || examples < 1 || mostEpochs < 1) {
        throw new IllegalArgumentException(
            "course: expected a warm-up in [0, 1), batch >= 2, examples and epochs >= 1, found %s, %d, %d, %d"
                .formatted(warmUp, batch, examples, mostEpochs));
      }
    }

    private Course examples(long other) {
      return new Course(method, warmUp, batch, other, mostEpochs);
    }

    /** The number of steps with so many inputs. */
    long steps(int inputs) {
      long most = Math.min(examples, (long) mostEpochs * inputs);
      return Math.max(1, (most + batch - 1) / batch);
    }

    /** The learning rate when this share of the steps is done. */
    double rate(double done) {
      double share =
          done < warmUp
              ? 0.1 + 0.9 * done / warmUp
              : 0.5 + 0.5 * Math.cos(Math.PI * (done - warmUp) / (1 - warmUp));
      return method.rate() * share;
    }
  }

  public FitRecipe {
    first = Collections.unmodifiableList(new ArrayList<>(first)); // null is a way, too
    undone = Collections.unmodifiableList(new ArrayList<>(undone));
    if (first.isEmpty() || undone.isEmpty()) {
      throw new IllegalArgumentException("recipe: expected ways to rotate examples, found none");
    }
    if (bins < 4
        || !(concentration > 0)
        || !(canonical >= 0 && canonical <= 1)
        || !(stretch >= 1 && stretch < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "recipe: expected bins >= 4, concentration > 0, canonical in [0, 1], stretch >= 1, found %d, %s, %s, %s"
              .formatted(bins, concentration, canonical, stretch));
    }
    if (copies < 1 || !(agreement >= 0 && agreement < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "recipe: expected copies >= 1 and agreement >= 0, found %d, %s"
              .formatted(copies, agreement));
    }
  }

  /** The same with a predictor that sees so many examples, and a restorer no more than that. */
  public FitRecipe examples(long other) {
    return new FitRecipe(
        network,
        widthFactor,
        bins,
        outside,
        views,
        concentration,
        first,
        copies,
        agreement,
        reading,
        canonical,
        flip,
        stretch,
        restorer,
        undone,
        predicting.examples(other),
        restoring.examples(Math.min(restoring.examples(), other)));
  }

  /** The one for clouds; what concerns images is of no effect. */
  public static FitRecipe clouds() {
    FitRecipe images = standard();
    return new FitRecipe(
        "upright-cube",
        2,
        images.bins,
        images.outside,
        1,
        8,
        images.first,
        1,
        0,
        images.reading,
        1,
        true,
        1.2,
        images.restorer,
        images.undone,
        new Course(TrainConfig.Method.adam(3e-3, 0), 0.1, 64, 300_000, 120),
        images.restoring);
  }

  /** The one for images. */
  public static FitRecipe standard() {
    return new FitRecipe(
        "upright-p4",
        1,
        72,
        0.5f,
        1,
        16,
        Arrays.asList(null, Interpolation.NEAREST, Interpolation.BILINEAR, Interpolation.BICUBIC),
        2,
        6,
        Interpolation.BICUBIC,
        0,
        true,
        1,
        "fine-5x32",
        Arrays.asList(
            null,
            Interpolation.NEAREST,
            Interpolation.NEAREST,
            Interpolation.NEAREST, // which harms most, and of which most can be undone
            Interpolation.BILINEAR,
            Interpolation.BICUBIC),
        new Course(
            new TrainConfig.Method(TrainConfig.Method.Kind.NESTEROV, 0.1, 0.9, 5e-4, 0),
            0.15,
            64,
            500_000,
            100),
        new Course(TrainConfig.Method.adam(2e-3, 0), 0.05, 32, 300_000, 50));
  }
}
