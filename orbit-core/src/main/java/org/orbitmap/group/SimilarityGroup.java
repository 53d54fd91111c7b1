package org.orbitmap.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The similarities of the plane or of space, or one of their subgroups: what is allowed is said by
 * three choices. All share the element {@link Similarity} and its product, so SE(3) is not written
 * again after SO(3).
 *
 * @param dimension 2 or 3
 * @param rotations no rotation, those about the vertical, proper rotations (determinant +1) or
 *     reflections too
 * @param scales whether elements may scale, by any positive number
 * @param moves whether elements may translate
 */
public record SimilarityGroup(int dimension, Rotations rotations, boolean scales, boolean moves)
    implements Group<Similarity> {
  /** The linear isometries of a subgroup. */
  public enum Rotations {
    /** Only the identity. */
    NONE,
    /** About the z axis of space, the vertical: what stands stays upright. */
    VERTICAL,
    /** Determinant +1: a left shoe stays a left shoe. */
    PROPER,
    /** Determinant +1 or -1. */
    ALL
  }

  public SimilarityGroup {
    if (dimension != 2 && dimension != 3) {
      throw new IllegalArgumentException("group: expected dimension 2 or 3, found " + dimension);
    }
    if (dimension == 2 && rotations == Rotations.VERTICAL) {
      throw new IllegalArgumentException("group: expected a vertical in space, found the plane");
    }
  }

  /** Rotations about the origin, SO(d). */
  public static SimilarityGroup so(int dimension) {
    return new SimilarityGroup(dimension, Rotations.PROPER, false, false);
  }

  /** Rotations and reflections about the origin, O(d). */
  public static SimilarityGroup o(int dimension) {
    return new SimilarityGroup(dimension, Rotations.ALL, false, false);
  }

  /** Translations. */
  public static SimilarityGroup translations(int dimension) {
    return new SimilarityGroup(dimension, Rotations.NONE, false, true);
  }

  /** Multiplication with positive numbers. */
  public static SimilarityGroup scalings(int dimension) {
    return new SimilarityGroup(dimension, Rotations.NONE, true, false);
  }

  /** Rigid motions, SE(d). */
  public static SimilarityGroup se(int dimension) {
    return new SimilarityGroup(dimension, Rotations.PROPER, false, true);
  }

  /** All orientation-preserving similarities. */
  public static SimilarityGroup similarities(int dimension) {
    return new SimilarityGroup(dimension, Rotations.PROPER, true, true);
  }

  /**
   * Rotations about the vertical, translations and scalings of space: what can happen to things
   * that stand on a floor.
   */
  public static SimilarityGroup upright() {
    return new SimilarityGroup(3, Rotations.VERTICAL, true, true);
  }

  /** Every subgroup of this kind in one dimension, the trivial one included. */
  public static List<SimilarityGroup> all(int dimension) {
    List<SimilarityGroup> all = new ArrayList<>();
    for (Rotations r : Rotations.values()) {
      for (int k = 0; k < 4 && (dimension == 3 || r != Rotations.VERTICAL); k++) {
        all.add(new SimilarityGroup(dimension, r, (k & 1) != 0, (k & 2) != 0));
      }
    }
    return all;
  }

  private static final List<String> IDS =
      List.of("sim#", "se#", "so#", "scale", "translation", "o#", "e#", "sim#-mirrored");

  private static final List<String> UPRIGHT = List.of("sim3-upright", "se3-upright", "so2");

  /** The names users choose groups by in a dimension, all similarities first. */
  public static List<String> names(int dimension) {
    List<String> names = new ArrayList<>();
    IDS.forEach(n -> names.add(n.replace("#", Integer.toString(dimension))));
    if (dimension == 3) {
      names.addAll(UPRIGHT);
    }
    return names;
  }

  /** A name in lower case, and {@code sim3} for its long form {@code similarity3}. */
  public static String id(String name) {
    return name.trim().toLowerCase(Locale.ROOT).replaceFirst("^similarity(?=[23])", "sim");
  }

  /**
   * The group of a dimension with this name, in any case: {@code sim3}, {@code se3}, {@code so3},
   * {@code scale}, {@code translation}, and with mirror images {@code o3}, {@code e3}, {@code
   * sim3-mirrored}; in space also those about the vertical, {@code sim3-upright}, {@code
   * se3-upright}, {@code so2}. {@code similarity3} is {@code sim3}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SimilarityGroup named(String name, int dimension) {
    return switch (names(dimension).indexOf(id(name))) {
      case 0 -> similarities(dimension);
      case 1 -> se(dimension);
      case 2 -> so(dimension);
      case 3 -> scalings(dimension);
      case 4 -> translations(dimension);
      case 5 -> o(dimension);
      case 6 -> new SimilarityGroup(dimension, Rotations.ALL, false, true);
      case 7 -> new SimilarityGroup(dimension, Rotations.ALL, true, true);
      case 8 -> upright();
      case 9 -> new SimilarityGroup(dimension, Rotations.VERTICAL, false, true);
      case 10 -> new SimilarityGroup(dimension, Rotations.VERTICAL, false, false);
      default ->
          throw new IllegalArgumentException(
              "group: expected one of %s in %d dimensions, found %s"
                  .formatted(String.join(", ", names(dimension)), dimension, name));
    };
  }

  /** Whether every element of {@code other} is an element of this group. */
  public boolean contains(SimilarityGroup other) {
    return dimension == other.dimension
        && rotations.compareTo(other.rotations) >= 0
        && (scales || !other.scales)
        && (moves || !other.moves);
  }

  /**
   * How many coordinates, from the first on, the rotations mix: none, x and y about the vertical,
   * all.
   */
  public int rotated() {
    return switch (rotations) {
      case NONE -> 0;
      case VERTICAL -> 2;
      case PROPER, ALL -> dimension;
    };
  }

  /**
   * The usual name: {@code SO(3)}, {@code O(3)}, {@code SE(3)}, {@code R+ on R^3}, {@code Sim(3)}.
   */
  @Override
  public String name() {
    String d = "(" + dimension + ")";
    return switch (rotations) {
      case NONE ->
          moves
              ? (scales ? "scalings and translations" : "translations") + " of R^" + dimension
              : (scales ? "scalings" : "identity") + " of R^" + dimension;
      case VERTICAL ->
          (scales ? (moves ? "Sim(3)" : "R+ x SO(2)") : moves ? "SE(3)" : "SO(2)")
              + " about the vertical";
      case PROPER -> scales ? (moves ? "Sim" + d : "R+ x SO" + d) : (moves ? "SE" : "SO") + d;
      case ALL -> scales ? (moves ? "Sim±" + d : "R+ x O" + d) : (moves ? "E" : "O") + d;
    };
  }

  @Override
  public Similarity identity() {
    return Similarity.identity(dimension);
  }

  @Override
  public Similarity compose(Similarity g, Similarity h) {
    return g.after(h);
  }

  @Override
  public Similarity inverse(Similarity g) {
    return g.inverse();
  }

  /**
   * The largest of: |log of the ratio of the scales|, the largest difference of a matrix entry, the
   * largest difference of a translation relative to the larger of 1 and the translations.
   */
  @Override
  public double distance(Similarity g, Similarity h) {
    double worst = Math.abs(Math.log(g.scale() / h.scale()));
    double size = 1;
    for (int i = 0; i < dimension; i++) {
      size = Math.max(size, Math.max(Math.abs(g.translation()[i]), Math.abs(h.translation()[i])));
    }
    for (int i = 0; i < dimension; i++) {
      worst = Math.max(worst, Math.abs(g.translation()[i] - h.translation()[i]) / size);
    }
    for (int i = 0; i < dimension * dimension; i++) {
      worst = Math.max(worst, Math.abs(g.rotation()[i] - h.rotation()[i]));
    }
    return worst;
  }

  /** Haar on the rotations; scale log-uniform in [0.1, 10]; each shift uniform in [-10, 10]. */
  @Override
  public Similarity sample(RandomGenerator random) {
    return sample(random, 10, 10);
  }

  /**
   * A random element with a chosen spread.
   *
   * @param scale the scale is log-uniform in [1/scale, scale], if this group scales
   * @param shift each shift is uniform in [-shift, shift], if this group moves
   */
  public Similarity sample(RandomGenerator random, double scale, double shift) {
    double[] r = rotations == Rotations.NONE ? identity().rotation() : haar(random);
    if (rotations == Rotations.ALL && random.nextBoolean()) {
      for (int j = 0; j < dimension; j++) {
        r[j] = -r[j];
      }
    }
    double s = scales ? Math.pow(scale, 2 * random.nextDouble() - 1) : 1;
    double[] t = new double[dimension];
    if (moves) {
      for (int i = 0; i < dimension; i++) {
        t[i] = shift * (2 * random.nextDouble() - 1);
      }
    }
    return new Similarity(s, r, t);
  }

  /** A Haar-random rotation matrix: in space from a normal random quaternion. */
  private double[] haar(RandomGenerator random) {
    if (rotations == Rotations.VERTICAL) {
      return Similarity.rotation(2, 2 * Math.PI * random.nextDouble()).rotation();
    }
    if (dimension == 2) {
      double a = 2 * Math.PI * random.nextDouble();
      return new double[] {Math.cos(a), -Math.sin(a), Math.sin(a), Math.cos(a)};
    }
    double w;
    double x;
    double y;
    double z;
    double n;
    do {
      w = random.nextGaussian();
      x = random.nextGaussian();
      y = random.nextGaussian();
      z = random.nextGaussian();
      n = w * w + x * x + y * y + z * z;
    } while (n < 1e-12);
    double k = 2 / n;
    return new double[] {
      1 - k * (y * y + z * z),
      k * (x * y - z * w),
      k * (x * z + y * w),
      k * (x * y + z * w),
      1 - k * (x * x + z * z),
      k * (y * z - x * w),
      k * (x * z - y * w),
      k * (y * z + x * w),
      1 - k * (x * x + y * y)
    };
  }
}
