package org.orbitmap.orbit;

import java.io.Serializable;
import org.orbitmap.group.Group;

/**
 * A left action of a group on inputs (paper, section 3.1).
 *
 * <p>Laws: act(e, x) = x and act(gh, x) = act(g, act(h, x)). A built-in action is also faithful:
 * only e leaves every x as it is. Without that last law an action that does nothing would pass.
 *
 * <p>Actions can be sent to another JVM.
 *
 * @param <G> the group elements
 * @param <X> the inputs
 */
public interface GroupAction<G, X> extends Serializable {
  /** The group that acts. */
  Group<G> group();

  /** The transformed input g(x); x itself is not changed. */
  X act(G g, X x);

  /** Whether the laws hold exactly, up to rounding, or only approximately. */
  default Guarantee guarantee() {
    return Guarantee.ROUNDING;
  }

  /** The formula of an action, (g, x) → g(x). A lambda of this type can be sent to another JVM. */
  @FunctionalInterface
  interface Formula<G, X> extends Serializable {
    /** The transformed input g(x). */
    X apply(G g, X x);
  }

  /** An action given by a formula, exact up to rounding. */
  static <G, X> GroupAction<G, X> of(Group<G> group, Formula<G, X> formula) {
    return new FormulaAction<>(group, formula);
  }

  /** The action that leaves every value alone: the right one for outputs that are invariant. */
  static <G, Y> GroupAction<G, Y> trivial(Group<G> group) {
    return of(group, (g, y) -> y);
  }
}
