package org.orbitmap.app.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.orbit.Canonical;

/**
 * SampleSolids made of boxes, balls and rods, as points on their surfaces, and a classifier of
 * clouds that needs no training: the nearest reference solid in the chamfer distance
 *
 * <p>d(X, Y) = mean over x of min over y |x - y|² + mean over y of min over x |x - y|².
 */
public final class SampleSolids {
  /** What there is; y is up. */
  public static final List<String> CLASSES =
      List.of("chair", "plane", "mug", "lamp", "guitar", "bed", "bicycle", "duck");

  private static final int POINTS = 900;
  private static final int REFERENCE_POINTS = 300;

  /** How fast the probability falls with the distance. */
  private static final double SHARPNESS = 12;

  private static final Map<String, Consumer<Maker>> MAKERS = new LinkedHashMap<>();

  static {
    MAKERS.put(
        "chair",
        m -> {
          m.box(0, 0, 0, 0.5, 0.05, 0.5).box(0, 0.6, -0.46, 0.5, 0.55, 0.05);
          m.box(-0.45, -0.5, -0.45, 0.05, 0.45, 0.05).box(0.45, -0.5, -0.45, 0.05, 0.45, 0.05);
          m.box(-0.45, -0.5, 0.45, 0.05, 0.45, 0.05).box(0.45, -0.5, 0.45, 0.05, 0.45, 0.05);
          m.box(0.5, 0.3, 0.05, 0.05, 0.04, 0.4);
        });
    MAKERS.put(
        "plane",
        m -> {
          m.ball(0, 0, 0.05, 0.14, 0.14, 1).box(0, 0, 0.2, 1.1, 0.03, 0.2);
          m.box(0, 0.05, -0.85, 0.4, 0.02, 0.12).box(0, 0.28, -0.88, 0.02, 0.24, 0.12);
          m.ball(-0.5, -0.12, 0.25, 0.08, 0.08, 0.2).ball(0.5, -0.12, 0.25, 0.08, 0.08, 0.2);
        });
    MAKERS.put(
        "mug",
        m -> {
          m.tube(0, 0, 0, 0.55, 0.7).disc(0, -0.7, 0, 0.55);
          m.ring(0.72, 0, 0, 0.36, 0.08).ball(0, 0.45, 0, 0.5, 0.02, 0.5);
        });
    MAKERS.put(
        "lamp",
        m -> {
          m.disc(0, -1, 0, 0.45).box(0, -0.45, 0, 0.04, 0.55, 0.04);
          m.box(0.3, 0.25, 0, 0.32, 0.04, 0.04).cone(0.62, 0.1, 0.08, 0.42, 0.6);
        });
    MAKERS.put(
        "guitar",
        m -> {
          m.ball(0, -0.65, 0, 0.5, 0.42, 0.12).ball(0.03, -0.15, 0, 0.36, 0.3, 0.11);
          m.box(0, 0.55, 0.1, 0.06, 0.6, 0.03).box(0.05, 1.2, 0.06, 0.12, 0.14, 0.03);
        });
    MAKERS.put(
        "bed",
        m -> {
          m.box(0, 0, 0, 0.6, 0.14, 1).box(0, 0.3, -1, 0.6, 0.45, 0.05);
          m.box(0, 0.1, 1, 0.6, 0.2, 0.05).box(-0.2, 0.2, -0.75, 0.3, 0.08, 0.16);
          m.box(0.85, -0.05, -0.85, 0.18, 0.22, 0.18);
        });
    MAKERS.put(
        "bicycle",
        m -> {
          m.ring(-0.62, -0.3, 0, 0.42, 0.04).ring(0.62, -0.3, 0, 0.42, 0.04);
          m.rod(-0.62, -0.3, 0, -0.1, -0.32, 0).rod(-0.1, -0.32, 0, -0.3, 0.3, 0);
          m.rod(-0.1, -0.32, 0, 0.42, 0.24, 0).rod(-0.3, 0.2, 0, 0.42, 0.24, 0);
          m.rod(0.62, -0.3, 0, 0.4, 0.45, 0).rod(0.4, 0.45, -0.3, 0.4, 0.45, 0.3);
          m.box(-0.32, 0.34, 0, 0.16, 0.03, 0.07).rod(-0.1, -0.32, 0, -0.1, -0.5, 0.14);
        });
    MAKERS.put(
        "duck",
        m -> {
          m.ball(0, -0.2, 0, 0.45, 0.38, 0.7).ball(0, 0.5, 0.5, 0.28, 0.28, 0.28);
          m.cone(0, 0.45, 0.78, 0.14, 0.12).ball(0, 0.15, 0.42, 0.16, 0.3, 0.18);
          m.ball(0.1, 0.1, -0.75, 0.12, 0.2, 0.2);
        });
  }

