package org.orbitmap.cloud.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Rotations;
import org.orbitmap.orbit.Canonical;

/** Margins of clouds whose moments are known: they are what the documentation says. */
class CloudPoseTest {
  private static final SimilarityGroup SE2 = new SimilarityGroup(2, Rotations.PROPER, false, true);
  private static final SimilarityGroup E2 = new SimilarityGroup(2, Rotations.ALL, false, true);
  private static final SimilarityGroup SE3 = new SimilarityGroup(3, Rotations.PROPER, false, true);

  /** Seven points with E x² = 12/7, E x³ = 24/7, E y² = 6/7, E y³ = ±6/7, about any place. */
  private static PointCloud plane(int mirror, float x, float y) {
    float[] c = {3, 0, -1, 0, -1, 0, -1, 0, 0, 2, 0, -1, 0, -1};
    for (int i = 0; i < c.length; i += 2) {
      c[i] += x;
      c[i + 1] = mirror * c[i + 1] + y;
    }
    return new PointCloud(2, c);
  }

  /** Three more points above each other: E z² = 0.15, E z³ = ±0.075, and of ten points now. */
  private static PointCloud space(int mirror) {
    float h = mirror * 0.5f;
    return new PointCloud(
        3,
        new float[] {
          3, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, 0, 2, 0, 0, -1, 0, 0, -1, 0, 0, 0, mirror, 0, 0,
          -h, 0, 0, -h
        });
  }

  private static CloudPose pose(SimilarityGroup group, AxisSignRule signs, PointCloud x) {
    return new CloudMapping(group, signs, ScaleRule.MEAN_DISTANCE).pose(x);
  }

  @Test
  void marginsInThePlaneAreThoseOfTheMoments() {
    double r = Math.sqrt(18 / 7.0);
    CloudPose right = pose(SE2, AxisSignRule.SKEWNESS, plane(1, 0, 0));
    assertThat(right.eigenGap()).isCloseTo(1 / 3.0, within(1e-6));
    assertThat(right.signMargin()).isCloseTo(1 / (3 * r), within(1e-6));
    // Both directions cannot be followed: the weaker gives way, by half of what it lacks.
    CloudPose mirrored = pose(SE2, AxisSignRule.SKEWNESS, plane(-1, 0, 0));
    assertThat(mirrored.signMargin()).isCloseTo(1 / (6 * r), within(1e-6));
    assertThat(pose(E2, AxisSignRule.SKEWNESS, plane(-1, 0, 0)).signMargin())
        .as("with mirror images both can")
        .isCloseTo(1 / (3 * r), within(1e-6));
    assertThat(mirrored.margin()).isEqualTo(mirrored.signMargin());
  }

  @Test
  void marginsInSpaceAreThoseOfTheMoments() {
    double r = Math.sqrt(1.95);
    CloudPose right = pose(SE3, AxisSignRule.SKEWNESS, space(1));
    assertThat(right.eigenGap()).isCloseTo(0.45 / 1.95, within(1e-6));
    assertThat(right.signMargin()).isCloseTo(1 / (6 * r), within(1e-6));
    assertThat(pose(SE3, AxisSignRule.SKEWNESS, space(-1)).signMargin())
        .isCloseTo(1 / (12 * r), within(1e-6));
  }

  /** The first point decides by its coordinates, in units of r. */
  @Test
  void theFirstPointsMarginIsItsSmallestCoordinate() {
    PointCloud x =
        new PointCloud(2, new float[] {2, 1, 2, -1, -2, 0, -2, 0}); // E x² = 4, E y² = 1/2, centred
    double r = Math.sqrt(4.5);
    assertThat(pose(E2, AxisSignRule.FIRST_POINT, x).signMargin()).isCloseTo(1 / r, within(1e-6));
    PointCloud moved = new PointCloud(2, new float[] {7, 0, 7, -2, 3, -1, 3, -1});
    assertThat(pose(E2, AxisSignRule.FIRST_POINT, moved).signMargin())
        .as("about the centre, not the origin")
        .isCloseTo(1 / r, within(1e-6));
  }

  /** A float near 1,000 is rounded to 2⁻¹⁴, by at most half of it: 2⁻¹⁴/√12 in the mean square. */
  @Test
  void precisionIsTheRoundingOfThePoints() {
    double r = Math.sqrt(18 / 7.0);
    double at = Math.scalb(1.0, -14) / Math.sqrt(12) / r;
    assertThat(pose(SE2, AxisSignRule.SKEWNESS, plane(1, 1000, 0)).precision())
        .isCloseTo(at, within(1e-4 * at));
    assertThat(pose(SE2, AxisSignRule.SKEWNESS, plane(1, -1000, 1000)).precision())
        .isCloseTo(Math.sqrt(2) * at, within(1e-4 * at));
    assertThat(pose(SE2, AxisSignRule.SKEWNESS, plane(1, 2000, 0)).precision())
        .isCloseTo(2 * at, within(1e-4 * at));
  }

