package org.orbitmap.mesh.match;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.orbitmap.mesh.spectral.Laplacian;
import org.orbitmap.mesh.spectral.Spectrum;
import org.orbitmap.mesh.spectral.Surface;

/**
 * A surface made ready to be matched: its eigenpairs at area 1, points far apart on it with their
 * shares of the area, gradients of eigenfunctions there, and distances between the first of them.
 */
public final class SampledSurface {
  private static final int FINE = 1000;
  private static final int COARSE = 256;
  private static final int GRADIENTS = 40;

  final Surface surface;
  final Geodesics geodesics;
  final Spectrum spectrum;

  /** All vertices, some of them far apart, and the first of those. */
  final Samples all;

  final Samples fine;
  final Samples coarse;

  /** For each vertex the place of the nearest coarse point. */
  final int[] owner;

  /** Distances between the coarse points, for area 1. */
  final float[][] distance;

  /** Gradients at the fine points: x and y in a triangle there, for each eigenfunction. */
  final double[][] gradient;

  /**
   * Points with their share of the area.
   *
   * @param basis one row of values for each eigenfunction
   */
  record Samples(int[] vertices, double[] weight, double[][] basis) {
    int size() {
      return vertices.length;
    }
  }

  /**
   * Prepares a surface with k eigenpairs.
   *
   * @throws IllegalArgumentException if it is not connected or has fewer than k vertices
   */
  public SampledSurface(Surface surface, int k) {
    this.surface = surface;
    int parts = Arrays.stream(surface.components()).max().orElse(0) + 1;
    if (parts > 1) {
      throw new IllegalArgumentException(
          "match: expected a connected surface, found %d parts: match them one by one"
              .formatted(parts));
    }
    geodesics = new Geodesics(surface);
    spectrum = Laplacian.of(surface).spectrum(k).unitArea();
    int n = surface.vertices();
    int[] nearest = new int[n];
    fine = samples(geodesics.farthest(FINE, nearest), nearest);
    int[] first = geodesics.farthest(COARSE, nearest);
    coarse = samples(first, nearest);
    owner = nearest;
    all = new Samples(IntStream.range(0, n).toArray(), spectrum.mass(), spectrum.functions());
    double unit = 1 / Math.sqrt(surface.area());
    distance = new float[first.length][];
    IntStream.range(0, first.length)
        .parallel()
        .forEach(
            i -> {
              float[] d = geodesics.from(first[i]);
              float[] row = new float[first.length];
              for (int j = 0; j < row.length; j++) {
                row[j] = (float) (d[first[j]] * unit);
              }
              distance[i] = row;
            });
    gradient = gradients(fine.vertices());
  }

  /** How many vertices the surface has. */
  public int vertices() {
    return surface.vertices();
  }

  /** The eigenpairs, for area 1. */
  public Spectrum spectrum() {
    return spectrum;
  }

  private Samples samples(int[] points, int[] nearest) {
    double[] weight = new double[points.length];
    for (int v = 0; v < nearest.length; v++) {
      weight[nearest[v]] += spectrum.mass()[v];
    }
    double[][] basis = new double[spectrum.size()][points.length];
    for (int i = 0; i < basis.length; i++) {
      for (int p = 0; p < points.length; p++) {
        basis[i][p] = spectrum.functions()[i][points[p]];
      }
    }
    return new Samples(points, weight, basis);
  }

  /** In the largest triangle around each point, laid out with its first side along x. */
  private double[][] gradients(int[] points) {
    int[] face = new int[surface.vertices()];
    Arrays.fill(face, -1);
    for (int h = 0; h < surface.triangles().length; h++) {
      int v = surface.triangles()[h];
      if (face[v] < 0 || surface.area(h / 3) > surface.area(face[v])) {
        face[v] = h / 3;
      }
    }
    double unit = Math.sqrt(surface.area());
    double[][] g = new double[Math.min(GRADIENTS, spectrum.size())][2 * points.length];
    for (int p = 0; p < points.length; p++) {
      int h = 3 * face[points[p]];
      double l0 = surface.lengths()[h] / unit;
      double l1 = surface.lengths()[h + 1] / unit;
      double l2 = surface.lengths()[h + 2] / unit;
      double x = (l0 * l0 + l2 * l2 - l1 * l1) / (2 * l0);
      double y = Math.sqrt(Math.max(l2 * l2 - x * x, 1e-20));
      for (int i = 0; i < g.length; i++) {
        double[] f = spectrum.functions()[i];
        double f0 = f[surface.triangles()[h]];
        double gx = (f[surface.triangles()[h + 1]] - f0) / l0;
        g[i][2 * p] = gx;
        g[i][2 * p + 1] = (f[surface.triangles()[h + 2]] - f0 - gx * x) / y;
      }
    }
    return g;
  }
}
