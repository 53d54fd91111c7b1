package org.orbitmap.mesh.spectral;

import java.util.Arrays;

/**
 * What isometric surfaces have in common, point by point and as a whole, read off the eigenpairs.
 *
 * <p>All of them are for the surface scaled to area 1, so that they do not change with its size:
 * there the eigenvalues are λ·area, and times and energies are numbers without a unit.
 */
public final class Signatures {
  private Signatures() {}

  /**
   * Heat kernel signature: how much heat is left at a point after time t, Σ e^(-λt) φ(x)². Times
   * run in equal ratios from 4 ln 10 / λ_last to 4 ln 10 / λ_1; each signature is divided by its
   * mean over the surface.
   *
   * @return one function for each time
   */
  public static double[][] heatKernel(Spectrum spectrum, int times) {
    Spectrum s = spectrum.unitArea();
    int first = firstPositive(s);
    double least = 4 * Math.log(10) / s.values()[s.size() - 1];
    double most = 4 * Math.log(10) / s.values()[first];
    double[][] result = new double[times][];
    for (int j = 0; j < times; j++) {
      double t = least * Math.pow(most / least, times == 1 ? 0 : (double) j / (times - 1));
      double[] weight = Arrays.stream(s.values()).map(x -> Math.exp(-x * t)).toArray();
      result[j] = density(s, weight);
    }
    return result;
  }

  /**
   * Wave kernel signature: how likely a quantum particle of an energy is met at a point, Σ exp(-(e
   * - ln λ)² / 2σ²) φ(x)², divided by the sum of the weights. Energies run evenly from ln λ_1 to ln
   * λ_last, two σ inside both ends, with σ seven steps.
   *
   * @return one function for each energy
   */
  public static double[][] waveKernel(Spectrum spectrum, int energies) {
    Spectrum s = spectrum.unitArea();
    int first = firstPositive(s);
    double least = Math.log(s.values()[first]);
    double most = Math.log(s.values()[s.size() - 1]);
    double sigma = 7 * (most - least) / Math.max(1, energies);
    double from = least + 2 * sigma;
    double to = most - 2 * sigma;
    if (to < from) {
      from = (from + to) / 2;
      to = from;
    }
    double[][] result = new double[energies][];
    for (int j = 0; j < energies; j++) {
      double e = from + (to - from) * (energies == 1 ? 0.5 : (double) j / (energies - 1));
      double[] weight = new double[s.size()];
      for (int i = first; i < weight.length; i++) {
        double d = (e - Math.log(s.values()[i])) / sigma;
        weight[i] = Math.exp(-d * d / 2);
      }
      result[j] = density(s, weight);
    }
    return result;
  }

  /** Σ wᵢ φᵢ² / Σ wᵢ: 1 in the mean over a surface of area 1. */
  private static double[] density(Spectrum s, double[] weight) {
    double sum = Arrays.stream(weight).sum();
    double[] f = new double[s.vertices()];
    for (int i = 0; i < weight.length; i++) {
      if (weight[i] > 1e-12 * sum) {
        double[] phi = s.functions()[i];
        double w = weight[i] / sum;
        for (int v = 0; v < f.length; v++) {
          f[v] += w * phi[v] * phi[v];
        }
      }
    }
    return f;
  }

  /**
   * Global point signature: the point (φ₁/√λ₁, φ₂/√λ₂, …), whose distances do not depend on the
   * bases inside equal eigenvalues.
   *
   * @return one function for each eigenvalue above 0
   */
  public static double[][] globalPoint(Spectrum spectrum) {
    Spectrum s = spectrum.unitArea();
    int first = firstPositive(s);
    double[][] result = new double[s.size() - first][];
    for (int i = first; i < s.size(); i++) {
      double root = Math.sqrt(s.values()[i]);
      result[i - first] = Arrays.stream(s.functions()[i]).map(x -> x / root).toArray();
    }
    return result;
  }

  /**
   * Shape-DNA: the first eigenvalues above 0 of the surface with area 1, each divided by what
   * Weyl's law expects, 4πi, so that all of them weigh alike. An invariant of the whole shape.
   */
  public static double[] shapeDna(Spectrum spectrum) {
    Spectrum s = spectrum.unitArea();
    int first = firstPositive(s);
    double[] dna = new double[s.size() - first];
    for (int i = 0; i < dna.length; i++) {
      dna[i] = s.values()[first + i] / (4 * Math.PI * (i + 1));
    }
    return dna;
  }

  /**
   * The place of the first eigenvalue above 0.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static int firstPositive(Spectrum s) {
    double unit = 4 * Math.PI / s.area();
    for (int i = 0; i < s.size(); i++) {
      if (s.values()[i] > 1e-7 * unit) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "signatures: expected an eigenvalue above 0, found %d that are 0: the surface has as many"
                .formatted(s.size())
            + " parts; take more eigenvalues");
  }
}
