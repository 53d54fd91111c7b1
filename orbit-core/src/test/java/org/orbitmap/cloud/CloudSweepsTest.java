package org.orbitmap.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.SimilarityGroup;

class CloudSweepsTest {
  @Test
  void theSweepsHaveThePosesOfThePaper() {
    PointCloud x = Solids.blob(3, 50, new Random(1));
    assertThat(CloudSweeps.scales().poses()).hasSize(9);
    assertThat(distinct(CloudSweeps.scales(), x)).isEqualTo(9);
    assertThat(distinct(CloudSweeps.rotations(), x)).isEqualTo(256);
    assertThat(CloudSweeps.rotationsOfThePaper().poses()).hasSize(256);
    assertThat(distinct(CloudSweeps.rotationsOfThePaper(), x)).isEqualTo(225);
    assertThat(distinct(CloudSweeps.shifts(), x)).isEqualTo(24);
    assertThat(distinct(CloudSweeps.allShifts(), x)).isEqualTo(512);
    assertThat(distinct(CloudSweeps.randomRotations(20, new Random(3)), x)).isEqualTo(21);
    assertThat(distinct(CloudSweeps.orders(8, 3), x)).isEqualTo(9);
    assertThat(CloudSweeps.rotations().poses().get(0).identity()).isTrue();
  }

  @Test
  void aCanonicalCloudIsTheSameInEveryPose() {
    PointCloud x = Solids.blob(3, 500, new Random(2));
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.similarities(3));
    PointCloud canonical = mapping.map(x).point();
    for (Sweep<PointCloud> sweep :
        List.of(
            CloudSweeps.scales(),
            CloudSweeps.rotations(),
            CloudSweeps.shifts(),
            CloudSweeps.allShifts())) {
      for (Sweep.Pose<PointCloud> pose : sweep.poses()) {
        assertThat(canonical.relativeDistance(mapping.map(pose.transform().apply(x)).point()))
            .as("%s %s", sweep.name(), pose.label())
            .isLessThan(1e-5);
      }
    }
  }

  /** Poses of which no two are the same up to rounding. */
  private static long distinct(Sweep<PointCloud> sweep, PointCloud x) {
    List<PointCloud> all = sweep.poses().stream().map(p -> p.transform().apply(x)).toList();
    long distinct = 0;
    for (int i = 0; i < all.size(); i++) {
      PointCloud a = all.get(i);
      if (all.subList(0, i).stream().noneMatch(b -> a.relativeDistance(b) < 1e-5)) {
        distinct++;
      }
    }
    return distinct;
  }
}
