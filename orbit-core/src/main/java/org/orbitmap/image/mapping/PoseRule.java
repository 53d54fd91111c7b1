package org.orbitmap.image.mapping;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.orbitmap.image.mapping.WeightRule.Symmetry;

/**
 * A rule that tells how an image is rotated: a {@link WeightMap} for every size. Two rules are
 * equal if they give the same weights by the same construction.
 *
 * <p>The built-in ones, by name:
 *
 * <ul>
 *   <li>{@code disc} (the default): the mean gradient under the smooth window (1-(r/R)²)² over the
 *       inscribed disc, W(z) = r(1-(r/R)²)e^{iθ}, R = min(height, width)/2;
 *   <li>{@code paper}: the text of section 4.1: Gaussian blur with σ = 1.5, bilinear model, its
 *       exact gradient at 360 points on each of two circles of radii 0.05 and 0.4;
 *   <li>{@code released}: what the authors' program computes: a 5 × 5 blur with zero padding, 300
 *       points from (r, r) on, so that the radii are √2 times as large and most of the outer circle
 *       lies outside;
 *   <li>{@code central} and {@code forward}: finite differences of the blurred image at the pixels
 *       nearest to the circles (appendix C);
 *   <li>{@link #kernels}: any pair of convolution kernels that appendix D allows.
 * </ul>
 */
public final class PoseRule implements Serializable {
  /** The smooth disc window: the default. */
  public static final PoseRule DISC = new PoseRule(BuiltInRule.DISC);

  /** The text of the paper. */
  public static final PoseRule PAPER = new PoseRule(BuiltInRule.PAPER);

  /** The authors' program. */
  public static final PoseRule RELEASED = new PoseRule(BuiltInRule.RELEASED);

  /** Central differences at the nearest pixels. */
  public static final PoseRule CENTRAL = new PoseRule(BuiltInRule.CENTRAL);

  /** Forward differences at the nearest pixels. */
  public static final PoseRule FORWARD = new PoseRule(BuiltInRule.FORWARD);

  /**
   * The second harmonic W₂(z) = r²(1-(r/R)²)e^{2iθ}: it turns by e^{-2iα}. Not a pose of its own;
   * {@link OrthogonalMapping} tells mirror images apart with it.
   */
  static final PoseRule SECOND_HARMONIC = new PoseRule(BuiltInRule.SECOND_HARMONIC);

  /** What one rule may keep: 4 million weights, 64 MB. */
  private static final long MOST_CACHED_PIXELS = 4_000_000;

  private final WeightRule rule;
  private final transient Map<Long, WeightMap> cache = new ConcurrentHashMap<>();
  private final transient AtomicLong cachedPixels = new AtomicLong();

  private PoseRule(WeightRule rule) {
    this.rule = rule;
  }

  /** All built-in rules, the default first. */
  public static List<PoseRule> all() {
    return List.of(DISC, PAPER, RELEASED, CENTRAL, FORWARD);
  }

  /** The built-in rule with this name. */
  public static PoseRule named(String name) {
    for (PoseRule rule : all()) {
      if (rule.name().equalsIgnoreCase(name.trim())) {
        return rule;
      }
    }
    throw new IllegalArgumentException(
        "mapping: expected one of %s, found %s"
            .formatted(all().stream().map(PoseRule::name).toList(), name));
  }

  /**
   * The rule of appendix D: c = Σ over two circles of ((k₁*u) + i(k₂*u))(z), read bilinearly.
   *
   * <p>The necessary condition, with the sign that the printed kernels have (the formula in the
   * paper lacks it): k₁[i,j] = -k₁[N+1-i,N+1-j], and k₂ is k₁ rotated by a quarter, k₂[i,j] =
   * k₁[N+1-j,i].
   *
   * @throws IllegalArgumentException naming the entries that break the condition
   */
  public static PoseRule kernels(double[][] k1, double[][] k2) {
    return new PoseRule(new Kernels(k1, k2));
  }

  /** The name users choose it by. */
  public String name() {
    return rule.label();
  }

  /**
   * Whether the rule makes multiples of 90° exact up to rounding: W rotated by a quarter is W times
   * -i, entry by entry.
   */
  public boolean exactQuarterTurns() {
    return rule.symmetry() == Symmetry.QUARTER;
  }

  /** The weight map for images of a size; built once, then shared. */
  public WeightMap weights(int height, int width) {
    if (height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "weight map: expected at least 1 x 1, found %d x %d".formatted(height, width));
    }
    long size = (long) height << 32 | width;
    WeightMap known = cache.get(size);
    if (known != null) {
      return known;
    }
    WeightMap built = build(height, width);
    long pixels = (long) height * width;
    if (cachedPixels.addAndGet(pixels) > MOST_CACHED_PIXELS) {
      cache.clear(); // images of ever new sizes must not fill the memory
      cachedPixels.set(pixels);
    }
    WeightMap earlier = cache.putIfAbsent(size, built);
    return earlier == null ? built : earlier;
  }

  /** What is sent to another JVM: no weights. A built-in rule is read back as itself. */
  private record Form(WeightRule rule) implements Serializable {
    private Object readResolve() {
      return Stream.concat(all().stream(), Stream.of(SECOND_HARMONIC))
          .filter(built -> built.rule.equals(rule))
          .findFirst()
          .orElseGet(() -> new PoseRule(rule));
    }
  }

  private Object writeReplace() {
    return new Form(rule);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PoseRule r && rule.equals(r.rule);
  }

  @Override
  public int hashCode() {
    return rule.hashCode();
  }

  @Override
  public String toString() {
    return name();
  }

  private WeightMap build(int height, int width) {
    Symmetry symmetry = rule.symmetry();
    boolean lying = symmetry != Symmetry.NONE && height > width;
    Weights weights =
        lying ? new Weights(/* height= */ width, /* width= */ height) : new Weights(height, width);
    rule.build(weights);
    if (symmetry == Symmetry.QUARTER && height == width) {
      weights.symmetriseQuarters();
    } else if (symmetry != Symmetry.NONE) {
      weights.symmetrise();
    }
    if (lying) {
      weights = weights.quarterTurned();
    }
    return WeightMap.of(weights);
  }
}
