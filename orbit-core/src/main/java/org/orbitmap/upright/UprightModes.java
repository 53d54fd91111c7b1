package org.orbitmap.upright;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.orbitmap.group.Rotation2;

/**
 * Which poses a predictor's probabilities speak for: their modes, the best first.
 *
 * <p>A window w(δ) = max(0, cos δ - cos D)/(1 - cos D) with D = 30° looks at the bins around an
 * angle: M(φ) = Σ p(θ)·w(θ - φ). Modes are the bins where M is not less than at both neighbours, at
 * least D apart. The angle of a mode is then moved {@value #SHIFTS} times to the circular mean of
 * the probabilities in the window around it, so that it moves with them and does not jump from bin
 * to bin. Its weight is M at its bin, as a share of the weights of all modes that are taken.
 */
public final class UprightModes {
  /** The least angle between two modes, and the reach of the window: cos D. */
  public static final double REACH = Math.cos(Math.toRadians(30));

  /** How often the angle of a mode is moved to the mean around it. */
  public static final int SHIFTS = 5;

  private UprightModes() {}

  /**
   * One mode.
   *
   * @param mirrored whether the canonical image is mirrored first
   * @param rotation by which it is then rotated
   * @param weight its share; the weights sum to 1
   * @param mass M at its bin
   */
  public record Mode(boolean mirrored, Rotation2 rotation, double weight, double mass)
      implements Serializable {}

  /** w(δ) for a given cos δ. */
  public static double window(double cosine) {
    return Math.max(0, cosine - REACH) / (1 - REACH);
  }

  /**
   * Whether two bins are so near each other that only one of them can be a mode.
   *
   * @param bins how many there are in the circle
   */
  public static boolean near(int a, int b, int bins) {
    return Math.cos(2 * Math.PI * (a - b) / bins) > REACH + 1e-9;
  }

  /**
   * The m best modes; where there are fewer, the rest repeat the best one with weight 0.
   *
   * @param p the probability of each bin, first those of images that are not mirrored
   */
  public static List<Mode> of(float[] p, UprightSettings s, int m) {
    int bins = s.bins();
    int n = p.length;
    double[] mass = new double[n];
    for (int k = 0; k < n; k++) {
      int half = k - k % bins;
      for (int b = 0; b < bins; b++) {
        mass[k] += p[half + b] * window(Math.cos(2 * Math.PI * (b - k) / bins));
      }
    }
    boolean[] open = new boolean[n];
    for (int k = 0; k < n; k++) {
      int half = k - k % bins;
      double before = mass[half + Math.floorMod(k - 1, bins)];
      double after = mass[half + (k + 1) % bins];
      open[k] = mass[k] >= Math.max(before, after);
    }
    List<Integer> peaks = new ArrayList<>();
    double sum = 0;
    for (int i = 0; i < m; i++) {
      int best = -1;
      for (int k = 0; k < n; k++) {
        best = open[k] && (best < 0 || mass[k] > mass[best]) ? k : best;
      }
      if (best < 0) {
        break;
      }
      peaks.add(best);
      sum += mass[best];
      for (int k = 0; k < n; k++) {
        open[k] &= k / bins != best / bins || !near(k, best, bins);
      }
    }
    List<Mode> modes = new ArrayList<>();
    for (int i = 0; i < m; i++) {
      boolean real = i < peaks.size();
      int peak = peaks.get(real ? i : 0);
      double own = real ? mass[peak] : 0;
      modes.add(
          new Mode(
              peak >= bins, shifted(p, peak, bins), sum > 0 ? own / sum : i == 0 ? 1 : 0, own));
    }
    return modes;
  }

  private static Rotation2 shifted(float[] p, int peak, int bins) {
    int half = peak - peak % bins;
    double cos = Math.cos(2 * Math.PI * peak / bins);
    double sin = Math.sin(2 * Math.PI * peak / bins);
    for (int i = 0; i < SHIFTS; i++) {
      double x = 0;
      double y = 0;
      for (int b = 0; b < bins; b++) {
        double c = Math.cos(2 * Math.PI * b / bins);
        double s = Math.sin(2 * Math.PI * b / bins);
        double w = p[half + b] * window(c * cos + s * sin);
        x += w * c;
        y += w * s;
      }
      double r = Math.hypot(x, y);
      if (r > 0) {
        cos = x / r;
        sin = y / r;
      }
    }
    return new Rotation2(cos, sin);
  }
}
