package org.orbitmap.nn.fit;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.zoo.UprightCube;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightPredictor;
import org.orbitmap.upright.CloudUprightSettings;

/**
 * Clouds in poses. Some points of an upright cloud are aligned, R; the canonical cloud is the same
 * for every pose, so that none is drawn. What makes the aligned cloud upright is Rᵀ. The predictor
 * looks at it in all 24 rotations that carry axes to axes, so that the directions that R gave to
 * the axes are of no effect on what it learns.
 */
final class CloudExamples implements Examples<PointCloud, double[]> {
  /** The weight of the loss of the heading: many clouds have none that can be seen. */
  private static final double HEADING = 0.3;

  /** The weight of the loss of the rotations that follow. */
  private static final double FOLLOWING = 0.5;

  private static final int FRAMES = UprightCube.COUNT;

  /** The numbers for each rotation that carries axes to axes: how right it is, and M. */
  private static final int TOLD = 17;

  private final CloudUprightSettings settings;
  private final FitRecipe recipe;
  private final CloudMapping mapping;

  CloudExamples(CloudUprightSettings settings, FitRecipe recipe) {
    this.settings = settings;
    this.recipe = recipe;
    mapping =
        new CloudMapping(
            SimilarityGroup.named(settings.group(), 3),
            AxisSignRule.named(settings.base()),
            ScaleRule.MEAN_DISTANCE);
  }

  @Override
  public InputShape<PointCloud> shape() {
    return new InputShape.Clouds(settings.points());
  }

  @Override
  public Architecture architecture() {
    return settings.architecture();
  }

  @Override
  public int copies() {
    return 1;
  }

  /**
   * Between half of the points and all, in other proportions; the rest repeat them, as in training
   * on few points.
   */
  @Override
  public List<Posed<PointCloud, double[]>> draw(PointCloud upright, SplittableRandom random) {
    int most = settings.points();
    PointCloud some = some(upright, (most + 1) / 2 + random.nextInt(most / 2 + 1), random);
    boolean flipped = recipe.flip() && random.nextBoolean();
    float[] by = new float[3];
    for (int i = 0; i < 3; i++) {
      by[i] = (float) Math.pow(recipe.stretch(), 2 * random.nextDouble() - 1);
    }
    by[0] = flipped ? -by[0] : by[0];
    float[] x = some.coordinates();
    for (int i = 0; i < x.length; i++) {
      x[i] *= by[i % 3];
    }
    return List.of(posed(some));
  }

  @Override
  public Posed<PointCloud, double[]> mapped(PointCloud upright, SplittableRandom random) {
    return posed(some(upright, settings.points(), random));
  }

  private Posed<PointCloud, double[]> posed(PointCloud some) {
    var canonical = mapping.map(some);
    double[] r = canonical.element().rotation();
    double[] back = new double[9];
    for (int i = 0; i < 9; i++) {
      back[i % 3 * 3 + i / 3] = r[i];
    }
    return new Posed<>(canonical.point(), back);
  }

  /** So many points, drawn without repetition while there are any, and again from the first on. */
  private PointCloud some(PointCloud all, int count, SplittableRandom random) {
    int n = all.size();
    int own = Math.min(count, n);
    int[] order = new int[n];
    Arrays.setAll(order, i -> i);
    float[] x = new float[3 * settings.points()];
    for (int k = 0; k < settings.points(); k++) {
      if (k < own) {
        int other = k + random.nextInt(n - k);
        int point = order[other];
        order[other] = order[k];
        order[k] = point;
      }
      System.arraycopy(all.coordinates(), 3 * order[k % own], x, 3 * k, 3);
    }
    return new PointCloud(3, x);
  }

  @Override
  public Tensor seen(TorchOperations ops, Tensor clouds) {
    return CloudUprightPredictor.seen(ops, clouds);
  }

  @Override
  public int targets() {
    return FRAMES * TOLD;
  }

