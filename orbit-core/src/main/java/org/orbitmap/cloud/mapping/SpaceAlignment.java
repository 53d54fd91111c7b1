package org.orbitmap.cloud.mapping;

import java.util.Arrays;

/**
 * The alignment in space, for groups with rotations; allocates nothing that grows with the cloud.
 *
 * <p>One pass in double for the moments about the first point p, from which those about the centre
 * follow: E(x-p)(x-p)ᵀ - (c-p)(c-p)ᵀ. As p is one of the points, |c-p|² ≤ N r², so the difference
 * costs at most log₂ N of 53 bits. The rest is float, with r brought near 1 by a power of 2: rotate
 * a tile of points and add what size and signs need; when both are known, write the tile. Small
 * clouds stay in the tiles in between, larger ones are read again.
 */
final class SpaceAlignment {
  /** Points in a tile. */
  private static final int TILE = 256;

  /** Tiles whose sums fit a float without loss. */
  private static final int FLUSH = 32;

  /** Second moments outside of [this, 1/this] take the plain way. */
  private static final double SMALLEST = 1e-60;

  /** Working space of a thread: enough for a cloud of 1,024 points. */
  private static final ThreadLocal<Tile[]> TILES =
      ThreadLocal.withInitial(() -> new Tile[] {new Tile(), new Tile(), new Tile(), new Tile()});

  private static final ThreadLocal<Sums> SUMS = ThreadLocal.withInitial(Sums::new);

  private SpaceAlignment() {}

  /** Writes the canonical coordinates to {@code out}. */
  static CloudPose align(CloudMapping mapping, float[] in, float[] out) {
    int n = in.length / 3;
    int count = (n + TILE - 1) / TILE;
    Tile[] tiles = TILES.get();
    boolean kept = count <= tiles.length;
    double[] m = new double[9];
    double[] c = new double[3];
    float[] origin = {0, 0, 0};
    if (mapping.group().moves()) {
      System.arraycopy(in, 0, origin, 0, 3);
    }
    double[] sums = new double[9];
    for (int t = 0; t < count; t++) {
      moments(in, t * TILE, Math.min(n, (t + 1) * TILE), origin, tiles[t % tiles.length], sums);
    }
    covariance(sums, n, mapping.group().moves(), origin, m, c);
    double trace = m[0] + m[4] + m[8];
    if (!(trace > SMALLEST && trace < 1 / SMALLEST)) {
      return Alignment.plain(mapping, in, out);
    }
    double[] values = new double[3];
    double[] axes = new double[9];
    SymmetricEigen.decompose(3, m, values, axes);

    if (!kept) {
      for (int j = 0; j < 3; j++) {
        origin[j] = (float) c[j];
      }
    }
    double unit = Math.scalb(1.0, -Math.getExponent(Math.sqrt(trace)));
    float[] map = affine(unit, axes, origin, c);
    boolean mean = mapping.size() == ScaleRule.MEAN_DISTANCE;
    Sums added = SUMS.get();
    double[] totals = new double[4];
    for (int t = 0; t < count; t++) {
      Tile tile = tiles[t % tiles.length];
      int points = Math.min(TILE, n - t * TILE);
      if (!kept) {
        gather(in, t * TILE, points, origin, tile);
      }
      tile.rotate(map, points);
      if (mean) {
        added.add(tile.u, tile.v, tile.w);
      } else {
        added.addCubes(tile.u, tile.v, tile.w);
        totals[3] = Math.max(totals[3], tile.farthest());
      }
      if ((t + 1) % FLUSH == 0 || t + 1 == count) {
        added.flush(totals, mean);
      }
    }
    double scale = Alignment.scale(mapping, totals[3] / n / unit, Math.sqrt(totals[3]) / unit);

    double[] scores = new double[3];
    for (int j = 0; j < 3; j++) {
      scores[j] =
          mapping.signs() == AxisSignRule.FIRST_POINT
              ? Alignment.firstPoint(in, c, axes, j, trace)
              : Alignment.skewness(totals[j] / n, values[j] * unit * unit, trace * unit * unit);
    }
    double margin = Alignment.direct(mapping, scores, axes);
    float[] factors = new float[3];
    for (int j = 0; j < 3; j++) {
      factors[j] = (float) (scores[j] * scale / unit);
    }
    for (int t = 0; t < count; t++) {
      Tile tile = tiles[t % tiles.length];
      if (!kept) {
        int points = Math.min(TILE, n - t * TILE);
        gather(in, t * TILE, points, origin, tile);
        tile.rotate(map, points);
      }
      scatter(tile, factors, out, 3 * t * TILE);
    }
    for (int j = 0; j < 9; j++) {
      axes[j] *= scores[j / 3];
    }
    return Alignment.pose(scale, axes, c, Alignment.gap(values, trace), margin, trace, n);
  }

