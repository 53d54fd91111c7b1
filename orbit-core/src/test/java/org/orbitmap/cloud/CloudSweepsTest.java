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

  /** What each pose does to the corner (1, 2, 4), and what it is called. */
  @Test
  void posesDoWhatTheirLabelsSay() {
    PointCloud x = Solids.of(1, 2, 4);
    moves(CloudSweeps.scales(), 3, "0.5", x, 0.5, 1, 2);
    moves(CloudSweeps.shifts(), 0, "x-10.0", x, -9, 2, 4);
    moves(CloudSweeps.shifts(), 13, "y+0.5", x, 1, 2.5, 4);
    moves(CloudSweeps.shifts(), 23, "z+10.0", x, 1, 2, 14);
    moves(CloudSweeps.allShifts(), 511 - 8, "10.0, 1.0, 10.0", x, 11, 3, 14);
    moves(CloudSweeps.rotations(4), 7, "90.00°, 270.0°", x, -2, 4, -1);
    moves(CloudSweeps.rotationsOfThePaper(), 255, "360.0°, 360.0°", x, 1, 2, 4);
    moves(CloudSweeps.headings(4), 1, "90°", x, -2, 1, 4);
    assertThat(CloudSweeps.headings(4).poses().get(3).value()).isEqualTo(270);
    Sweep<PointCloud> random = CloudSweeps.randomRotations(3, new Random(1));
    moves(random, 0, "none", x, 1, 2, 4);
    assertThat(random.poses()).hasSize(4).last().extracting("label").isEqualTo("random 3");
    Sweep<PointCloud> orders = CloudSweeps.orders(2, 1);
    moves(orders, 0, "none", x, 1, 2, 4);
    assertThat(orders.poses()).extracting("label").containsExactly("none", "order 1", "order 2");
    assertThat(orders.poses()).extracting("value").containsExactly(0.0, 1.0, 2.0);
  }

  private static void moves(
      Sweep<PointCloud> sweep, int k, String label, PointCloud x, double... to) {
    Sweep.Pose<PointCloud> pose = sweep.poses().get(k);
    assertThat(pose.label()).isEqualTo(label);
    assertThat(Solids.of(to).relativeDistance(pose.transform().apply(x))).isLessThan(1e-6);
  }

  /** A group is swept by what it holds, and by nothing else. */
  @Test
  void aGroupHasItsSweeps() {
    assertThat(names("sim3")).containsExactly("rotation 16", "scale 9", "shift 24", "random 6");
    assertThat(names("o3")).containsExactly("rotation 16", "random 6");
    assertThat(names("so2")).containsExactly("rotation 4", "random 6");
    assertThat(names("scale")).containsExactly("scale 9", "random 6");
    assertThat(names("translation")).containsExactly("shift 24", "random 6");
  }

  private static List<String> names(String group) {
    return CloudSweeps.of(SimilarityGroup.named(group, 3), 4, 5, new Random(1)).stream()
        .map(s -> s.name() + " " + s.poses().size())
        .toList();
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