  /**
   * For each F_k the soft target q_k ∝ exp(κ cos θ_k) with the angle θ_k of the rotation that is
   * left, G_kᵀ with G_k = F_k·R, and the matrix M with tr(C(v)·G) = uᵀMu/uᵀu for u = (1, v): tr G,
   * w and G + Gᵀ - tr G·I with w = (G₂₃ - G₃₂, G₃₁ - G₁₃, G₁₂ - G₂₁).
   */
  @Override
  public void target(double[] upright, float[] to, int at) {
    double sum = 0;
    double[] g = new double[9];
    for (int k = 0; k < FRAMES; k++) {
      double[] f = UprightCube.rotation(k);
      Arrays.fill(g, 0);
      for (int i = 0; i < 27; i++) { // what makes upright is Rᵀ
        g[i / 3] += f[i / 9 * 3 + i % 3] * upright[i / 3 % 3 * 3 + i % 3];
      }
      double trace = g[0] + g[4] + g[8];
      double q = Math.exp(recipe.concentration() * ((trace - 1) / 2 - 1));
      int place = at + TOLD * k;
      to[place] = (float) q;
      sum += q;
      int m = place + 1;
      to[m] = (float) trace;
      for (int i = 0; i < 3; i++) {
        int after = (i + 1) % 3;
        int last = (i + 2) % 3;
        float w = (float) (g[3 * after + last] - g[3 * last + after]);
        to[m + 1 + i] = w;
        to[m + 4 * (1 + i)] = w;
        for (int j = 0; j < 3; j++) {
          double diagonal = i == j ? trace : 0;
          to[m + 4 * (1 + i) + 1 + j] = (float) (g[3 * i + j] + g[3 * j + i] - diagonal);
        }
      }
    }
    for (int k = 0; k < FRAMES; k++) {
      to[at + TOLD * k] /= (float) sum;
    }
  }

  /**
   * The cross entropy of the axis that is up, with the sums of q_k and p_k over its headings; that
   * of the heading, given the axis; and Σ q_k ‖C(v_k) - G_kᵀ‖² (Frobenius), which is 6 - 2
   * tr(C(v)·G), of the rotations that follow.
   */
  @Override
  public Tensor loss(Tensor scores, Tensor targets) {
    long n = scores.size(0);
    Tensor s = scores.reshape(n, FRAMES, CloudUprightSettings.EACH);
    Tensor t = targets.reshape(n, FRAMES, TOLD);
    Tensor q = t.select(2, 0);
    Tensor p = torch.log_softmax(s.select(2, 0), 1).reshape(n, -1, UprightCube.HEADINGS);
    Tensor up = torch.logsumexp(p, new long[] {2}, true);
    Tensor axes = q.reshape(n, -1, UprightCube.HEADINGS);
    Tensor axis = up.mul(axes).sum().neg();
    Tensor heading = p.sub(up).mul(axes).sum().neg();
    Tensor entropy = axis.add(heading.mul(new Scalar(HEADING)));
    Tensor u =
        torch.cat(new TensorVector(torch.ones_like(s.narrow(2, 0, 1)), s.narrow(2, 1, 3)), 2);
    Tensor m = t.narrow(2, 1, TOLD - 1).reshape(n, FRAMES, 4, 4);
    Tensor mu = torch.matmul(m, u.unsqueeze(3)).squeeze(3);
    Tensor traces = u.mul(mu).sum(2).div(u.mul(u).sum(2));
    Tensor off = traces.mul(new Scalar(-2.0)).add(new Scalar(6.0)).mul(q).sum();
    return entropy.add(off.mul(new Scalar(FOLLOWING))).div(new Scalar((double) n));
  }

  @Override
  public double[] said(float[] scores) {
    return CloudUprightMapping.answer(scores).rotation();
  }

  /** The angle between the true vertical and the one of the answer: the tilt that is left. */
  @Override
  public double errorDegrees(double[] truth, double[] said) {
    double dot = 0;
    for (int i = 6; i < 9; i++) {
      dot += truth[i] * said[i];
    }
    return Math.toDegrees(Math.acos(Math.max(-1, Math.min(1, dot))));
  }

  @Override
  public double near(float[] scores, double[] said) {
    return CloudUprightMapping.answer(scores).mass();
  }
}
