package org.orbitmap.cloud;

import java.util.ArrayList;
import java.util.List;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.orbit.GroupAction;

/**
 * Similarities act on clouds point by point, x → s R x + t (paper, section 4.2); vector features
 * rotate, scalar features stay. Each coordinate is computed in double and rounded once.
 *
 * @param group the similarities or one of their subgroups
 */
public record CloudAction(SimilarityGroup group) implements GroupAction<Similarity, PointCloud> {
  @Override
  public PointCloud act(Similarity g, PointCloud x) {
    requireDimension(group.dimension(), x);
    float[] out = new float[x.coordinates().length];
    apply(g.scale(), g.rotation(), g.translation(), x.coordinates(), out);
    return new PointCloud(x.dimension(), out, rotate(x.features(), g.rotation()));
  }

  public static void requireDimension(int expected, PointCloud x) {
    if (x.dimension() != expected) {
      throw new IllegalArgumentException(
          "cloud: expected %d coordinates a point, found %d".formatted(expected, x.dimension()));
    }
  }

  /** Vector features rotated, the others as they are. */
  public static List<PointFeature> rotate(List<PointFeature> features, double[] rotation) {
    if (features.isEmpty()) {
      return features;
    }
    List<PointFeature> rotated = new ArrayList<>();
    for (PointFeature f : features) {
      if (f.kind() == PointFeature.Kind.VECTOR) {
        float[] out = new float[f.values().length];
        apply(1, rotation, new double[f.width()], f.values(), out);
        rotated.add(new PointFeature(f.name(), f.kind(), f.width(), out));
      } else {
        rotated.add(f);
      }
    }
    return rotated;
  }

  /** out = s R x + t for every point. */
  static void apply(double s, double[] r, double[] t, float[] in, float[] out) {
    if (t.length == 2) {
      double a = s * r[0];
      double b = s * r[1];
      double c = s * r[2];
      double d = s * r[3];
      for (int i = 0; i + 1 < in.length; i += 2) {
        double x = in[i];
        double y = in[i + 1];
        out[i] = (float) (a * x + b * y + t[0]);
        out[i + 1] = (float) (c * x + d * y + t[1]);
      }
      return;
    }
    double a = s * r[0];
    double b = s * r[1];
    double c = s * r[2];
    double d = s * r[3];
    double e = s * r[4];
    double f = s * r[5];
    double g = s * r[6];
    double h = s * r[7];
    double k = s * r[8];
    double u = t[0];
    double v = t[1];
    double w = t[2];
    for (int i = 0; i + 2 < in.length; i += 3) {
      double x = in[i];
      double y = in[i + 1];
      double z = in[i + 2];
      out[i] = (float) (a * x + b * y + c * z + u);
      out[i + 1] = (float) (d * x + e * y + f * z + v);
      out[i + 2] = (float) (g * x + h * y + k * z + w);
    }
  }
}
