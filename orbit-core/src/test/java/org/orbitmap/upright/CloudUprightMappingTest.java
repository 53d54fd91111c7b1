package org.orbitmap.upright;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.orbit.Canonical;

class CloudUprightMappingTest {
  private static final int BINS = 8;

  private static CloudUprightMapping random(String group) {
    CloudUprightSettings s =
        new CloudUprightSettings(group, "skewness", "pointnet", 0.0625, 60, BINS);
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

  @Test
  void answersAndRotationsAreInverse() {
    for (int axis = 0; axis < 6; axis++) {
      for (int bin = 0; bin < BINS; bin++) {
        double radians = 2 * Math.PI * bin / BINS;
        double[] r = CloudUprightMapping.rotation(axis, radians);
        new Similarity(1, r, new double[3]); // refuses what is not orthogonal
        double determinant =
            r[0] * (r[4] * r[8] - r[5] * r[7])
                - r[1] * (r[3] * r[8] - r[5] * r[6])
                + r[2] * (r[3] * r[7] - r[4] * r[6]);
        assertThat(determinant).isCloseTo(1, Offset.offset(1e-9));
        CloudUprightMapping.Answer nearest = CloudUprightMapping.nearest(r);
        assertThat(nearest.axis()).isEqualTo(axis);
        assertThat(nearest.rotation()).containsExactly(r, Offset.offset(1e-9));
        float[] p = new float[6 * BINS];
        Arrays.fill(p, 0.001f);
        p[axis * BINS + bin] = 0.9f;
        CloudUprightMapping.Answer said = CloudUprightMapping.answer(p, BINS);
        assertThat(said.axis()).isEqualTo(axis);
        assertThat(said.rotation()).containsExactly(r, Offset.offset(1e-6));
        assertThat(said.gap()).isBetween(0.8, 0.9);
      }
    }
    assertThat(CloudUprightMapping.answer(new float[48], BINS).gap()).isZero();
  }

  @Test
  void wrongSettingsAreRefused() {
    assertThatThrownBy(() -> new CloudUprightSettings("so2", "skewness", "pointnet", 1, 64, BINS))
        .hasMessageContaining("expected so3, se3, sim3");
    assertThatThrownBy(() -> new CloudUprightSettings("so3", "skewness", "pointnet", 1, 64, 10))
        .hasMessageContaining("multiple of 4");
  }
}