  @Test
  void marginsAreSmallBelowWhatRoundingCanChange() {
    Similarity any = Similarity.identity(2);
    CloudPose fine = new CloudPose(any, 0.5, 0.5, 0, 100);
    assertThat(fine.gapThreshold()).isEqualTo(1e-5);
    assertThat(fine.signThreshold()).isEqualTo(1e-5);
    assertThat(fine.ambiguous()).isFalse();
    CloudPose coarse = new CloudPose(any, 0.5, 0.5, 5e-5, 100);
    assertThat(coarse.gapThreshold()).isCloseTo(0.15, within(1e-12));
    assertThat(coarse.signThreshold()).isCloseTo(3e-5, within(1e-12));
    assertThat(coarse.ambiguous()).isFalse();
    assertThat(new CloudPose(any, 0.14, 0.5, 5e-5, 100).ambiguous()).isTrue();
    assertThat(new CloudPose(any, 0.5, 2.9e-5, 5e-5, 100).ambiguous()).isTrue();
    CloudPose tooCoarse = new CloudPose(any, 0.5, 0.5, CloudPose.TOLERANCE, 100);
    assertThat(tooCoarse.gapThreshold()).isInfinite();
    assertThat(tooCoarse.ambiguous()).isTrue();
  }

  /** By the first coordinate, ties by the next, then by the features. */
  @Test
  void pointsAreOrderedByFeaturesLast() {
    float[] c = {2, 0, 0, 0, 7, 1, 0, 7, 1, 0, 5, 9};
    PointFeature colours =
        PointFeature.colours(new float[] {1, 1, 1, 0, 1, 0, 0, 0, 1, 0.5f, 0.5f, 0.5f});
    PointCloud x = new PointCloud(3, c, List.of(colours));
    PointOrder order = new PointOrder(4);
    assertThat(order.name()).isEqualTo("order");
    Canonical<Permutation, PointCloud> found = order.map(x);
    assertThat(found.element()).isEqualTo(new Permutation(new int[] {3, 2, 1, 0}));
    assertThat(found.point().coordinates()).containsExactly(0, 5, 9, 0, 7, 1, 0, 7, 1, 2, 0, 0);
    assertThat(found.margin()).as("points with the same first coordinate").isZero();
    assertThat(new OrderedMapping(CloudMapping.of(SimilarityGroup.se(3)), order).name())
        .endsWith("+order");
  }

  /** The smallest step between points that differ, relative to the extent. */
  @Test
  void theMarginOfAnOrderIsItsSmallestStep() {
    float[] c = {3, 0, 0, 7, 0, 0, 3, 0, 0, 5, 0, 0};
    assertThat(new PointOrder(4).map(new PointCloud(3, c)).margin()).isEqualTo(0.5);
    c[9] = 6;
    assertThat(new PointOrder(4).map(new PointCloud(3, c)).margin()).isEqualTo(0.25);
    assertThat(new PointOrder(2).map(new PointCloud(3, new float[] {1, 2, 3, 1, 2, 3})).margin())
        .as("nothing can be exchanged")
        .isInfinite();
    assertThat(new PointOrder(2).map(new PointCloud(3, new float[] {1, 2, 3, 1, 2, 4})).margin())
        .isZero();
  }

  @Test
  void rulesAndMappingsHaveNames() {
    assertThat(AxisSignRule.named(" First-Point")).isEqualTo(AxisSignRule.FIRST_POINT);
    assertThat(ScaleRule.named("max-norm ")).isEqualTo(ScaleRule.MAX_NORM);
    assertThat(CloudMapping.of(SimilarityGroup.similarities(3)))
        .hasToString("centred, principal axes with directions by skewness, mean distance 1");
    assertThat(CloudMapping.of(SimilarityGroup.scalings(3))).hasToString("mean distance 1");
    CloudPose unclear = new CloudPose(Similarity.identity(2), 0.5, 1e-6, 0, 100);
    assertThat(AmbiguityPolicy.describe(unclear))
        .contains("expected signMargin >= 1.0e-05, found 1.0e-06");
    CloudPose tied = new CloudPose(Similarity.identity(2), 1e-7, 0.5, 0, 100);
    assertThat(AmbiguityPolicy.describe(tied))
        .contains("expected eigenGap >= 1.0e-05, found 1.0e-07");
  }
}
