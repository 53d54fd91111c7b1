package org.orbitmap.group;

import java.io.Serializable;
import java.util.List;

/** The four quarter turns of the plane, C4: the rotations that a pixel grid knows exactly. */
public record C4() implements FiniteGroup<C4.QuarterTurn> {
  private static final List<QuarterTurn> ALL =
      List.of(new QuarterTurn(0), new QuarterTurn(1), new QuarterTurn(2), new QuarterTurn(3));

  /**
   * A rotation by a multiple of 90°.
   *
   * @param turns 0 to 3
   */
  public record QuarterTurn(int turns) implements Serializable {
    public QuarterTurn {
      if (turns < 0 || turns > 3) {
        throw new IllegalArgumentException("quarter turns: expected 0 to 3, found " + turns);
      }
    }

    /** The same turn as a rotation. */
    public Rotation2 rotation() {
      return Rotation2.ofDegrees(90.0 * turns);
    }
  }

  /** The turn by 90° times any whole number. */
  public static QuarterTurn turn(int quarters) {
    return ALL.get(Math.floorMod(quarters, 4));
  }

  @Override
  public String name() {
    return "C4";
  }

  @Override
  public List<QuarterTurn> elements() {
    return ALL;
  }

  @Override
  public QuarterTurn identity() {
    return turn(0);
  }

  @Override
  public QuarterTurn compose(QuarterTurn g, QuarterTurn h) {
    return turn(g.turns + h.turns);
  }

  @Override
  public QuarterTurn inverse(QuarterTurn g) {
    return turn(-g.turns);
  }

  @Override
  public double distance(QuarterTurn g, QuarterTurn h) {
    return turn(g.turns - h.turns).turns == 0 ? 0 : 1;
  }
}
