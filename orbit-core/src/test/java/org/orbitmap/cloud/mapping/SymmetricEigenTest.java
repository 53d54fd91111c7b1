package org.orbitmap.cloud.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.SimilarityGroup;

class SymmetricEigenTest {
  @Test
  void reconstructsMatricesOfEverySizeAndTie() {
    Random random = new Random(4);
    for (int d = 2; d <= 3; d++) {
      for (int k = 0; k < 3000; k++) {
        double[] r = SimilarityGroup.so(d).sample(random).rotation();
        double unit = Math.pow(10, random.nextInt(41) - 20);
        double[] lambda = new double[d];
        for (int i = 0; i < d; i++) {
          lambda[i] =
              unit * (k % 3 == 0 ? 1 : k % 3 == 1 ? random.nextInt(3) : random.nextDouble());
        }
        double[] m = new double[d * d];
        for (int i = 0; i < d; i++) {
          for (int a = 0; a < d; a++) {
            for (int b = 0; b < d; b++) {
              m[a * d + b] += lambda[i] * r[i * d + a] * r[i * d + b];
            }
          }
        }
        double[] values = new double[d];
        double[] axes = new double[d * d];
        SymmetricEigen.decompose(d, m.clone(), values, axes);
        for (int a = 0; a < d; a++) {
          assertThat(a == 0 || values[a - 1] >= values[a]).isTrue();
          for (int b = 0; b < d; b++) {
            double product = 0;
            double back = 0;
            for (int i = 0; i < d; i++) {
              product += axes[a * d + i] * axes[b * d + i];
              back += values[i] * axes[i * d + a] * axes[i * d + b];
            }
            assertThat(product).isCloseTo(a == b ? 1 : 0, within(1e-14));
            assertThat(back).isCloseTo(m[a * d + b], within(1e-14 * unit));
          }
        }
      }
    }
  }
}