  /** Adds the first and second moments of some points about p, and keeps x - p in the tile. */
  private static void moments(
      float[] in, int first, int last, float[] p, Tile tile, double[] sums) {
    float[] us = tile.x;
    float[] vs = tile.y;
    float[] ws = tile.z;
    double px = p[0];
    double py = p[1];
    double pz = p[2];
    double sx = sums[0];
    double sy = sums[1];
    double sz = sums[2];
    double xx = sums[3];
    double xy = sums[4];
    double xz = sums[5];
    double yy = sums[6];
    double yz = sums[7];
    double zz = sums[8];
    int points = last - first;
    for (int k = 0, i = 3 * first; k < points; k++, i += 3) {
      double x = in[i] - px;
      double y = in[i + 1] - py;
      double z = in[i + 2] - pz;
      us[k] = (float) x;
      vs[k] = (float) y;
      ws[k] = (float) z;
      sx += x;
      sy += y;
      sz += z;
      xx = Math.fma(x, x, xx);
      yy = Math.fma(y, y, yy);
      zz = Math.fma(z, z, zz);
      xy = Math.fma(x, y, xy);
      xz = Math.fma(x, z, xz);
      yz = Math.fma(y, z, yz);
    }
    sums[0] = sx;
    sums[1] = sy;
    sums[2] = sz;
    sums[3] = xx;
    sums[4] = xy;
    sums[5] = xz;
    sums[6] = yy;
    sums[7] = yz;
    sums[8] = zz;
  }

  /** Covariance and centre of mass; second moments and 0 for a group that does not move. */
  private static void covariance(
      double[] sums, int n, boolean moves, float[] p, double[] m, double[] c) {
    double dx = moves ? sums[0] / n : 0;
    double dy = moves ? sums[1] / n : 0;
    double dz = moves ? sums[2] / n : 0;
    c[0] = p[0] + dx;
    c[1] = p[1] + dy;
    c[2] = p[2] + dz;
    m[0] = sums[3] / n - dx * dx;
    m[1] = m[3] = sums[4] / n - dx * dy;
    m[2] = m[6] = sums[5] / n - dx * dz;
    m[4] = sums[6] / n - dy * dy;
    m[5] = m[7] = sums[7] / n - dy * dz;
    m[8] = sums[8] / n - dz * dz;
  }

  /** The map from differences to the origin to the rotated points: three rows of 3 + 1 numbers. */
  private static float[] affine(double unit, double[] axes, float[] origin, double[] c) {
    float[] map = new float[12];
    for (int i = 0; i < 3; i++) {
      double t = 0;
      for (int j = 0; j < 3; j++) {
        map[4 * i + j] = (float) (unit * axes[3 * i + j]);
        t += unit * axes[3 * i + j] * (origin[j] - c[j]);
      }
      map[4 * i + 3] = (float) t;
    }
    return map;
  }