  /** One for each class, in order; other points than those of the samples. */
  private final List<List<PointCloud>> references =
      CLASSES.stream().map(name -> List.of(cloud(name, REFERENCE_POINTS, 7))).toList();

  /** The references in all their candidate frames, by mapping; there are few mappings. */
  private final Map<CloudMapping, List<List<PointCloud>>> canonical = new ConcurrentHashMap<>();

  /** The sample cloud of a solid, upright. */
  public static PointCloud sample(String name) {
    return cloud(name, POINTS, 1);
  }

  private static PointCloud cloud(String name, int points, long seed) {
    Maker maker = new Maker(RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
    MAKERS.get(name).accept(maker);
    return maker.sample(points);
  }

  /** Class probabilities by the distances to the references as they stand. */
  public double[] plain(PointCloud cloud) {
    return probabilities(cloud, references);
  }

  /**
   * Class probabilities of a canonical cloud. References were sampled once more, so that where a
   * sign hangs on few points theirs may differ: the best of their candidate frames counts.
   */
  public double[] mapped(CloudMapping mapping, PointCloud cloud) {
    return probabilities(
        cloud,
        canonical.computeIfAbsent(
            mapping,
            m ->
                references.stream()
                    .map(r -> m.frames(r.get(0)).stream().map(Canonical::point).toList())
                    .toList()));
  }

  private static double[] probabilities(PointCloud cloud, List<List<PointCloud>> to) {
    double[] p = new double[to.size()];
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < p.length; i++) {
      p[i] = to.get(i).stream().mapToDouble(r -> chamfer(cloud, r)).min().orElseThrow();
      least = Math.min(least, p[i]);
    }
    double sum = 0;
    for (int i = 0; i < p.length; i++) {
      p[i] = Math.exp(-SHARPNESS * (p[i] - least));
      sum += p[i];
    }
    for (int i = 0; i < p.length; i++) {
      p[i] /= sum;
    }
    return p;
  }

  static double chamfer(PointCloud a, PointCloud b) {
    float[] x = a.coordinates();
    float[] y = b.coordinates();
    float[] nearest = new float[b.size()];
    Arrays.fill(nearest, Float.POSITIVE_INFINITY);
    double sum = 0;
    for (int i = 0; i < x.length; i += 3) {
      float best = Float.POSITIVE_INFINITY;
      for (int j = 0, k = 0; j < y.length; j += 3, k++) {
        float dx = x[i] - y[j];
        float dy = x[i + 1] - y[j + 1];
        float dz = x[i + 2] - y[j + 2];
        float d = dx * dx + dy * dy + dz * dz;
        best = Math.min(best, d);
        nearest[k] = Math.min(nearest[k], d);
      }
      sum += best;
    }
    double back = 0;
    for (float d : nearest) {
      back += d;
    }
    return sum / a.size() + back / b.size();
  }

  /** Collects surfaces, then puts points on them, evenly by area. */
  private static final class Maker {
    private interface Surface {
      void point(double[] out);
    }

    private final RandomGenerator random;
    private final List<Surface> surfaces = new ArrayList<>();
    private final List<Double> areas = new ArrayList<>();

    Maker(RandomGenerator random) {
      this.random = random;
    }

