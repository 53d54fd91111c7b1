package org.orbitmap.upright;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
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
import org.orbitmap.network.zoo.UprightCube;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * A learned orbit mapping of clouds, x → s(h(x))·h(x) ({@link OrbitMapping#refinedBy}): h aligns
 * the principal axes, and a network looks at the aligned cloud in each of the 24 rotations F_k that
 * carry axes to axes. It says how probable each is to make the cloud upright (z up, facing as its
 * like do) but for a small rotation, and which one that is: the vector v = tan(θ/2)·a of a rotation
 * by θ about a stands for C(v) = I + 2/(1 + |v|²)·([v]× + [v]×²), a rotation whatever v is. So s is
 * C(v_k)·F_k for the most probable k of those that make the most probable axis vertical. The
 * network sees nothing but the canonical cloud: whatever it says, it says the same for every pose.
 *
 * <p>Where two F_k are as near to upright as each other, both lead to the same pose, by different
 * v: that is no jump. The margin is the smaller of that of h and the gap to the next axis or the
 * next heading that leads more than 30° away, a difference of probabilities.
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
   * @param rotations C(v_k)·F_k for each k, row by row
   * @param probabilities of each
   * @param best which of them makes the cloud upright
   * @param mass the probability of everything that makes it vertical within 30° of this
   * @param gap to the next answer
   */
  public record Answer(
      List<double[]> rotations, double[] probabilities, int best, double mass, double gap)
      implements Serializable {
    public Answer {
      rotations = List.copyOf(rotations);
    }

    /** What makes the cloud upright. */
    public double[] rotation() {
      return rotations.get(best);
    }

    /** The best, and then the most probable others. */
    public int[] frames(int m) {
      return IntStream.concat(
              IntStream.of(best),
              IntStream.range(0, probabilities.length)
                  .filter(k -> k != best)
                  .boxed()
                  .sorted(Comparator.comparingDouble(k -> -probabilities[k]))
                  .mapToInt(k -> k))
          .limit(m)
          .toArray();
    }
  }

  /**
   * What is found of a cloud.
   *
   * @param elements what brings the cloud to each of the m best poses, the best first
   * @param weights the share of each
   * @param margin that of the mapping below
   * @param gap to the next answer, see {@link Answer}
   */
  public record Found(List<Similarity> elements, List<Double> weights, double margin, double gap)
      implements Serializable {
    public Found {
      elements = List.copyOf(elements);
      weights = List.copyOf(weights);
    }
  }

  /** The m best poses of a cloud; it is not moved to them. */
  public Found poses(PointCloud x, int m) {
    return refined(base.map(x), m);
  }

  /** The same of a cloud that the mapping below has mapped. */
  public Found refined(Canonical<Similarity, PointCloud> canonical, int m) {
    Answer said = answer(scores(canonical.point()));
    int[] frames = said.frames(m);
    double sum = IntStream.of(frames).mapToDouble(k -> said.probabilities()[k]).sum();
    List<Similarity> elements = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    for (int k : frames) {
      Similarity s = new Similarity(1, said.rotations().get(k), new double[3]);
      elements.add(action().group().compose(s, canonical.element()));
      weights.add(said.probabilities()[k] / sum);
    }
    return new Found(elements, weights, canonical.margin(), said.gap());
  }

  @Override
  public Canonical<Similarity, PointCloud> map(PointCloud x) {
    Found found = poses(x, 1);
    Similarity g = found.elements().get(0);
    return new Canonical<>(action().act(g, x), g, Math.min(found.margin(), found.gap()));
  }

  private float[] scores(PointCloud canonical) {
    Batch x = Batch.of(canonical.coordinates(), canonical.size(), 3);
    return CloudUprightPredictor.scores(new ArrayOperations(predictor), x, fitted.settings())
        .values();
  }

  /** The best answer of scores: of each F_k how probable it is, as a logarithm, and v. */
  public static Answer answer(float[] scores) {
    int each = CloudUprightSettings.EACH;
    int turns = UprightCube.HEADINGS;
    double[] p = probabilities(scores);
    double[][] rotations = new double[p.length][];
    int[] heading = new int[p.length / turns]; // the best of each axis
    double[] mass = new double[heading.length];
    int best = 0;
    for (int k = 0; k < p.length; k++) {
      double[] v = {scores[each * k + 1], scores[each * k + 2], scores[each * k + 3]};
      rotations[k] = product(following(v), UprightCube.rotation(k));
      int axis = k / turns;
      mass[axis] += p[k];
      heading[axis] = k % turns == 0 || p[k] > p[heading[axis]] ? k : heading[axis];
    }
    for (int axis = 1; axis < mass.length; axis++) {
      best = mass[axis] > mass[best] ? axis : best;
    }
    int k = heading[best];
    double gap = mass[best];
    double near = 0;
    for (int j = 0; j < p.length; j++) {
      boolean far = cosine(rotations[j], rotations[k]) < UprightModes.REACH;
      if (far && j / turns == best) {
        gap = Math.min(gap, p[k] - p[j]);
      } else if (far && j == heading[j / turns]) {
        gap = Math.min(gap, mass[best] - mass[j / turns]);
      }
      near += upright(rotations[j], rotations[k]) > UprightModes.REACH ? p[j] : 0;
    }
    return new Answer(List.of(rotations), p, k, Math.min(1, near), Math.max(0, gap));
  }

  private static double[] probabilities(float[] scores) {
    double[] p = new double[UprightCube.COUNT];
    double largest = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < p.length; k++) {
      largest = Math.max(largest, scores[CloudUprightSettings.EACH * k]);
    }
    double sum = 0;
    for (int k = 0; k < p.length; k++) {
      p[k] = Math.exp(scores[CloudUprightSettings.EACH * k] - largest);
      sum += p[k];
    }
    for (int k = 0; k < p.length; k++) {
      p[k] /= sum;
    }
    return p;
  }

  /** C(v), the rotation that follows, row by row. */
  static double[] following(double[] v) {
    double c = 2 / (1 + v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double[] r = new double[9];
    for (int i = 0; i < 3; i++) { // [v]×² = vvᵀ - |v|²I, and 1 - c|v|² = c - 1
      int j = (i + 1) % 3;
      int k = (i + 2) % 3;
      r[4 * i] = c - 1 + c * v[i] * v[i];
      r[3 * i + j] = c * (v[i] * v[j] - v[k]);
      r[3 * j + i] = c * (v[i] * v[j] + v[k]);
    }
    return r;
  }

  private static double[] product(double[] a, double[] b) {
    double[] r = new double[9];
    for (int i = 0; i < 9; i++) {
      for (int k = 0; k < 3; k++) {
        r[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
      }
    }
    return r;
  }

  /** The cosine of the angle between two rotations: tr(ABᵀ) = 1 + 2 cos θ. */
  private static double cosine(double[] a, double[] b) {
    double trace = 0;
    for (int i = 0; i < 9; i++) {
      trace += a[i] * b[i];
    }
    return (trace - 1) / 2;
  }

  /** The cosine of the angle between what two rotations make vertical. */
  private static double upright(double[] a, double[] b) {
    return a[6] * b[6] + a[7] * b[7] + a[8] * b[8];
  }

  @Override
  public String toString() {
    return fitted.toString();
  }
}
