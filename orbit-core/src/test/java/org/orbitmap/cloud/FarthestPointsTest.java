package org.orbitmap.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.SimilarityGroup;

class FarthestPointsTest {
  private static float[] noise(int points, int dimension, long seed) {
    Random random = new Random(seed);
    float[] x = new float[points * dimension];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) random.nextGaussian() * (1 + i % dimension);
    }
    return x;
  }

  /** The definition, in doubles. */
  private static int[] plain(float[] x, int dimension, int count) {
    int n = x.length / dimension;
    double[] mean = new double[dimension];
    for (int i = 0; i < x.length; i++) {
      mean[i % dimension] += x[i] / (double) n;
    }
    List<Integer> chosen = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      int far = -1;
      double most = -1;
      for (int i = 0; i < n; i++) {
        double nearest = chosen.isEmpty() ? distance(x, i, mean) : Double.POSITIVE_INFINITY;
        for (int j : chosen) {
          double[] p = new double[dimension];
          Arrays.setAll(p, d -> x[j * dimension + d]);
          nearest = Math.min(nearest, distance(x, i, p));
        }
        if (nearest > most) {
          most = nearest;
          far = i;
        }
      }
      chosen.add(far);
    }
    return chosen.stream().mapToInt(i -> i).toArray();
  }

  private static double distance(float[] x, int i, double[] p) {
    double sum = 0;
    for (int d = 0; d < p.length; d++) {
      sum += Math.pow(x[i * p.length + d] - p[d], 2);
    }
    return sum;
  }

  @Test
  void eachIsTheFarthestFromThoseBefore() {
    for (int dimension : new int[] {2, 3}) {
      for (long seed = 0; seed < 20; seed++) {
        int points = 30 + (int) seed;
        float[] x = noise(points, dimension, seed);
        int[] expected = plain(x, dimension, 20);
        assertThat(FarthestPoints.of(x, 0, points, dimension, 20)).containsExactly(expected);
        float[] behind = new float[x.length + 7];
        System.arraycopy(x, 0, behind, 7, x.length);
        assertThat(FarthestPoints.of(behind, 7, points, dimension, 20)).containsExactly(expected);
      }
    }
  }

  /** The same points in another pose, and in another order. */
  @Test
  void theyDependOnNeitherPoseNorOrder() {
    CloudAction action = new CloudAction(SimilarityGroup.similarities(3));
    Random random = new Random(1);
    for (long seed = 0; seed < 20; seed++) {
      float[] x = noise(200, 3, seed);
      int[] chosen = FarthestPoints.of(x, 0, 200, 3, 40);
      var g = action.group().sample(random, 3, 3);
      float[] moved = action.act(g, new PointCloud(3, x)).coordinates();
      assertThat(FarthestPoints.of(moved, 0, 200, 3, 40)).containsExactly(chosen);
      List<Integer> order = new ArrayList<>(IntStream.range(0, 200).boxed().toList());
      Collections.shuffle(order, random);
      float[] shuffled = new float[x.length];
      for (int i = 0; i < 200; i++) {
        System.arraycopy(x, 3 * order.get(i), shuffled, 3 * i, 3);
      }
      assertThat(Arrays.stream(FarthestPoints.of(shuffled, 0, 200, 3, 40)).map(order::get))
          .containsExactly(Arrays.stream(chosen).boxed().toArray(Integer[]::new));
    }
  }

  /** Of points that are as far, the first; all points, each once; the same point many times. */
  @Test
  void tiesAndRepetitions() {
    float[] square = {-1, -1, 1, -1, 1, 1, -1, 1};
    assertThat(FarthestPoints.of(square, 0, 4, 2, 4)).containsExactly(0, 2, 1, 3);
    assertThat(FarthestPoints.of(new float[15], 0, 5, 3, 3)).containsExactly(0, 0, 0);
    assertThat(FarthestPoints.of(noise(50, 3, 2), 0, 50, 3, 50)).doesNotHaveDuplicates();
    assertThatThrownBy(() -> FarthestPoints.of(square, 0, 4, 2, 5))
        .hasMessage("farthest points: expected 1 to 4 of them, found 5");
    assertThatThrownBy(() -> FarthestPoints.of(square, 0, 4, 2, 0)).hasMessageContaining("found 0");
  }
}
