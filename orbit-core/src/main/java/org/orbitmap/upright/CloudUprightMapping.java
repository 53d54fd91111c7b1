package org.orbitmap.upright;

import java.io.Serializable;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * A learned orbit mapping of clouds, x → s(h(x))·h(x) ({@link OrbitMapping#refinedBy}): h aligns
 * the principal axes, and a network looks at the aligned cloud and says which of its axes is up (z)
 * and by which angle it is then rotated about the vertical. It sees nothing but the canonical
 * cloud, so whatever it says, it says the same for every pose.
 *
 * <p>The margin is the smaller of that of h and the gap between the best answer and the next, a
 * difference of probabilities.
 */
public final class CloudUprightMapping implements OrbitMapping<Similarity, PointCloud> {
  private static final long serialVersionUID = 1L;

  private final FittedCloudUpright fitted;
  private final CloudMapping base;
  private transient ArrayWeights predictor;

  /** The mapping of a fitted predictor. */
  public CloudUprightMapping(FittedCloudUpright fitted) {
    this.fitted = fitted;
    CloudUprightSettings s = fitted.settings();
    base =
        new CloudMapping(
            SimilarityGroup.named(s.group(), 3),
            AxisSignRule.named(s.base()),
            ScaleRule.MEAN_DISTANCE);
    predictor = new ArrayWeights(fitted.predictor());
  }

  private Object readResolve() {
    predictor = new ArrayWeights(fitted.predictor());
    return this;
  }

  @Override
  public String name() {
    return "upright";
  }

  /** The predictor. */
  public FittedCloudUpright fitted() {
    return fitted;
  }

  /** The mapping below, h. */
  public CloudMapping base() {
    return base;
  }

  @Override
  public CloudAction action() {
    return base.action();
  }

  /**
   * What a predictor says of a canonical cloud.
   *
   * @param rotation makes it upright: row by row
   * @param axis which of the six is up
   * @param radians of the rotation about the vertical that follows
   * @param mass the probability about this answer
   * @param gap to the next answer
   */
  public record Answer(double[] rotation, int axis, double radians, double mass, double gap)
      implements Serializable {}

  @Override
  public Canonical<Similarity, PointCloud> map(PointCloud x) {
    Canonical<Similarity, PointCloud> c = base.map(x);
    Answer said = answer(probabilities(seen(c.point())), fitted.settings().bins());
    Similarity element =
        action().group().compose(new Similarity(1, said.rotation(), new double[3]), c.element());
    return new Canonical<>(action().act(element, x), element, Math.min(c.margin(), said.gap()));
  }

  private float[] probabilities(float[] seen) {
    CloudUprightSettings s = fitted.settings();
    ArrayOperations ops = new ArrayOperations(predictor);
    Batch x = Batch.of(seen, seen.length / 3, 3);
    return ops.softmax(s.architecture().scores(ops, x)).values();
  }

  /** What the predictor sees of a canonical cloud: centred, with mean distance 1. */
  public static float[] seen(PointCloud canonical) {
    float[] x = canonical.coordinates();
    int n = x.length / 3;
    double[] centre = new double[3];
    for (int i = 0; i < x.length; i++) {
      centre[i % 3] += (double) x[i] / n;
    }
    double size = 0;
    for (int i = 0; i < n; i++) {
      double a = x[3 * i] - centre[0];
      double b = x[3 * i + 1] - centre[1];
      double c = x[3 * i + 2] - centre[2];
      size += Math.sqrt(a * a + b * b + c * c) / n;
    }
    double scale = size > Double.MIN_NORMAL ? 1 / size : 1;
    float[] seen = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      seen[i] = (float) ((x[i] - centre[i % 3]) * scale);
    }
    return seen;
  }

  /**
   * The best answer of probabilities, {@code axis·bins + bin}: the axis and the angle about which
   * most of them lies, within a window of 30° as in {@link UprightModes}; the angle is their mean
   * there.
   */
  public static Answer answer(float[] p, int bins) {
    double[] mass = new double[p.length];
    int best = 0;
    for (int k = 0; k < p.length; k++) {
      for (int b = 0; b < bins; b++) {
        double off = Math.cos(2 * Math.PI * (b - k % bins) / bins);
        mass[k] += p[k - k % bins + b] * UprightModes.window(off);
      }
      best = mass[k] > mass[best] ? k : best;
    }
    double next = 0;
    double x = 0;
    double y = 0;
    for (int k = 0; k < p.length; k++) {
      boolean same = k / bins == best / bins;
      double off = Math.cos(2 * Math.PI * (k - best) / bins);
      if (!same || off < UprightModes.REACH) {
        next = Math.max(next, mass[k]);
      }
      if (same) {
        double angle = 2 * Math.PI * (k % bins) / bins;
        x += p[k] * UprightModes.window(off) * Math.cos(angle);
        y += p[k] * UprightModes.window(off) * Math.sin(angle);
      }
    }
    double radians = Math.atan2(y, x);
    int axis = best / bins;
    return new Answer(
        rotation(axis, radians), axis, radians, mass[best], Math.max(0, mass[best] - next));
  }

  /** The rotation that makes an axis vertical and then rotates about the vertical. */
  public static double[] rotation(int axis, double radians) {
    double[] f = frame(axis);
    double c = Math.cos(radians);
    double s = Math.sin(radians);
    double[] r = new double[9];
    for (int j = 0; j < 3; j++) {
      r[j] = c * f[j] - s * f[3 + j];
      r[3 + j] = s * f[j] + c * f[3 + j];
      r[6 + j] = f[6 + j];
    }
    return r;
  }

  /** A rotation that makes an axis vertical: its rows are a right-handed frame that ends there. */
  private static double[] frame(int axis) {
    int i = axis / 2;
    double sign = axis % 2 == 0 ? 1 : -1;
    double[] f = new double[9];
    f[6 + i] = sign;
    f[(i + 1) % 3] = 1;
    f[3 + (i + 2) % 3] = sign;
    return f;
  }

  /**
   * The axis of a canonical cloud that is nearest to the vertical when a rotation makes it upright,
   * and the angle about the vertical that is left: the nearest answer to a rotation.
   *
   * @param rotation row by row
   */
  public static Answer nearest(double[] rotation) {
    int axis = 0;
    for (int i = 0; i < 3; i++) { // the last row is what becomes vertical
      int signed = 2 * i + (rotation[6 + i] < 0 ? 1 : 0);
      axis = Math.abs(rotation[6 + i]) > Math.abs(rotation[6 + axis / 2]) || i == 0 ? signed : axis;
    }
    double[] f = frame(axis);
    double cos = 0;
    double sin = 0;
    for (int j = 0; j < 3; j++) { // of M = R·Fᵀ: the trace and the skew part of its upper left
      cos += rotation[j] * f[j] + rotation[3 + j] * f[3 + j];
      sin += rotation[3 + j] * f[j] - rotation[j] * f[3 + j];
    }
    double radians = Math.atan2(sin, cos);
    return new Answer(rotation(axis, radians), axis, radians, 1, 1);
  }

  @Override
  public String toString() {
    return fitted.toString();
  }
}
