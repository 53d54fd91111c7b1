package org.orbitmap.mesh.match;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import org.orbitmap.mesh.spectral.Signatures;
import org.orbitmap.mesh.spectral.Spectrum;

/**
 * Finds which point of a surface A belongs to each point of a surface B that is A bent.
 *
 * <p>Maps from a fit of descriptors and from a search over signs compete; the one that changes
 * distances least and keeps the sense of rotation is refined by ZoomOut (Melzi et al. 2019): points
 * from functions, functions from points, with more and more eigenfunctions.
 *
 * @param eigen how many eigenfunctions the result has
 * @param descriptors what the fit compares
 * @param landmarks vertices that are known to correspond
 * @param refined whether to refine; otherwise the result has as many functions as the choice among
 *     candidates
 */
public record SurfaceMatcher(
    int eigen, Descriptors descriptors, Landmarks landmarks, boolean refined)
    implements Serializable {
  /** How many eigenfunctions are compared by descriptors. */
  private static final int FITTED = 35;

  /** How many descriptors are compared. */
  private static final int DESCRIPTORS = 20;

  /** How many functions a step of ZoomOut adds. */
  private static final int STEP = 5;

  /** What is compared at points. */
  public enum Descriptors {
    /** Wave kernel signatures. */
    WKS {
      @Override
      double[][] of(Spectrum s, int count) {
        return Signatures.waveKernel(s, count);
      }
    },
    /** Heat kernel signatures. */
    HKS {
      @Override
      double[][] of(Spectrum s, int count) {
        return Signatures.heatKernel(s, count);
      }
    };

    abstract double[][] of(Spectrum s, int count);
  }

  /** 100 eigenfunctions, wave kernels, ZoomOut. */
  public static final SurfaceMatcher DEFAULT =
      new SurfaceMatcher(100, Descriptors.WKS, Landmarks.NONE, true);

  public SurfaceMatcher {
    Objects.requireNonNull(descriptors, "descriptors");
    Objects.requireNonNull(landmarks, "landmarks");
    if (eigen < 4) {
      throw new IllegalArgumentException(
          "match: expected at least 4 eigenfunctions, found " + eigen);
    }
  }

  /** Matches two surfaces that were prepared with the same number of eigenpairs. */
  public SurfaceMatch match(SampledSurface a, SampledSurface b) {
    Landmarks known = landmarks.checked(a.vertices(), b.vertices());
    ForkJoinTask<FunctionalMap> fitted = ForkJoinPool.commonPool().submit(() -> fit(a, b));
    List<Candidate> found = new MapSearch(a, b, known).run(fitted::join);
    Candidate best = found.get(0);
    FunctionalMap c = best.map();
    if (refined) {
      int most = Math.min(eigen, Math.min(a.spectrum.size(), b.spectrum.size()));
      int[] t = c.points(a.fine.basis(), b.fine.basis());
      for (int k = c.c().length; k < most; ) {
        k = Math.min(most, k + STEP);
        c = FunctionalMap.of(k, a.fine, b.fine, t);
        t = c.points(a.fine.basis(), b.fine.basis());
      }
      c = FunctionalMap.of(most, a.fine, b.fine, t);
    }
    return SurfaceMatch.of(a, b, c, gap(found));
  }

  /** By how much the next map that differs is worse: 0 for one as good, towards 1 for none. */
  private static double gap(List<Candidate> found) {
    return found.size() < 2 ? 1 : 1 - found.get(0).energy() / found.get(1).energy();
  }

  /** The least-squares map by descriptors, and by heat that spreads from landmarks. */
  FunctionalMap fit(SampledSurface a, SampledSurface b) {
    int k = Math.min(FITTED, Math.min(a.spectrum.size(), b.spectrum.size()));
    List<double[]> onA = new ArrayList<>(Arrays.asList(descriptors.of(a.spectrum, DESCRIPTORS)));
    List<double[]> onB = new ArrayList<>(Arrays.asList(descriptors.of(b.spectrum, DESCRIPTORS)));
    for (int i = 0; i < landmarks.size(); i++) {
      onA.addAll(heat(a.spectrum, landmarks.onA()[i]));
      onB.addAll(heat(b.spectrum, landmarks.onB()[i]));
    }
    return new DescriptorFit(k, a, b, onA.toArray(double[][]::new), onB.toArray(double[][]::new))
        .solve();
  }

  /** Heat from one vertex after a shorter and a longer time. */
  private static List<double[]> heat(Spectrum s, int source) {
    List<double[]> result = new ArrayList<>();
    for (double t : new double[] {0.003, 0.02}) {
      double[] c = new double[s.size()];
      for (int i = 0; i < c.length; i++) {
        c[i] = Math.exp(-t * s.values()[i]) * s.functions()[i][source];
      }
      result.add(s.function(c));
    }
    return result;
  }
}
