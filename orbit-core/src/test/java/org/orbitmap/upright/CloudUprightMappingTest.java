package org.orbitmap.upright;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Classifier;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.network.zoo.UprightCube;
import org.orbitmap.orbit.Canonical;

class CloudUprightMappingTest {
  private static CloudUprightMapping random(String group) {
    CloudUprightSettings s =
        new CloudUprightSettings(group, "skewness", "upright-cube", 0.0625, 60);
    return new CloudUprightMapping(FittedCloudUpright.random(s, 4));
  }

  private static PointCloud cloud(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] x = new float[180];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) (Math.pow(random.nextDouble(), 1 + i % 3) * (1 + i % 3));
    }
    return new PointCloud(3, x);
  }

  /** Whatever the network says, it says the same for every pose. */
  @ParameterizedTest
  @ValueSource(strings = {"so3", "se3", "sim3"})
  void aRandomPredictorGivesAnOrbitMapping(String group) {
    CloudUprightMapping mapping = random(group);
    SimilarityGroup g = SimilarityGroup.named(group, 3);
    CloudAction action = new CloudAction(g);
    for (int seed = 0; seed < 5; seed++) {
      PointCloud x = cloud(seed);
      Canonical<Similarity, PointCloud> one = mapping.map(x);
      assertThat(one.point().coordinates())
          .containsExactly(action.act(one.element(), x).coordinates(), Offset.offset(1e-5f));
      Similarity pose = g.sample(new SplittableRandom(seed + 50));
      PointCloud moved = mapping.map(action.act(pose, x)).point();
      float[] expected = one.point().coordinates();
      for (int i = 0; i < expected.length; i++) {
        assertThat(moved.coordinates()[i]).isCloseTo(expected[i], Offset.offset(2e-3f));
      }
      assertThat(one.margin()).isGreaterThanOrEqualTo(0);
    }
  }

  /** With v = tan(θ/2)·a, C(v) rotates by θ about a, and F_k comes first. */
  @Test
  void answersAreRotations() {
    double half = Math.toRadians(20) / 2;
    for (int k = 0; k < UprightCube.COUNT; k++) {
      float[] scores = new float[4 * UprightCube.COUNT];
      scores[4 * k] = 9;
      scores[4 * k + 3] = (float) Math.tan(half); // about the vertical
      CloudUprightMapping.Answer said = CloudUprightMapping.answer(scores);
      double[] f = UprightCube.rotation(k);
      double c = Math.cos(2 * half);
      double s = Math.sin(2 * half);
      for (int j = 0; j < 3; j++) {
        Offset<Double> rounding = Offset.offset(1e-6);
        assertThat(said.rotation()[j]).isCloseTo(c * f[j] - s * f[3 + j], rounding);
        assertThat(said.rotation()[3 + j]).isCloseTo(s * f[j] + c * f[3 + j], rounding);
        assertThat(said.rotation()[6 + j]).isCloseTo(f[6 + j], rounding);
      }
      assertThat(said.mass()).isBetween(0.99, 1.0);
      assertThat(said.gap()).isBetween(0.99, 1.0);
    }
    double[] any = CloudUprightMapping.following(new double[] {3, -2, 5});
    assertThat(new Similarity(1, any, new double[3]).handedness()).isPositive();
    // (3, -2, 5) is the axis.
    assertThat(3 * any[0] - 2 * any[1] + 5 * any[2]).isCloseTo(3, Offset.offset(1e-9));
  }

  /** The 24 rotations are different ones, and the identity is the first. */
  @Test
  void axesAreCarriedToAxes() {
    Set<String> all = new HashSet<>();
    for (int k = 0; k < UprightCube.COUNT; k++) {
      assertThat(new Similarity(1, UprightCube.rotation(k), new double[3]).handedness())
          .isPositive();
      all.add(Arrays.toString(UprightCube.rotation(k)));
    }
    assertThat(all).hasSize(24);
    assertThat(UprightCube.rotation(0)).containsExactly(1, 0, 0, 0, 1, 0, 0, 0, 1);
  }

  /** Two answers that lead to the same pose are one; the next is one that leads elsewhere. */
  @Test
  void theGapIsToAnotherPose() {
    float[] scores = new float[4 * UprightCube.COUNT];
    Arrays.fill(scores, -30);
    for (int k = 0; k < UprightCube.COUNT; k++) {
      System.arraycopy(new float[3], 0, scores, 4 * k + 1, 3);
    }
    int about = -1; // a quarter turn about the vertical
    for (int k = 0; k < UprightCube.COUNT; k++) {
      double[] f = UprightCube.rotation(k);
      about = f[8] == 1 && f[1] == -1 ? k : about;
    }
    scores[0] = 0.1f;
    scores[4 * about] = 0;
    assertThat(CloudUprightMapping.answer(scores).gap()).isBetween(0.0, 0.1);
    scores[3] = (float) Math.tan(Math.toRadians(22.5));
    scores[4 * about + 3] = -scores[3];
    assertThat(CloudUprightMapping.answer(scores).gap()).isBetween(0.5, 0.6);
    assertThat(CloudUprightMapping.answer(scores).mass()).isCloseTo(1, Offset.offset(1e-6));
    assertThat(CloudUprightMapping.answer(new float[96]).gap()).isZero();
  }

  /**
   * Which of the directions of its axes the mapping below gives to a cloud is of no effect: the
   * predictor is equivariant to the rotations that carry axes to axes.
   */
  @Test
  void theDirectionsOfTheAxesAreOfNoEffect() {
    CloudUprightSettings first =
        new CloudUprightSettings("sim3", "first-point", "upright-cube", 0.0625, 60);
    CloudUprightMapping mapping = new CloudUprightMapping(FittedCloudUpright.random(first, 4));
    PointCloud x = cloud(1);
    float[] expected = mapping.map(x).point().coordinates();
    int turned = 0;
    for (int k = 1; k < 20; k++) { // another point comes first, and with it other directions
      float[] y = new float[180];
      for (int i = 0; i < 180; i++) {
        y[i] = x.coordinates()[(i + 3 * k) % 180];
      }
      PointCloud rolled = new PointCloud(3, y);
      double[] a = mapping.base().map(x).element().rotation();
      double[] b = mapping.base().map(rolled).element().rotation();
      turned += Math.abs(a[0] - b[0]) + Math.abs(a[4] - b[4]) > 0.1 ? 1 : 0;
      float[] found = mapping.map(rolled).point().coordinates();
      for (int i = 0; i < 180; i++) {
        assertThat(found[i]).isCloseTo(expected[(i + 3 * k) % 180], Offset.offset(2e-3f));
      }
    }
    assertThat(turned).isGreaterThan(3);
  }

  /** Poses come with the best first and their shares; what is pooled over them is invariant. */
  @Test
  void theBestPosesAreTheSameForEveryPose() {
    CloudUprightMapping mapping = random("sim3");
    Classifier<PointCloud> net =
        batch ->
            batch.stream()
                .map(x -> new float[] {x.coordinates()[0], x.coordinates()[4], x.coordinates()[8]})
                .toArray(float[][]::new);
    PointCloud x = cloud(1);
    Similarity pose = mapping.base().group().sample(new SplittableRandom(2));
    PointCloud moved = mapping.action().act(pose, x);
    for (int m : new int[] {1, 2, 6, 24}) {
      CloudUprightMapping.Found found = mapping.poses(x, m);
      assertThat(found.elements()).hasSize(m);
      assertThat(found.elements().get(0)).isEqualTo(mapping.map(x).element());
      assertThat(found.weights().stream().mapToDouble(w -> w).sum())
          .isCloseTo(1, Offset.offset(1e-9));
      assertThat(found.weights().subList(1, m)).isSortedAccordingTo(Comparator.reverseOrder());
      for (Pool pool : new Pool[] {Pool.MEAN, Pool.CONFIDENCE}) {
        Classifier<PointCloud> pooled = new CloudUprightFrames(mapping, m).invariant(net, pool);
        float[][] answers = pooled.scores(List.of(x, moved));
        assertThat(answers[1]).containsExactly(answers[0], Offset.offset(2e-3f));
      }
    }
    for (int m : new int[] {0, 25}) {
      assertThatThrownBy(() -> new CloudUprightFrames(mapping, m))
          .hasMessageContaining("expected 1 to 24 for a fitted mapping of clouds, found " + m);
    }
  }

  @Test
  void wrongSettingsAreRefused() {
    assertThatThrownBy(() -> new CloudUprightSettings("so2", "skewness", "upright-cube", 1, 64))
        .hasMessageContaining("expected so3, se3, sim3");
    assertThatThrownBy(() -> new CloudUprightSettings("so3", "skewness", "upright-cube", 1, 0))
        .hasMessageContaining("1 to 1,000,000");
  }
}
