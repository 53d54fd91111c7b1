package org.orbitmap.nn.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.scheme.CloudAugmentation.Dropped;

class CloudAugmentationTest {
  private static final PointCloud LINE = line(200);

  private static PointCloud line(int points) {
    float[] x = new float[3 * points];
    for (int p = 0; p < points; p++) {
      x[3 * p] = p + 1;
    }
    return new PointCloud(3, x);
  }

  private static Set<List<Float>> points(PointCloud x) {
    Set<List<Float>> all = new HashSet<>();
    for (int p = 0; p < x.size(); p++) {
      float[] c = x.coordinates();
      all.add(List.of(c[3 * p], c[3 * p + 1], c[3 * p + 2]));
    }
    return all;
  }

  @Test
  void scalesAndShiftsWithinTheirRanges() {
    CloudAugmentation a = CloudAugmentation.NONE.scale(0.5, 4).shift(0.25);
    SplittableRandom random = new SplittableRandom(1);
    double low = 9;
    double high = 0;
    double far = 0;
    for (int k = 0; k < 500; k++) {
      float[] x = a.change(LINE, random).coordinates();
      double scale = x[3] - x[0]; // the points are 1 apart
      low = Math.min(low, scale);
      high = Math.max(high, scale);
      far = Math.max(far, Math.abs(x[1]));
    }
    assertThat(low).isBetween(0.499, 0.55);
    assertThat(high).isBetween(3.9, 4.001);
    assertThat(far).isBetween(0.24, 0.25001);
  }

  @Test
  void pointsAreLeftOutInTwoWays() {
    SplittableRandom random = new SplittableRandom(2);
    for (int k = 0; k < 50; k++) {
      PointCloud first = CloudAugmentation.NONE.dropout(0.9, Dropped.FIRST).change(LINE, random);
      assertThat(first.size()).isEqualTo(LINE.size());
      assertThat(points(LINE)).containsAll(points(first));
      for (int p = 0; p < first.size(); p++) {
        assertThat(first.coordinates()[3 * p]).isIn(1f, p + 1f);
      }
      PointCloud again = CloudAugmentation.NONE.dropout(0.9, Dropped.REPEATED).change(LINE, random);
      int left = points(again).size();
      assertThat(left).isBetween(1, 200);
      for (int p = left; p < again.size(); p++) {
        assertThat(again.coordinates()[3 * p]).isEqualTo(again.coordinates()[3 * (p - left)]);
      }
    }
  }

  @Test
  void nothingIsChangedUnlessAsked() {
    SplittableRandom random = new SplittableRandom(3);
    assertThat(CloudAugmentation.NONE.change(LINE, random)).isEqualTo(LINE);
    assertThat(CloudAugmentation.PAPER.change(LINE, random)).isNotEqualTo(LINE);
    assertThat(CloudAugmentation.PAPER.change(LINE, new SplittableRandom(4)))
        .isEqualTo(CloudAugmentation.PAPER.change(LINE, new SplittableRandom(4)));
  }

  @Test
  void wrongRangesAreRefused() {
    assertThatThrownBy(() -> CloudAugmentation.NONE.scale(2, 1))
        .hasMessageContaining("low <= high");
    assertThatThrownBy(() -> CloudAugmentation.NONE.scale(0, 1)).hasMessageContaining("0 < low");
    assertThatThrownBy(() -> CloudAugmentation.NONE.shift(Double.NaN))
        .hasMessageContaining("shift");
    assertThatThrownBy(() -> CloudAugmentation.NONE.dropout(1, Dropped.FIRST))
        .hasMessageContaining("[0, 1)");
    InputShape.Images images = new InputShape.Images(1, 8, 8);
    assertThatThrownBy(() -> Augmenter.of(images, Augmentation.NONE, CloudAugmentation.PAPER))
        .hasMessageContaining("cloud-augmentation: expected scale 1");
    assertThat(CloudAugmentation.PAPER.shift()).isCloseTo(0.1, within(0.0));
  }
}
