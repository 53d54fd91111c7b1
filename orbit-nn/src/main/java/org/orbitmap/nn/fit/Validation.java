package org.orbitmap.nn.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.orbitmap.group.O2;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.nn.train.Sampler;
import org.orbitmap.upright.UprightModes;
import org.orbitmap.upright.UprightSettings;

/**
 * How well a predictor finds the upright pose of images that it has not seen. Each comes rotated by
 * an angle and with an interpolation of its own, is brought to its canonical pose and then to the
 * one that the predictor says: as the mapping does it.
 */
final class Validation {
  /** How many images give a figure between two epochs. */
  private static final int QUICK = 1000;

  private static final int BATCH = 250;
  private static final long EPOCH = -3;
  private static final O2 GROUP = new O2();

  private final DataSet<Image> data;
  private final UprightSettings settings;
  private final ImageExamples examples;
  private final long seed;

  Validation(FitConfig config, DataSet<Image> data, UprightSettings settings) {
    this.data = data;
    this.settings = settings;
    this.seed = config.seed();
    examples = new ImageExamples(config);
  }

  /** On some of the images. */
  PoseErrors quick(PredictorTask predictor) {
    return PoseErrors.of(answers(predictor, Math.min(QUICK, data.size())));
  }

  /** On all of them. */
  List<PoseErrors.Answer> all(PredictorTask predictor) {
    return answers(predictor, data.size());
  }

  private List<PoseErrors.Answer> answers(PredictorTask predictor, int count) {
    int length = data.shape().length();
    float[] buffer = new float[Math.min(BATCH, count) * length];
    List<PoseErrors.Answer> all = new ArrayList<>();
    for (int start = 0; start < count; start += BATCH) {
      int first = start;
      int n = Math.min(BATCH, count - start);
      Orthogonal2[] truth = new Orthogonal2[n];
      IntStream.range(0, n)
          .parallel()
          .forEach(
              i -> {
                ImageExamples.Posed posed = posed(first + i);
                data.shape().copy(posed.image(), buffer, i * length);
                truth[i] = posed.upright();
              });
      float[] p = predictor.probabilities(buffer, n);
      int scores = p.length / n;
      for (int i = 0; i < n; i++) {
        all.add(answer(first + i, truth[i], Arrays.copyOfRange(p, i * scores, (i + 1) * scores)));
      }
    }
    return all;
  }

  /** A validation image in its canonical pose; always the same. */
  ImageExamples.Posed posed(int index) {
    SplittableRandom random = Sampler.random(seed, EPOCH, index);
    Interpolation[] kinds = Interpolation.values();
    Interpolation before = kinds[random.nextInt(kinds.length)];
    return examples.mapped(data.input(index), before, examples.sample(random));
  }

  private PoseErrors.Answer answer(int index, Orthogonal2 truth, float[] probabilities) {
    UprightModes.Mode best = UprightModes.of(probabilities, settings, 1).get(0);
    Orthogonal2 said = new Orthogonal2(best.rotation(), best.mirrored());
    // What is left to do after what was said: the identity if it was right. Where the side of the
    // mirror is wrong, the mirroring left-right leaves the image upright: it is a turn by 180°
    // after the one top-down.
    Orthogonal2 left = GROUP.compose(truth, GROUP.inverse(said));
    double tilt = left.rotation().degrees() + (left.mirrored() ? 180 : 0);
    double error = Math.abs(Math.IEEEremainder(tilt, 360));
    return new PoseErrors.Answer(index, said, error, near(probabilities, said));
  }

  /** The probability of what is within 20° of an answer. */
  private double near(float[] probabilities, Orthogonal2 said) {
    int bins = settings.bins();
    int from = said.mirrored() ? bins : 0;
    double sum = 0;
    for (int k = 0; k < bins; k++) {
      double off = Math.abs(Math.IEEEremainder(said.rotation().degrees() - 360.0 * k / bins, 360));
      sum += off <= 20 ? probabilities[from + k] : 0;
    }
    return Math.min(1, sum);
  }
}
