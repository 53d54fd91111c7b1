package org.orbitmap.image.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A rule that tells how an image is rotated: a {@link WeightMap} for every size.
 *
 * <p>The built-in ones, by name:
 *
 * <ul>
 *   <li>{@code disc} (the default): the mean gradient under the smooth window (1-(r/R)²)² over the
 *       inscribed disc, W(z) = r(1-(r/R)²)e^{iθ}, R = min(height, width)/2;
 *   <li>{@code paper}: the text of section 4.1: Gaussian blur with σ = 1.5, bilinear model, its
 *       exact gradient at 360 points on each of two circles of radii 0.05 and 0.4;
 *   <li>{@code released}: what the authors' program computes: a 5 × 5 blur with zero padding, 300
 *       points from (r, r) on, so that the radii are √2 times as large and most of the outer circle
 *       lies outside;
 *   <li>{@code central} and {@code forward}: finite differences of the blurred image at the pixels
 *       nearest to the circles (appendix C);
 *   <li>{@link #kernels}: any pair of convolution kernels that appendix D allows.
 * </ul>
 */
public final class PoseRule {
  /** The smooth disc window: the default. */
  public static final PoseRule DISC = new PoseRule("disc", PoseRule::disc, Symmetry.QUARTER);

  /** The text of the paper. */
  public static final PoseRule PAPER = new PoseRule("paper", PoseRule::paper, Symmetry.QUARTER);

  /** The authors' program. */
  public static final PoseRule RELEASED =
      new PoseRule("released", PoseRule::released, Symmetry.HALF);

  /** Central differences at the nearest pixels. */
  public static final PoseRule CENTRAL =
      new PoseRule("central", PoseRule::central, Symmetry.QUARTER);

  /** Forward differences at the nearest pixels. */
  public static final PoseRule FORWARD = new PoseRule("forward", PoseRule::forward, Symmetry.NONE);

  /**
   * The second harmonic W₂(z) = r²(1-(r/R)²)e^{2iθ}: it turns by e^{-2iα}. Not a pose of its own;
   * {@link OrthogonalMapping} tells mirror images apart with it.
   */
  static final PoseRule SECOND_HARMONIC =
      new PoseRule("second-harmonic", PoseRule::secondHarmonic, Symmetry.NONE);

  /** What one rule may keep: 4 million weights, 64 MB. */
  private static final long MOST_CACHED_PIXELS = 4_000_000;

  private static final double SIGMA = 1.5;
  private static final double[] RADII = {0.05, 0.4};
  private static final int POINTS = 360;

  private final String name;
  private final Builder builder;
  private final Symmetry symmetry;
  private final Map<Size, WeightMap> cache = new ConcurrentHashMap<>();
  private final AtomicLong cachedPixels = new AtomicLong();

  private record Size(int height, int width) {}

  /** Which turns of the pixel grid the weights are made exactly antisymmetric under. */
  private enum Symmetry {
    NONE,
    HALF,
    QUARTER
  }

  /** Fills in the weights of one size. */
  private interface Builder {
    void build(Weights weights);
  }

  private PoseRule(String name, Builder builder, Symmetry symmetry) {
    this.name = name;
    this.builder = builder;
    this.symmetry = symmetry;
  }

  /** All built-in rules, the default first. */
  public static List<PoseRule> all() {
    return List.of(DISC, PAPER, RELEASED, CENTRAL, FORWARD);
  }

  /** The built-in rule with this name. */
  public static PoseRule named(String name) {
    for (PoseRule rule : all()) {
      if (rule.name.equalsIgnoreCase(name.trim())) {
        return rule;
      }
    }
    throw new IllegalArgumentException(
        "mapping: expected one of %s, found %s"
            .formatted(all().stream().map(PoseRule::name).toList(), name));
  }

  /**
   * The rule of appendix D: c = Σ over two circles of ((k₁*u) + i(k₂*u))(z), read bilinearly.
   *
   * <p>The necessary condition, with the sign that the printed kernels have (the formula in the
   * paper lacks it): k₁[i,j] = -k₁[N+1-i,N+1-j], and k₂ is k₁ rotated by a quarter, k₂[i,j] =
   * k₁[N+1-j,i].
   *
   * @throws IllegalArgumentException naming the entries that break the condition
   */
  public static PoseRule kernels(double[][] k1, double[][] k2) {
    requireCondition(k1, k2);
    double[][] a = copy(k1);
    double[][] b = copy(k2);
    return new PoseRule("kernels", weights -> convolved(weights, a, b), Symmetry.QUARTER);
  }

  /** The name users choose it by. */
  public String name() {
    return name;
  }

  /**
   * Whether the rule makes multiples of 90° exact up to rounding: W rotated by a quarter is W times
   * -i, entry by entry.
   */
  public boolean exactQuarterTurns() {
    return symmetry == Symmetry.QUARTER;
  }

  /** The weight map for images of a size; built once, then shared. */
  public WeightMap weights(int height, int width) {
    if (height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "weight map: expected at least 1 x 1, found %d x %d".formatted(height, width));
    }
    Size size = new Size(height, width);
    WeightMap known = cache.get(size);
    if (known != null) {
      return known;
    }
    WeightMap built = build(height, width);
    long pixels = (long) height * width;
    if (cachedPixels.addAndGet(pixels) > MOST_CACHED_PIXELS) {
      cache.clear(); // images of ever new sizes must not fill the memory
      cachedPixels.set(pixels);
    }
    WeightMap earlier = cache.putIfAbsent(size, built);
    return earlier == null ? built : earlier;
  }

  @Override
  public String toString() {
    return name;
  }

  private WeightMap build(int height, int width) {
    boolean lying = symmetry != Symmetry.NONE && height > width;
    Weights weights =
        lying ? new Weights(/* height= */ width, /* width= */ height) : new Weights(height, width);
    builder.build(weights);
    if (symmetry == Symmetry.QUARTER && height == width) {
      weights.symmetrise(4);
    } else if (symmetry != Symmetry.NONE) {
      weights.symmetrise(2);
    }
    if (lying) {
      weights = weights.quarterTurned();
    }
    return new WeightMap(height, width, weights.re, weights.im);
  }

  /** W(z) = r(1-(r/R)²)e^{iθ} = (x + iy)(1 - |z|²/R²). */
  private static void disc(Weights weights) {
    double radius = weights.side / 2.0;
    for (int i = 0; i < weights.height; i++) {
      for (int j = 0; j < weights.width; j++) {
        double x = j - weights.centreX;
        double y = i - weights.centreY;
        double window = 1 - (x * x + y * y) / (radius * radius);
        if (window > 0) {
          weights.re[i * weights.width + j] = x * window;
          weights.im[i * weights.width + j] = y * window;
        }
      }
    }
  }

  /** W₂(z) = (x + iy)²(1 - |z|²/R²), less a multiple of the window that makes the sum 0. */
  private static void secondHarmonic(Weights weights) {
    double radius = weights.side / 2.0;
    double sum = 0;
    double windows = 0;
    for (int pass = 0; pass < 2; pass++) {
      double mean = pass == 0 || windows == 0 ? 0 : sum / windows;
      for (int i = 0; i < weights.height; i++) {
        for (int j = 0; j < weights.width; j++) {
          double x = j - weights.centreX;
          double y = i - weights.centreY;
          double window = 1 - (x * x + y * y) / (radius * radius);
          if (window > 0) {
            weights.re[i * weights.width + j] = (x * x - y * y - mean) * window;
            weights.im[i * weights.width + j] = 2 * x * y * window;
            sum += pass == 0 ? (x * x - y * y) * window : 0;
            windows += pass == 0 ? window : 0;
          }
        }
      }
    }
  }

  private static void paper(Weights weights) {
    circles(weights, POINTS, RADII, weights.side - 1, weights::addGradient);
    weights.blur(gaussian(SIGMA, (int) Math.ceil(4 * SIGMA)), true);
  }

  private static void released(Weights weights) {
    double[] radii = {RADII[0] * Math.sqrt(2), RADII[1] * Math.sqrt(2)};
    circles(weights, 300, radii, weights.side - 1, weights::addGradient);
    weights.blur(gaussian(SIGMA, 2), false);
  }

  private static void central(Weights weights) {
    circles(weights, POINTS, RADII, weights.side - 1, (x, y) -> weights.addDifference(x, y, -1));
    weights.blur(gaussian(SIGMA, (int) Math.ceil(4 * SIGMA)), true);
  }

  private static void forward(Weights weights) {
    circles(weights, POINTS, RADII, weights.side - 1, (x, y) -> weights.addDifference(x, y, 0));
    weights.blur(gaussian(SIGMA, (int) Math.ceil(4 * SIGMA)), true);
  }

  private static void convolved(Weights weights, double[][] k1, double[][] k2) {
    double half = (k1.length - 1) / 2.0;
    circles(
        weights,
        POINTS,
        RADII,
        weights.side - 1,
        (x, y) -> {
          for (int i = 0; i < k1.length; i++) {
            for (int j = 0; j < k1.length; j++) {
              weights.addValue(x - (j - half), y - (i - half), k1[i][j], k2[i][j]);
            }
          }
        });
  }

  /** Something that is summed over the points of the circles, in pixel coordinates. */
  private interface AtPoint {
    void add(double x, double y);
  }

  /** Calls back for the points of each circle; the first one stands at 45°, off the grid lines. */
  private static void circles(
      Weights weights, int points, double[] radii, double unit, AtPoint at) {
    for (double radius : radii) {
      for (int k = 0; k < points; k++) {
        double angle = Math.PI / 4 + 2 * Math.PI * k / points;
        at.add(
            weights.centreX + radius * unit * Math.cos(angle),
            weights.centreY + radius * unit * Math.sin(angle));
      }
    }
  }

  private static double[] gaussian(double sigma, int reach) {
    double[] g = new double[2 * reach + 1];
    double sum = 0;
    for (int k = -reach; k <= reach; k++) {
      g[k + reach] = Math.exp(-k * k / (2 * sigma * sigma));
      sum += g[k + reach];
    }
    for (int k = 0; k < g.length; k++) {
      g[k] /= sum;
    }
    return g;
  }

  private static void requireCondition(double[][] k1, double[][] k2) {
    int n = k1.length;
    if (n < 2 || k2.length != n) {
      throw new IllegalArgumentException(
          "kernels: expected two square kernels of the same size N >= 2, found %d and %d rows"
              .formatted(n, k2.length));
    }
    double scale = 0;
    for (int i = 0; i < n; i++) {
      if (k1[i].length != n || k2[i].length != n) {
        throw new IllegalArgumentException(
            "kernels: expected %d columns in row %d, found %d and %d"
                .formatted(n, i + 1, k1[i].length, k2[i].length));
      }
      for (int j = 0; j < n; j++) {
        if (!Double.isFinite(k1[i][j]) || !Double.isFinite(k2[i][j])) {
          throw new IllegalArgumentException(
              "kernels: expected finite entries, found %s and %s at [%d,%d]"
                  .formatted(k1[i][j], k2[i][j], i + 1, j + 1));
        }
        scale = Math.max(scale, Math.max(Math.abs(k1[i][j]), Math.abs(k2[i][j])));
      }
    }
    List<String> broken = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double opposite = -k1[n - 1 - i][n - 1 - j];
        if (Math.abs(k1[i][j] - opposite) > 1e-12 * scale) {
          broken.add(
              "k1[%d,%d] = %s, but -k1[%d,%d] = %s"
                  .formatted(i + 1, j + 1, k1[i][j], n - i, n - j, opposite));
        }
        double rotated = k1[n - 1 - j][i];
        if (Math.abs(k2[i][j] - rotated) > 1e-12 * scale) {
          broken.add(
              "k2[%d,%d] = %s, but k1[%d,%d] = %s"
                  .formatted(i + 1, j + 1, k2[i][j], n - j, i + 1, rotated));
        }
      }
    }
    if (scale == 0) {
      broken.add("all entries are 0");
    }
    if (!broken.isEmpty()) {
      throw new IllegalArgumentException(
          "kernels: not rotation-equivariant, expected k1[i,j] = -k1[N+1-i,N+1-j] and k2[i,j] ="
              + " k1[N+1-j,i], found "
              + String.join("; ", broken));
    }
  }

  private static double[][] copy(double[][] k) {
    double[][] copy = new double[k.length][];
    for (int i = 0; i < k.length; i++) {
      copy[i] = k[i].clone();
    }
    return copy;
  }

  /** Weights under construction: each operation adds the adjoint of a linear step. */
  private static final class Weights {
    final int height;
    final int width;
    final int side;
    final double centreX;
    final double centreY;
    double[] re;
    double[] im;

    Weights(int height, int width) {
      this.height = height;
      this.width = width;
      side = Math.min(height, width);
      centreX = (width - 1) / 2.0;
      centreY = (height - 1) / 2.0;
      re = new double[height * width];
      im = new double[height * width];
    }

    private void add(int x, int y, double a, double b) {
      re[y * width + x] += a;
      im[y * width + x] += b;
    }

    /** The gradient of the bilinear model at a point; nothing outside the image. */
    void addGradient(double x, double y) {
      if (x < 0 || y < 0 || x > width - 1 || y > height - 1 || width < 2 || height < 2) {
        return;
      }
      int i = Math.min((int) x, width - 2);
      int j = Math.min((int) y, height - 2);
      double u = x - i;
      double v = y - j;
      add(i, j, -(1 - v), -(1 - u));
      add(i + 1, j, 1 - v, -u);
      add(i, j + 1, -v, 1 - u);
      add(i + 1, j + 1, v, u);
    }

    /** A difference quotient at the nearest pixel, between offset {@code back} and 1. */
    void addDifference(double x, double y, int back) {
      int i = (int) Math.rint(x);
      int j = (int) Math.rint(y);
      if (i + back < 0 || j + back < 0 || i + 1 >= width || j + 1 >= height) {
        return;
      }
      double f = 1.0 / (1 - back);
      add(i + back, j, -f, 0);
      add(i + 1, j, f, 0);
      add(i, j + back, 0, -f);
      add(i, j + 1, 0, f);
    }

    /** The bilinear value at a point times a complex factor; nothing outside the image. */
    void addValue(double x, double y, double a, double b) {
      int i = (int) Math.floor(x);
      int j = (int) Math.floor(y);
      double u = x - i;
      double v = y - j;
      addInside(i, j, (1 - u) * (1 - v), a, b);
      addInside(i + 1, j, u * (1 - v), a, b);
      addInside(i, j + 1, (1 - u) * v, a, b);
      addInside(i + 1, j + 1, u * v, a, b);
    }

    private void addInside(int x, int y, double w, double a, double b) {
      if (x >= 0 && y >= 0 && x < width && y < height) {
        add(x, y, w * a, w * b);
      }
    }

    /** The adjoint of a separable blur that repeats the edge pixels or reads zero outside. */
    void blur(double[] g, boolean repeat) {
      re = blurred(blurred(re, g, repeat, true), g, repeat, false);
      im = blurred(blurred(im, g, repeat, true), g, repeat, false);
    }

    private double[] blurred(double[] w, double[] g, boolean repeat, boolean alongRows) {
      double[] result = new double[w.length];
      int reach = g.length / 2;
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
          double value = w[y * width + x];
          for (int k = -reach; value != 0 && k <= reach; k++) {
            int tx = alongRows ? x + k : x;
            int ty = alongRows ? y : y + k;
            if (repeat) {
              tx = Math.max(0, Math.min(width - 1, tx));
              ty = Math.max(0, Math.min(height - 1, ty));
            }
            if (tx >= 0 && ty >= 0 && tx < width && ty < height) {
              result[ty * width + tx] += g[k + reach] * value;
            }
          }
        }
      }
      return result;
    }

    /** The mean over the quarter turns (4) or half turns (2) that makes the symmetry exact. */
    void symmetrise(int turns) {
      double[] a = new double[re.length];
      double[] b = new double[re.length];
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
          int p = y * width + x;
          int opposite = re.length - 1 - p;
          double sumA = re[p] - re[opposite];
          double sumB = im[p] - im[opposite];
          if (turns == 4) {
            int q = x * width + (width - 1 - y);
            int r = re.length - 1 - q;
            sumA = (sumA + (im[q] - im[r])) / 2;
            sumB = (sumB + (re[r] - re[q])) / 2;
          }
          a[p] = sumA / 2;
          b[p] = sumB / 2;
        }
      }
      re = a;
      im = b;
    }

    /** The weights for the image with rows and columns exchanged by a quarter turn. */
    Weights quarterTurned() {
      Weights rotated = new Weights(/* height= */ width, /* width= */ height);
      for (int i = 0; i < width; i++) {
        for (int j = 0; j < height; j++) {
          int source = j * width + (width - 1 - i);
          rotated.re[i * height + j] = im[source];
          rotated.im[i * height + j] = -re[source];
        }
      }
      return rotated;
    }
  }
}
