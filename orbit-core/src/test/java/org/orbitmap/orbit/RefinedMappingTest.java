package org.orbitmap.orbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.Solids;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.group.ScaleShifts;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.Images;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.vector.VectorActions;
import org.orbitmap.vector.VectorMappings;

class RefinedMappingTest {
  private static final Rotation2 THIRTY = Rotation2.ofDegrees(30);

  /** One interpolation from the input, none of the canonical image; s sees the canonical image. */
  @Test
  void anImageIsResampledOnce() {
    RotationMapping disc = RotationMapping.disc();
    Image x = Images.blobs(3, 33, 46, 7);
    AtomicReference<Image> seen = new AtomicReference<>();
    OrbitMapping<Rotation2, Image> refined =
        disc.refinedBy(
            y -> {
              seen.set(y);
              return THIRTY;
            });
    Canonical<Rotation2, Image> base = disc.map(x);
    Canonical<Rotation2, Image> c = refined.map(x);
    assertThat(seen.get()).isEqualTo(base.point());
    assertThat(c.element()).isEqualTo(THIRTY.times(base.element()));
    assertThat(c.margin()).isEqualTo(base.margin());
    assertThat(c.point()).isEqualTo(disc.action().act(c.element(), x));
    assertThat(c.point()).isNotEqualTo(disc.action().act(THIRTY, base.point()));
  }

  @Test
  void theNameTheGuaranteeAndTheGroupAreCarriedOn() {
    OrbitMapping<Rotation2, Image> refined = RotationMapping.disc().refinedBy(y -> THIRTY);
    assertThat(refined.name()).isEqualTo("disc+refined");
    assertThat(refined.guarantee()).isEqualTo(RotationMapping.disc().guarantee());
    assertThat(refined.action()).isEqualTo(RotationMapping.disc().action());
    assertThat(refined.mapped()).isEqualTo(RotationMapping.disc().mapped());
    Permutation reverse = new Permutation(new int[] {2, 1, 0});
    assertThat(VectorMappings.sorting(3).refinedBy(y -> reverse).guarantee())
        .isEqualTo(Guarantee.EXACT);
    assertThatThrownBy(() -> RotationMapping.disc().refinedBy(null))
        .isInstanceOf(NullPointerException.class);
  }

  /** Refining by the constant e changes nothing; refining twice is refining by a product. */
  @Test
  void refinementsCompose() {
    OrbitMapping<ScaleShift, double[]> base = VectorMappings.meanAndNorm();
    Function<double[], ScaleShift> s = y -> new ScaleShift(2 + Math.sin(y[0]), y[1]);
    Function<double[], ScaleShift> t = y -> new ScaleShift(1, y[2] * y[2]);
    double[] x = {1, 5, -2, 0.5};
    assertThat(base.refinedBy(y -> new ScaleShifts().identity()).map(x).element())
        .isEqualTo(base.map(x).element());
    Canonical<ScaleShift, double[]> twice = base.refinedBy(s).refinedBy(t).map(x);
    double[] y = base.map(x).point();
    double[] z = VectorActions.SCALE_SHIFT.act(s.apply(y), y);
    ScaleShift both = new ScaleShifts().compose(t.apply(z), s.apply(y));
    assertThat(twice.point())
        .containsExactly(VectorActions.SCALE_SHIFT.act(both, y), within(1e-12));
  }

  /** The refined point lies on the orbit, where the mapping gives the same again. */
  @Test
  void idempotentUnlessTheCorrectionLeavesTheMappedGroup() {
    double[] x = {1, 5, -2, 0.5};
    OrbitMapping<ScaleShift, double[]> mean =
        VectorMappings.mean().within(ScaleShift::shift, VectorActions.SCALE_SHIFT);
    OrbitMapping<ScaleShift, double[]> inside = mean.refinedBy(y -> ScaleShift.shift(y[1]));
    double[] once = inside.map(x).point();
    assertThat(inside.map(once).point()).containsExactly(once, within(1e-12));
    OrbitMapping<ScaleShift, double[]> outside = mean.refinedBy(y -> ScaleShift.scale(2));
    double[] doubled = outside.map(x).point();
    double[] again = outside.map(doubled).point();
    assertThat(again[0]).isCloseTo(2 * doubled[0], within(1e-12));
    double[] shifted = VectorActions.SHIFT.act(3.0, x);
    assertThat(outside.map(shifted).point()).containsExactly(doubled, within(1e-12));
  }

  /** Only a group that holds every value of s can be carried. */
  @Test
  void compositionsAreRefusedWhereTheCorrectionMayBreakThem() {
    SimilarityGroup sim3 = SimilarityGroup.similarities(3);
    CloudAction joint = new CloudAction(sim3);
    OrbitMapping<Similarity, PointCloud> centre =
        CloudMapping.of(SimilarityGroup.translations(3)).within(g -> g, joint);
    OrbitMapping<Similarity, PointCloud> axes =
        CloudMapping.of(SimilarityGroup.so(3)).within(g -> g, joint);
    OrbitMapping<Similarity, PointCloud> refined =
        centre.refinedBy(y -> Similarity.translation(y.coordinates()[0], 0, 0));
    assertThat(centre.then(axes, joint)).isNotNull();
    assertThatThrownBy(() -> refined.then(axes, joint))
        .hasMessageContaining("centre+refined does not carry orbits of SO(3)");
    assertThat(refined.carries()).containsExactly(sim3);
    OrbitMapping<Similarity, PointCloud> whole = refined.then(CloudMapping.of(sim3), joint);
    Random random = new Random(4);
    PointCloud x = Solids.blob(3, 200, random);
    PointCloud expected = whole.map(x).point();
    for (int k = 0; k < 20; k++) {
      PointCloud moved = joint.act(sim3.sample(random, 2, 2), x);
      assertThat(expected.relativeDistance(whole.map(moved).point())).isLessThan(1e-4);
    }
    OrbitMapping<ScaleShift, double[]> mean =
        VectorMappings.mean().within(ScaleShift::shift, VectorActions.SCALE_SHIFT);
    assertThat(mean.refinedBy(y -> ScaleShift.shift(1)).carries()).isEmpty();
  }
}
