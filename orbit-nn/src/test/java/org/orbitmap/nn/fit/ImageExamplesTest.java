package org.orbitmap.nn.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Offset;
import org.orbitmap.image.Resampler;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.upright.UprightSettings;

class ImageExamplesTest {
  private static final int SIDE = 16;
  private static final FitRecipe RECIPE = FitRecipe.standard();

  private static ImageExamples examples(String group) {
    UprightSettings settings =
        new UprightSettings(
            group,
            "disc",
            group.equals("o2") ? "upright-p4-o2" : "upright-p4",
            0.25,
            1,
            SIDE,
            8,
            1,
            Interpolation.BICUBIC,
            0.5f,
            "");
    return new ImageExamples(RECIPE, new InputShape.Images(1, SIDE, SIDE), settings, null);
  }

  /** A smooth image, which hardly changes when it is interpolated. */
  private static Image smooth() {
    float[] u = new float[SIDE * SIDE];
    for (int i = 0; i < u.length; i++) {
      int row = i / SIDE;
      double x = i % SIDE - 7.5;
      double y = row - 7.5;
      u[i] = (float) (0.5 + 0.04 * x + 0.02 * y + 0.01 * x * y / 4);
    }
    return new Image(1, SIDE, SIDE, u);
  }

  /** Differently rotated on their way, the copies of an example are in one pose. */
  @Test
  void copiesAreInOnePose() {
    for (String group : List.of("so2", "o2")) {
      SplittableRandom random = new SplittableRandom(1);
      Set<Double> poses = new HashSet<>();
      for (int k = 0; k < 20; k++) {
        List<Examples.Posed<Image, Orthogonal2>> copies = examples(group).draw(smooth(), random);
        assertThat(copies).hasSize(RECIPE.copies());
        Orthogonal2 first = copies.get(0).upright();
        poses.add(first.rotation().degrees());
        for (Examples.Posed<Image, Orthogonal2> copy : copies) {
          double off = copy.upright().rotation().degrees() - first.rotation().degrees();
          assertThat(Math.IEEEremainder(off, 360)).isCloseTo(0, within(1e-6));
          assertThat(copy.upright().mirrored()).isEqualTo(first.mirrored());
          Image stood =
              Resampler.sample(
                  copy.input(),
                  Resampler.Affine.of(copy.upright()),
                  Resampling.BILINEAR,
                  List.of(Offset.NONE));
          // near the centre; under so2 the mirror image of an upright one is upright, too
          double straight = difference(stood, smooth());
          double mirrored = difference(stood, smooth().mirrored());
          assertThat(group.equals("o2") ? straight : Math.min(straight, mirrored)).isLessThan(0.05);
        }
      }
      assertThat(poses).hasSizeGreaterThan(15);
    }
  }

  private static double difference(Image a, Image b) {
    double most = 0;
    for (int i = 5; i < SIDE - 5; i++) {
      for (int j = 5; j < SIDE - 5; j++) {
        most = Math.max(most, Math.abs(a.data()[i * SIDE + j] - b.data()[i * SIDE + j]));
      }
    }
    return most;
  }

  /** Answers that agree cost their cross entropy; others also their divergence from their mean. */
  @Test
  void copiesThatDisagreeCostMore() {
    double[] p = {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.0078125};
    double[] q = {0.125, 0.5, 0.25, 0.0625, 0.03125, 0.015625, 0.0078125, 0.0078125};
    double same = loss(p, p);
    assertThat(same).isCloseTo(entropy(p), within(1e-5));
    double divergence = 0;
    for (int k = 0; k < p.length; k++) {
      double m = (p[k] + q[k]) / 2;
      divergence += (p[k] * Math.log(p[k] / m) + q[k] * Math.log(q[k] / m)) / 2;
    }
    assertThat(divergence).isGreaterThan(0.05);
    double expected = (entropy(p) + entropy(q)) / 2 + RECIPE.agreement() * divergence;
    assertThat(loss(p, q)).isCloseTo(expected, within(1e-5));
  }

  /** Answers so sure that what they exclude has a probability of 0 as a float. */
  @Test
  void sureAnswersHaveAFiniteLoss() {
    double[] sure = {1, 1e-80, 1e-80, 1e-80, 1e-80, 1e-80, 1e-80, 1e-80};
    assertThat(loss(sure, sure)).isCloseTo(entropy(sure), within(1e-2));
  }

  private static final float[] TARGET = {0.7f, 0.1f, 0.2f, 0, 0, 0, 0, 0};

  private static double entropy(double[] p) {
    double sum = 0;
    for (int k = 0; k < p.length; k++) {
      sum -= TARGET[k] * Math.log(p[k]);
    }
    return sum;
  }

  private static double loss(double[] p, double[] q) {
    float[] scores = new float[2 * p.length];
    float[] targets = new float[2 * p.length];
    for (int k = 0; k < p.length; k++) {
      scores[k] = (float) Math.log(p[k]) + 3;
      scores[p.length + k] = (float) Math.log(q[k]) - 1;
      targets[k] = TARGET[k];
      targets[p.length + k] = TARGET[k];
    }
    return NativeScope.scoped(
        () ->
            (double)
                examples("so2")
                    .loss(Tensors.of(scores, 2, p.length), Tensors.of(targets, 2, p.length))
                    .item_float());
  }
}
