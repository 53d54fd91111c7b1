package org.orbitmap.mesh.match;

import java.util.Arrays;
import java.util.List;
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

  /** Points far apart, and the first of them. */
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
   * @param weighted the same times the shares
   * @param factor of the products of the functions at these points: L with L Lᵀ = basis · weightedᵀ
   */
  record Samples(
      int[] vertices, double[] weight, double[][] basis, double[][] weighted, double[][] factor) {
    static Samples of(int[] vertices, double[] weight, double[][] basis) {
      double[][] weighted = new double[basis.length][];
      double[][] gram = new double[basis.length][];
      for (int i = 0; i < basis.length; i++) {
        weighted[i] = times(weight, basis[i]);
        gram[i] = new double[i + 1];
        Rows.dots(weighted[i], Arrays.copyOf(basis, i + 1), gram[i]);
      }
      DenseSolver.factor(gram);
      return new Samples(vertices, weight, basis, weighted, gram);
    }

    private static double[] times(double[] x, double[] y) {
      double[] product = new double[x.length];
      for (int p = 0; p < x.length; p++) {
        product[p] = x[p] * y[p];
      }
      return product;
    }

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
    List<Geodesics.Cells> cells = geodesics.farthest(COARSE, FINE);
    coarse = samples(cells.get(0));
    fine = samples(cells.get(1));
    owner = cells.get(0).owner();
    int[] first = coarse.vertices();
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

  private Samples samples(Geodesics.Cells cells) {
    int[] points = cells.points();
    double[] weight = new double[points.length];
    for (int v = 0; v < vertices(); v++) {
      weight[cells.owner()[v]] += spectrum.mass()[v];
    }
    double[][] basis = new double[spectrum.size()][points.length];
    for (int i = 0; i < basis.length; i++) {
      double[] phi = spectrum.functions()[i];
      for (int p = 0; p < points.length; p++) {
        basis[i][p] = phi[points[p]];
      }
    }
    return Samples.of(points, weight, basis);
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
