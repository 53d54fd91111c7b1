package org.orbitmap.network.steerable;

import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.group.FiniteGroup;

/**
 * The rotations by multiples of 360°/N, C_N, and with mirrorings D_N.
 *
 * <p>Element number s·N + r is ρʳσˢ: first σ, the mirroring θ → -θ, if s is 1, then r times ρ, the
 * rotation θ → θ + 360°/N. So (ρʳσˢ)(ρ^qσᵗ) = ρ^(r ± q)σ^(s + t), minus if s is 1, and the
 * rotations, numbers 0 to N - 1, take the numbers 0 to N - 1 and N to 2N - 1 each to themselves:
 * what a regular field of D_N is to C_N.
 *
 * @param rotations N
 * @param mirrors whether it is D_N
 */
public record PlaneGroup(int rotations, boolean mirrors) implements FiniteGroup<Integer> {
  /** More rotations than this are no use on a grid of pixels. */
  public static final int MOST_ROTATIONS = 64;

  public PlaneGroup {
    if (rotations < 1 || rotations > MOST_ROTATIONS) {
      throw new IllegalArgumentException(
          "rotations: expected 1 to %d, found %d".formatted(MOST_ROTATIONS, rotations));
    }
  }

  /** C_N. */
  public static PlaneGroup cyclic(int rotations) {
    return new PlaneGroup(rotations, false);
  }

  /** D_N. */
  public static PlaneGroup dihedral(int rotations) {
    return new PlaneGroup(rotations, true);
  }

  @Override
  public String name() {
    return (mirrors ? "D" : "C") + rotations;
  }

  /** The number of elements. */
  public int order() {
    return mirrors ? 2 * rotations : rotations;
  }

  @Override
  public List<Integer> elements() {
    return IntStream.range(0, order()).boxed().toList();
  }

  @Override
  public Integer identity() {
    return 0;
  }

  /** Whether an element mirrors. */
  public boolean mirrored(int g) {
    return g >= rotations;
  }

  /** The angle r·360°/N of an element, in radians. */
  public double angle(int g) {
    return 2 * Math.PI * (g % rotations) / rotations;
  }

  /** The number of gh. */
  public int product(int g, int h) {
    int r = mirrored(g) ? g - h : g + h;
    int turns = Math.floorMod(r, rotations);
    return mirrored(g) == mirrored(h) ? turns : rotations + turns;
  }

  @Override
  public Integer compose(Integer g, Integer h) {
    return product(g, h);
  }

  @Override
  public Integer inverse(Integer g) {
    return mirrored(g) ? g : (rotations - g) % rotations;
  }

  @Override
  public double distance(Integer g, Integer h) {
    return g.equals(h) ? 0 : 1;
  }
}