    private Maker add(double area, Surface surface) {
      surfaces.add(surface);
      areas.add(area);
      return this;
    }

    private double u() {
      return 2 * random.nextDouble() - 1;
    }

    private static void set(double[] out, double x, double y, double z) {
      out[0] = x;
      out[1] = y;
      out[2] = z;
    }

    Maker box(double x, double y, double z, double a, double b, double c) {
      double[] faces = {b * c, a * c, a * b};
      double area = 8 * (faces[0] + faces[1] + faces[2]);
      return add(
          area,
          out -> {
            double pick = random.nextDouble() * area / 8;
            int axis = pick < faces[0] ? 0 : pick < faces[0] + faces[1] ? 1 : 2;
            double side = random.nextBoolean() ? 1 : -1;
            set(
                out,
                x + a * (axis == 0 ? side : u()),
                y + b * (axis == 1 ? side : u()),
                z + c * (axis == 2 ? side : u()));
          });
    }

    Maker ball(double x, double y, double z, double a, double b, double c) {
      double p = (Math.pow(a * b, 1.6) + Math.pow(a * c, 1.6) + Math.pow(b * c, 1.6)) / 3;
      return add(
          4 * Math.PI * Math.pow(p, 1 / 1.6),
          out -> {
            double h = u();
            double t = Math.PI * u();
            double r = Math.sqrt(1 - h * h);
            set(out, x + a * r * Math.cos(t), y + b * h, z + c * r * Math.sin(t));
          });
    }

    Maker tube(double x, double y, double z, double r, double half) {
      return add(
          4 * Math.PI * r * half,
          out -> {
            double t = Math.PI * u();
            set(out, x + r * Math.cos(t), y + half * u(), z + r * Math.sin(t));
          });
    }

    Maker disc(double x, double y, double z, double r) {
      return add(
          Math.PI * r * r,
          out -> {
            double t = Math.PI * u();
            double s = r * Math.sqrt(random.nextDouble());
            set(out, x + s * Math.cos(t), y, z + s * Math.sin(t));
          });
    }

    /** Opens downwards; the tip is at height {@code half} above the middle. */
    Maker cone(double x, double y, double z, double r, double half) {
      return add(
          Math.PI * r * Math.hypot(r, 2 * half),
          out -> {
            double t = Math.PI * u();
            double s = Math.sqrt(random.nextDouble());
            set(out, x + r * s * Math.cos(t), y + half - 2 * half * s, z + r * s * Math.sin(t));
          });
    }

    /** Stands upright, about the z axis. */
    Maker ring(double x, double y, double z, double r, double thick) {
      return add(
          4 * Math.PI * Math.PI * r * thick,
          out -> {
            double t = Math.PI * u();
            double s = Math.PI * u();
            double q = r + thick * Math.cos(s);
            set(out, x + q * Math.cos(t), y + q * Math.sin(t), z + thick * Math.sin(s));
          });
    }

    Maker rod(double x0, double y0, double z0, double x1, double y1, double z1) {
      double length = Math.hypot(Math.hypot(x1 - x0, y1 - y0), z1 - z0);
      return add(
          0.25 * length,
          out -> {
            double t = random.nextDouble();
            set(
                out,
                x0 + t * (x1 - x0) + 0.02 * u(),
                y0 + t * (y1 - y0) + 0.02 * u(),
                z0 + t * (z1 - z0) + 0.02 * u());
          });
    }

    PointCloud sample(int points) {
      double total = areas.stream().mapToDouble(Double::doubleValue).sum();
      float[] x = new float[3 * points];
      double[] out = new double[3];
      int at = 0;
      double due = 0;
      for (int k = 0; k < surfaces.size(); k++) {
        due += points * areas.get(k) / total;
        int until = k == surfaces.size() - 1 ? points : (int) Math.round(due);
        for (; at < until; at++) {
          surfaces.get(k).point(out);
          for (int d = 0; d < 3; d++) {
            x[3 * at + d] = (float) out[d];
          }
        }
      }
      return new PointCloud(3, x);
    }
  }
}
