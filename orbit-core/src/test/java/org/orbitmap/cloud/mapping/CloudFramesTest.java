package org.orbitmap.cloud.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;

class CloudFramesTest {
  /** A box of these half widths, skewed along every axis. */
  private static PointCloud box(double... widths) {
    Random random = new Random(5);
    float[] x = new float[9000];
    for (int i = 0; i < x.length; i++) {
      double u = random.nextDouble();
      x[i] = (float) (widths[i % 3] * u * u);
    }
    return new PointCloud(3, x);
  }

  /** A function without symmetry. */
  private static float[] score(PointCloud x) {
    float[] sum = new float[2];
    for (int i = 0; i < x.coordinates().length; i++) {
      sum[i % 2] += (float) Math.sin(x.coordinates()[i] * (1 + i % 3));
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"sim3, 4, 24", "sim3-mirrored, 8, 48", "sim3-upright, 2, 4", "so2, 2, 4"})
  void eachGroupHasItsFrames(String name, int directions, int orders) {
    SimilarityGroup group = SimilarityGroup.named(name, 3);
    assertThat(CloudFrames.counts(group)).containsExactly(1, directions, orders);
    for (int count : CloudFrames.counts(group)) {
      CloudFrames frames = new CloudFrames(CloudMapping.of(group), count);
      for (List<Similarity> state : frames.table()) {
        assertThat(state).hasSize(count);
        assertThat(state.get(0)).isEqualTo(group.identity());
      }
      assertThat(Set.copyOf(frames.table().get(frames.table().size() - 1))).hasSize(count);
    }
    assertThatThrownBy(() -> new CloudFrames(CloudMapping.of(group), 5))
        .hasMessageContaining("expected one of [1, %d, %d]".formatted(directions, orders));
  }

  @Test
  void axesAreExchangedWithThoseThatTheyTieWith() {
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.similarities(3));
    CloudFrames frames = new CloudFrames(mapping, 24);
    double[][] widths = {{3, 2, 1}, {3, 2.99, 1}, {3, 1, 0.99}, {1, 1, 1}};
    int[] distinct = {4, 8, 8, 24};
    for (int k = 0; k < widths.length; k++) {
      PointCloud canonical = mapping.map(box(widths[k])).point();
      assertThat(frames.state(canonical)).isEqualTo(k);
      assertThat(new HashSet<>(frames.of(canonical))).hasSize(distinct[k]);
    }
  }

  /** The mean over the frames is the same in every pose of the group, and of no smaller one. */
  @ParameterizedTest
  @CsvSource({"sim3", "sim3-upright"})
  void whatIsPooledIsInvariant(String name) {
    SimilarityGroup group = SimilarityGroup.named(name, 3);
    for (int count : CloudFrames.counts(group)) {
      Function<PointCloud, float[]> pooled =
          new CloudFrames(CloudMapping.of(group), count).pooled(CloudFramesTest::score);
      PointCloud x = box(3, 2.95, 1);
      float[] expected = pooled.apply(x);
      Random random = new Random(1);
      for (int k = 0; k < 20; k++) {
        PointCloud moved = new CloudAction(group).act(group.sample(random, 3, 3), x);
        assertThat(pooled.apply(moved)[0]).isCloseTo(expected[0], within(1f));
        assertThat(pooled.apply(moved)[1]).isCloseTo(expected[1], within(1f));
      }
    }
  }

  @Test
  void whatIsPooledIsTheMean() {
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.similarities(3));
    CloudFrames frames = new CloudFrames(mapping, 4);
    PointCloud x = box(3, 2, 1);
    double[] mean = new double[2];
    for (PointCloud frame : frames.of(mapping.map(x).point())) {
      mean[0] += score(frame)[0] / 4;
      mean[1] += score(frame)[1] / 4;
    }
    float[] pooled = frames.pooled(CloudFramesTest::score).apply(x);
    assertThat((double) pooled[0]).isNotZero().isCloseTo(mean[0], within(1e-3));
    assertThat((double) pooled[1]).isNotZero().isCloseTo(mean[1], within(1e-3));
  }

  @Test
  void whatStandsStaysUpright() {
    CloudMapping mapping = CloudMapping.of(SimilarityGroup.upright());
    PointCloud x = box(2, 1, 3);
    Similarity g = mapping.map(x).element();
    assertThat(g.rotate(0, 0, 1)).containsExactly(new double[] {0, 0, 1}, within(1e-12));
    PointCloud lying =
        new CloudAction(SimilarityGroup.so(3)).act(Similarity.rotation(0, Math.PI / 2), x);
    assertThat(mapping.map(x).point().relativeDistance(mapping.map(lying).point()))
        .isGreaterThan(0.5);
  }
}
