package org.orbitmap.mesh.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.mesh.TestMeshes;
import org.orbitmap.mesh.spectral.Signatures;
import org.orbitmap.mesh.spectral.Surface;

/**
 * The fit makes its energy least: written down from the definition, it does not fall in any
 * direction from there.
 */
class DescriptorFitTest {
  private static final int K = 5;
  private static final int COUNT = 3;
  private static final Mesh BODY = TestMeshes.body(1);
  private static final SampledSurface A = new SampledSurface(Surface.of(BODY), 8);
  private static final SampledSurface B =
      new SampledSurface(
          Surface.of(
              TestMeshes.moved(
                  BODY, x -> new double[] {1.3 * x[0], x[1] + 0.3 * x[0] * x[0], 0.8 * x[2]})),
          8);

  private static final double[][] ON_A = descriptors(A);
  private static final double[][] ON_B = descriptors(B);

  private static double[][] descriptors(SampledSurface s) {
    return Signatures.waveKernel(s.spectrum, COUNT);
  }

  /** Operators of A and B that C should exchange. */
  private record Pair(double[][] x, double[][] y) {}

  /** The energy ‖C A - B‖² + l ‖C Λ_A - Λ_B C‖² + m Σ ‖C Mᵢ - Nᵢ C‖² + o Σ ‖C Gᵢ - Hᵢ C‖². */
  private record Energy(double[][] a, double[][] b, List<Pair> pairs) {
    static Energy of() {
      double[][] a = new double[COUNT][];
      double[][] b = new double[COUNT][];
      List<Pair> pairs = new ArrayList<>();
      for (int d = 0; d < COUNT; d++) {
        double[] ca = A.spectrum.first(K).project(ON_A[d]);
        double[] cb = B.spectrum.first(K).project(ON_B[d]);
        double norm = Math.sqrt((squared(ca) + squared(cb)) / 2);
        a[d] = Arrays.stream(ca).map(v -> v / norm).toArray();
        b[d] = Arrays.stream(cb).map(v -> v / norm).toArray();
        pairs.add(unit(multiplication(A, ON_A[d]), multiplication(B, ON_B[d])));
        pairs.add(unit(rotation(A, a[d]), rotation(B, b[d])));
      }
      return new Energy(a, b, pairs);
    }

    double of(double[][] c) {
      double sum = 0;
      for (int d = 0; d < COUNT; d++) {
        for (int i = 0; i < K; i++) {
          double e = -b[d][i];
          for (int j = 0; j < K; j++) {
            e += c[i][j] * a[d][j];
          }
          sum += e * e;
        }
      }
      double[] onA = A.spectrum.values();
      double[] onB = B.spectrum.values();
      double last = Math.max(onA[K - 1], onB[K - 1]);
      for (int i = 0; i < K; i++) {
        for (int j = 0; j < K; j++) {
          double e = c[i][j] * (onA[j] - onB[i]) / last;
          sum += 1e-2 * COUNT * e * e;
        }
      }
      for (Pair p : pairs) {
        for (int i = 0; i < K; i++) {
          for (int j = 0; j < K; j++) {
            double e = 0;
            for (int l = 0; l < K; l++) {
              e += c[i][l] * p.x[l][j] - p.y[i][l] * c[l][j];
            }
            sum += 1e-1 * e * e;
          }
        }
      }
      return sum;
    }
  }

  private static double squared(double[] x) {
    return Arrays.stream(x).map(v -> v * v).sum();
  }

  /** Both operators divided by the root of their mean squared norm. */
  private static Pair unit(double[][] x, double[][] y) {
    double norm = 0;
    for (int i = 0; i < K; i++) {
      norm += (squared(x[i]) + squared(y[i])) / 2;
    }
    for (int i = 0; i < K; i++) {
      for (int j = 0; j < K; j++) {
        x[i][j] /= Math.sqrt(norm);
        y[i][j] /= Math.sqrt(norm);
      }
    }
    return new Pair(x, y);
  }

  private static double[][] multiplication(SampledSurface s, double[] f) {
    double mean = 0;
    for (int v = 0; v < f.length; v++) {
      mean += s.spectrum.mass()[v] * f[v];
    }
    double[][] m = new double[K][K];
    for (int p = 0; p < s.fine.size(); p++) {
      for (int i = 0; i < K; i++) {
        for (int j = 0; j < K; j++) {
          m[i][j] +=
              s.fine.weight()[p]
                  * s.fine.basis()[i][p]
                  * (f[s.fine.vertices()[p]] - mean)
                  * s.fine.basis()[j][p];
        }
      }
    }
    return m;
  }

  private static double[][] rotation(SampledSurface s, double[] f) {
    double[][] m = new double[K][K];
    for (int p = 0; p < s.fine.size(); p++) {
      double x = 0;
      double y = 0;
      for (int l = 0; l < K; l++) {
        x += f[l] * s.gradient[l][2 * p];
        y += f[l] * s.gradient[l][2 * p + 1];
      }
      for (int i = 0; i < K; i++) {
        for (int j = 0; j < K; j++) {
          m[i][j] +=
              s.fine.weight()[p]
                  * s.fine.basis()[i][p]
                  * (x * s.gradient[j][2 * p + 1] - y * s.gradient[j][2 * p]);
        }
      }
    }
    return m;
  }

  @Test
  void noDirectionLeadsDown() {
    Energy energy = Energy.of();
    double[][] c = new DescriptorFit(K, A, B, ON_A, ON_B).solve().c();
    double least = energy.of(c);
    assertThat(least).isLessThan(0.5 * energy.of(new double[K][K]));
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 50; trial++) {
      double[][] up = new double[K][K];
      double[][] down = new double[K][K];
      for (int i = 0; i < K; i++) {
        for (int j = 0; j < K; j++) {
          double step = random.nextDouble(-1, 1);
          up[i][j] = c[i][j] + step;
          down[i][j] = c[i][j] - step;
        }
      }
      // of a quadratic form this difference is twice its slope
      assertThat(energy.of(up) - energy.of(down)).isEqualTo(0, within(1e-5));
    }
  }

  @Test
  void aSurfaceFitsItself() {
    double[][] c = new DescriptorFit(K, A, A, ON_A, ON_A).solve().c();
    for (int i = 0; i < K; i++) {
      for (int j = 0; j < K; j++) {
        assertThat(c[i][j]).isEqualTo(i == j ? 1 : 0, within(1e-5));
      }
    }
  }
}
