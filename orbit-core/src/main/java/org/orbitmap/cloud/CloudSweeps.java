package org.orbitmap.cloud;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;

/** The sweeps of the paper over clouds in space (section 4.2 and appendix B), and finer ones. */
public final class CloudSweeps {
  private static final double[] SCALES = {0.001, 0.01, 0.1, 0.5, 1, 5, 10, 100, 1000};
  private static final double[] SHIFTS = {-10, -1, -0.5, -0.1, 0.1, 0.5, 1, 10};
  private static final int ANGLES = 16;

  private CloudSweeps() {}

  /** The 9 scales of the paper, 0.001 … 1000. */
  public static Sweep<PointCloud> scales() {
    return Sweep.of(
        "scale",
        "",
        new CloudAction(SimilarityGroup.scalings(3)),
        SCALES,
        s -> Similarity.scale(3, s));
  }

  /**
   * 16 × 16 rotations: first in the xy plane (about z), then in the yz plane (about x), by angles
   * that are multiples of 22.5°. All 256 differ.
   */
  public static Sweep<PointCloud> rotations() {
    return rotations(ANGLES);
  }

  /** The same grid with another number of angles, at equal steps from 0 to 360°: its square. */
  public static Sweep<PointCloud> rotations(int angles) {
    return rotations("rotation", angles, 2 * Math.PI / angles);
  }

  /** Rotations about the vertical, at equal steps from 0 to 360°. */
  public static Sweep<PointCloud> headings(int angles) {
    double[] degrees = new double[angles];
    Arrays.setAll(degrees, k -> k * 360.0 / angles);
    return Sweep.of(
        "rotation",
        "°",
        new CloudAction(SimilarityGroup.named("so2", 3)),
        degrees,
        a -> Similarity.rotation(2, Math.toRadians(a)));
  }

  /**
   * The authors' grid: 16 angles from 0 to 2π with both ends, so that only 15 × 15 poses differ and
   * those at 0 count twice. For comparison with the paper.
   */
  public static Sweep<PointCloud> rotationsOfThePaper() {
    return rotations("rotation, the paper's grid", ANGLES, 2 * Math.PI / (ANGLES - 1));
  }

  private static Sweep<PointCloud> rotations(String name, int angles, double step) {
    List<Similarity> elements = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (int a = 0; a < angles; a++) {
      for (int b = 0; b < angles; b++) {
        elements.add(Similarity.rotation(0, b * step).after(Similarity.rotation(2, a * step)));
        labels.add(
            String.format(
                Locale.ROOT, "%.4g°, %.4g°", Math.toDegrees(a * step), Math.toDegrees(b * step)));
      }
    }
    return sweep(name, SimilarityGroup.so(3), elements, labels);
  }

  /** The identity and Haar-random rotations. */
  public static Sweep<PointCloud> randomRotations(int count, RandomGenerator random) {
    return random("random rotation", SimilarityGroup.so(3), count, random);
  }

  /** The identity and random elements of a group, as {@link SimilarityGroup#sample} draws them. */
  public static Sweep<PointCloud> random(
      String name, SimilarityGroup group, int count, RandomGenerator random) {
    List<Similarity> elements = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    elements.add(Similarity.identity(3));
    labels.add("none");
    for (int i = 1; i <= count; i++) {
      elements.add(group.sample(random));
      labels.add("random " + i);
    }
    return sweep(name, group, elements, labels);
  }

  /**
   * What a group can do to a cloud: its rotations (the grid), scales and shifts, as far as it has
   * them, each for itself; and random elements, with mirror images if it has those.
   *
   * @param angles of the grid of rotations
   * @param count of random elements
   */
  public static List<Sweep<PointCloud>> of(
      SimilarityGroup group, int angles, int count, RandomGenerator random) {
    List<Sweep<PointCloud>> all = new ArrayList<>();
    if (group.rotations() == SimilarityGroup.Rotations.VERTICAL) {
      all.add(headings(angles));
    } else if (group.rotations() != SimilarityGroup.Rotations.NONE) {
      all.add(rotations(angles));
    }
    if (group.scales()) {
      all.add(scales());
    }
    if (group.moves()) {
      all.add(shifts());
    }
    all.add(random("random", group, count, random));
    return List.copyOf(all);
  }

  /** The order that the points have anyway, and random ones. */
  public static Sweep<PointCloud> orders(int count, long seed) {
    List<Sweep.Pose<PointCloud>> poses = new ArrayList<>();
    poses.add(Sweep.Pose.identity("none", 0));
    for (int i = 1; i <= count; i++) {
      poses.add(new Sweep.Pose<>("order " + i, i, new Reordered(seed + i)));
    }
    return new Sweep<>("order", "", poses);
  }

  /** x → π(x) for a permutation π of as many points as the cloud has, drawn with a seed. */
  private record Reordered(long seed) implements UnaryOperator<PointCloud>, Serializable {
    @Override
    public PointCloud apply(PointCloud x) {
      PermutationAction action = new PermutationAction(x.size());
      return action.act(action.group().sample(new SplittableRandom(seed)), x);
    }
  }

  /** The 8 shifts of the paper along x, then y, then z: 24 poses. */
  public static Sweep<PointCloud> shifts() {
    List<Similarity> elements = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (int axis = 0; axis < 3; axis++) {
      for (double s : SHIFTS) {
        double[] t = new double[3];
        t[axis] = s;
        elements.add(Similarity.translation(t));
        labels.add("xyz".charAt(axis) + (s > 0 ? "+" : "") + s);
      }
    }
    return sweep("shift", SimilarityGroup.translations(3), elements, labels);
  }

  /** The 8 shifts of the paper in all directions at once: 512 poses. */
  public static Sweep<PointCloud> allShifts() {
    List<Similarity> elements = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (double x : SHIFTS) {
      for (double y : SHIFTS) {
        for (double z : SHIFTS) {
          elements.add(Similarity.translation(x, y, z));
          labels.add(x + ", " + y + ", " + z);
        }
      }
    }
    return sweep("shifts together", SimilarityGroup.translations(3), elements, labels);
  }

  private static Sweep<PointCloud> sweep(
      String name, SimilarityGroup group, List<Similarity> elements, List<String> labels) {
    CloudAction action = new CloudAction(group);
    List<Sweep.Pose<PointCloud>> poses = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      poses.add(Sweep.Pose.of(labels.get(i), i, action, elements.get(i)));
    }
    return new Sweep<>(name, "", poses);
  }
}
