package org.orbitmap.nn.fit;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;

/**
 * Clouds in poses. Some points of an upright cloud, in any pose, are aligned; what makes the
 * aligned cloud upright is the inverse of its rotation. In training half of the aligned clouds are
 * turned by one of the 24 rotations that carry axes to axes, so that what the signs of the axes say
 * is not relied on.
 */
final class CloudExamples implements Examples<PointCloud, double[]> {
  private final CloudUprightSettings settings;
  private final CloudMapping mapping;

  CloudExamples(CloudUprightSettings settings) {
    this.settings = settings;
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
  public int bins() {
    return settings.bins();
  }

  @Override
  public Posed<PointCloud, double[]> draw(PointCloud upright, SplittableRandom random) {
    boolean turned = random.nextBoolean();
    int axis = random.nextInt(CloudUprightSettings.AXES);
    double quarter = Math.PI / 2 * random.nextInt(4);
    double[] turn = CloudUprightMapping.rotation(turned ? axis : 4, turned ? quarter : 0);
    return posed(upright, turn, random);
  }

  /** The canonical cloud is the same for every pose of a cloud, so that no pose is drawn. */
  @Override
  public Posed<PointCloud, double[]> mapped(PointCloud upright, SplittableRandom random) {
    return posed(upright, CloudUprightMapping.rotation(4, 0), random);
  }

  private Posed<PointCloud, double[]> posed(
      PointCloud upright, double[] turn, SplittableRandom random) {
    PointCloud some = some(upright, random);
    var canonical = mapping.map(some);
    float[] seen = CloudUprightMapping.seen(canonical.point());
    float[] x = new float[seen.length];
    for (int p = 0; p < x.length; p += 3) {
      for (int i = 0; i < 3; i++) {
        x[p + i] =
            (float)
                (turn[3 * i] * seen[p]
                    + turn[3 * i + 1] * seen[p + 1]
                    + turn[3 * i + 2] * seen[p + 2]);
      }
    }
    // (TR)⁻¹ is the transposed of TR.
    double[] r = canonical.element().rotation();
    double[] back = new double[9];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
          back[3 * j + i] += turn[3 * i + k] * r[3 * k + j];
        }
      }
    }
    CloudUprightMapping.Answer nearest = CloudUprightMapping.nearest(back);
    return new Posed<>(new PointCloud(3, x), back, nearest.axis(), nearest.radians());
  }

  /** As many points as the predictor is fitted on, drawn without repetition while there are any. */
  private PointCloud some(PointCloud all, SplittableRandom random) {
    int n = all.size();
    int m = settings.points();
    int[] order = new int[n];
    Arrays.setAll(order, i -> i);
    float[] x = new float[3 * m];
    for (int k = 0; k < m; k++) {
      int at = k % n;
      int other = at + random.nextInt(n - at);
      int point = order[other];
      order[other] = order[at];
      order[at] = point;
      System.arraycopy(all.coordinates(), 3 * point, x, 3 * k, 3);
    }
    return new PointCloud(3, x);
  }

  @Override
  public Tensor seen(TorchOperations ops, Tensor clouds) {
    return clouds;
  }

  @Override
  public double[] said(float[] probabilities) {
    return CloudUprightMapping.answer(probabilities, bins()).rotation();
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

  /** All of the axis: the error is that of the vertical. */
  @Override
  public double near(float[] probabilities, double[] said) {
    int axis = CloudUprightMapping.nearest(said).axis();
    double sum = 0;
    for (int k = 0; k < bins(); k++) {
      sum += probabilities[axis * bins() + k];
    }
    return Math.min(1, sum);
  }
}
