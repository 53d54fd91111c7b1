package org.orbitmap.network.steerable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Circular harmonics on rings: exp(-(r - R)²/2σ²)·cos kθ and ·sin kθ for each ring and k = 0, 1, …
 * up to its cut-off, above which the pixels of the ring are too few; Σ(1 + 2·cut-off) functions.
 *
 * <p>At the centre, where θ has no value, only k = 0 is not zero. The squares of a function's
 * values sum to 1, for k > 0 in the mean of cosine and sine, so that steering keeps it.
 */
public final class Harmonics implements SteerableBasis {
  private final int side;
  private final List<Ring> rings;
  private final List<Harmonic> functions = new ArrayList<>();
  private final double[][] samples;

  /**
   * A ring of a kernel.
   *
   * @param radius R, in pixels
   * @param width σ, in pixels
   * @param cutOff the largest k
   */
  public record Ring(double radius, double width, int cutOff) {
    public Ring {
      if (!(radius >= 0) || !(width > 0) || cutOff < 0 || (radius == 0 && cutOff > 0)) {
        throw new IllegalArgumentException(
            "ring: expected radius >= 0, width > 0, cut-off >= 0, and 0 at the centre, found %s, %s, %d"
                .formatted(radius, width, cutOff));
      }
    }

    double at(double r) {
      double d = (r - radius) / width;
      return Math.exp(-0.5 * d * d);
    }
  }

  /**
   * One function.
   *
   * @param ring the number of its ring
   * @param frequency k
   * @param sine whether it is a sine
   */
  private record Harmonic(int ring, int frequency, boolean sine) {
    double at(double angle) {
      return sine ? Math.sin(frequency * angle) : Math.cos(frequency * angle);
    }
  }

  /** Harmonics on any rings. */
  public Harmonics(int side, List<Ring> rings) {
    if (side < 1 || rings.isEmpty()) {
      throw new IllegalArgumentException(
          "harmonics: expected a side of at least 1 and a ring, found %d and %d"
              .formatted(side, rings.size()));
    }
    this.side = side;
    this.rings = List.copyOf(rings);
    for (int i = 0; i < rings.size(); i++) {
      functions.add(new Harmonic(i, 0, false));
      for (int k = 1; k <= rings.get(i).cutOff(); k++) {
        functions.add(new Harmonic(i, k, false));
        functions.add(new Harmonic(i, k, true));
      }
    }
    samples = functions.stream().map(this::sample).toArray(double[][]::new);
  }

  /**
   * The rings of the published networks: radii 0, 1, … for odd sides and ½, 1½, … for even ones, up
   * to (side - 1)/2; widths 0.6, for the last 0.4, at the centre 0.005; cut-offs 2R, but 2R - 1
   * where R is even, at most 2 for the last, 0 at the centre.
   */
  public static Harmonics published(int side) {
    double last = (side - 1) / 2.0;
    List<Ring> rings = new ArrayList<>();
    for (double r = side % 2 == 0 ? 0.5 : 0; r <= last; r++) {
      boolean outer = r == last;
      int most = (int) (r % 2 == 0 ? 2 * r - 1 : 2 * r);
      int cutOff = r == 0 ? 0 : outer ? Math.min(2, (int) (2 * r)) : most;
      rings.add(new Ring(r, r == 0 ? 0.005 : outer ? 0.4 : 0.6, cutOff));
    }
    return new Harmonics(side, rings);
  }

  /** The rings. */
  public List<Ring> rings() {
    return rings;
  }

  @Override
  public int side() {
    return side;
  }

  @Override
  public int count() {
    return functions.size();
  }

  @Override
  public double[] sampled(int m) {
    return samples[m].clone();
  }

  private double[] sample(Harmonic h) {
    Ring ring = rings.get(h.ring());
    double[] values = new double[side * side];
    double energy = 0;
    for (int i = 0; i < values.length; i++) {
      int row = i / side;
      double x = i % side - (side - 1) / 2.0;
      double y = row - (side - 1) / 2.0;
      double radial = h.frequency() > 0 && x == 0 && y == 0 ? 0 : ring.at(Math.hypot(x, y));
      values[i] = radial * h.at(Math.atan2(y, x));
      energy += radial * radial * (h.frequency() == 0 ? 1 : 0.5);
    }
    if (!(energy > 1e-20)) {
      throw new IllegalArgumentException(
          "%s: expected a ring that touches a pixel of a %d x %d kernel"
              .formatted(ring, side, side));
    }
    double factor = 1 / Math.sqrt(energy);
    return Arrays.stream(values).map(v -> v * factor).toArray();
  }

  /**
   * D(g) for g = ρʳσˢ with the angle β: g⁻¹x has the angle ±(θ - β), and cos k(θ - β) = cos kβ cos
   * kθ + sin kβ sin kθ, sin k(θ - β) = cos kβ sin kθ - sin kβ cos kθ.
   */
  @Override
  public double[][] steering(PlaneGroup group, int g) {
    double[][] d = new double[count()][count()];
    for (int m = 0; m < count(); m++) {
      Harmonic h = functions.get(m);
      if (h.frequency() == 0) {
        d[m][m] = 1;
        continue;
      }
      double cos = Math.cos(h.frequency() * group.angle(g));
      double sin = Math.sin(h.frequency() * group.angle(g));
      int cosine = h.sine() ? m - 1 : m;
      double sign = h.sine() && group.mirrored(g) ? -1 : 1;
      d[m][cosine] = sign * (h.sine() ? -sin : cos);
      d[m][cosine + 1] = sign * (h.sine() ? cos : sin);
    }
    return d;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Harmonics h && side == h.side && rings.equals(h.rings);
  }

  @Override
  public int hashCode() {
    return 31 * side + rings.hashCode();
  }

  @Override
  public String toString() {
    return "harmonics of %d x %d, %s".formatted(side, side, rings);
  }
}