  private static void gather(float[] in, int first, int points, float[] origin, Tile tile) {
    float[] x = tile.x;
    float[] y = tile.y;
    float[] z = tile.z;
    float px = origin[0];
    float py = origin[1];
    float pz = origin[2];
    for (int k = 0, i = 3 * first; k < points; k++, i += 3) {
      x[k] = in[i] - px;
      y[k] = in[i + 1] - py;
      z[k] = in[i + 2] - pz;
    }
  }

  /** Writes the points of a tile with their factors; + 0 makes a negative zero positive. */
  private static void scatter(Tile tile, float[] factors, float[] out, int start) {
    float[] u = tile.u;
    float[] v = tile.v;
    float[] w = tile.w;
    float a = factors[0];
    float b = factors[1];
    float c = factors[2];
    int end = Math.min(out.length, start + 3 * TILE) - 2;
    for (int i = start, k = 0; i < end; i += 3, k++) {
      out[i] = a * u[k] + 0f;
      out[i + 1] = b * v[k] + 0f;
      out[i + 2] = c * w[k] + 0f;
    }
  }

  /** A few points, coordinate by coordinate, as they come (x, y, z) and rotated (u, v, w). */
  private static final class Tile {
    final float[] x = new float[TILE];
    final float[] y = new float[TILE];
    final float[] z = new float[TILE];
    final float[] u = new float[TILE];
    final float[] v = new float[TILE];
    final float[] w = new float[TILE];

    /** Rotates all and puts the places after the last point to 0, where they add nothing. */
    void rotate(float[] map, int points) {
      row(x, y, z, map[0], map[1], map[2], map[3], u);
      row(x, y, z, map[4], map[5], map[6], map[7], v);
      row(x, y, z, map[8], map[9], map[10], map[11], w);
      if (points < TILE) {
        Arrays.fill(u, points, TILE, 0);
        Arrays.fill(v, points, TILE, 0);
        Arrays.fill(w, points, TILE, 0);
      }
    }

    private static void row(
        float[] x, float[] y, float[] z, float a, float b, float c, float t, float[] out) {
      for (int i = 0; i < out.length; i++) {
        out[i] = a * x[i] + b * y[i] + c * z[i] + t;
      }
    }

    /** The largest squared norm. */
    double farthest() {
      float largest = 0;
      for (int i = 0; i < TILE; i++) {
        largest = Math.max(largest, u[i] * u[i] + v[i] * v[i] + w[i] * w[i]);
      }
      return largest;
    }
  }

  /** Sums place by place: loops over whole arrays are what the compiler turns into vector code. */
  private static final class Sums {
    final float[] u = new float[TILE];
    final float[] v = new float[TILE];
    final float[] w = new float[TILE];
    final float[] norms = new float[TILE];

    void add(float[] x, float[] y, float[] z) {
      addCubes(x, y, z);
      addNorms(x, y, z, norms);
    }

    void addCubes(float[] x, float[] y, float[] z) {
      addCubes(x, u);
      addCubes(y, v);
      addCubes(z, w);
    }

    private static void addCubes(float[] x, float[] sum) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += x[i] * x[i] * x[i];
      }
    }

    private static void addNorms(float[] x, float[] y, float[] z, float[] sum) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += (float) Math.sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
      }
    }

    /** Moves the sums to double: third powers along the axes, then norms if they count. */
    void flush(double[] totals, boolean mean) {
      totals[0] += total(u);
      totals[1] += total(v);
      totals[2] += total(w);
      if (mean) {
        totals[3] += total(norms);
      }
    }

    private static double total(float[] sum) {
      double a = 0;
      double b = 0;
      double c = 0;
      double d = 0;
      for (int i = 0; i < TILE; i += 4) {
        a += sum[i];
        b += sum[i + 1];
        c += sum[i + 2];
        d += sum[i + 3];
      }
      Arrays.fill(sum, 0);
      return a + b + c + d;
    }
  }
}
