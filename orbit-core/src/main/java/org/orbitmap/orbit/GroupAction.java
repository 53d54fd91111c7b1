package org.orbitmap.orbit;

import java.util.function.BiFunction;
import org.orbitmap.group.Group;

/**
 * A left action of a group on inputs (paper, section 3.1).
 *
 * <p>Laws: act(e, x) = x and act(gh, x) = act(g, act(h, x)). A built-in action is also faithful:
 * only e leaves every x as it is. Without that last law an action that does nothing would pass.
 *
 * @param <G> the group elements
 * @param <X> the inputs
 */
public interface GroupAction<G, X> {
  /** The group that acts. */
  Group<G> group();

  /** The transformed input g(x); x itself is not changed. */
  X act(G g, X x);

  /** Whether the laws hold exactly, up to rounding, or only approximately. */
  default Guarantee guarantee() {
    return Guarantee.ROUNDING;
  }

  /** An action given by a function, exact up to rounding. */
  static <G, X> GroupAction<G, X> of(Group<G> group, BiFunction<G, X, X> act) {
    return new GroupAction<>() {
      @Override
      public Group<G> group() {
        return group;
      }

      @Override
      public X act(G g, X x) {
        return act.apply(g, x);
      }

      @Override
      public String toString() {
        return group.name();
      }
    };
  }

  /** The action that leaves every value alone: the right one for outputs that are invariant. */
  static <G, Y> GroupAction<G, Y> trivial(Group<G> group) {
    return of(group, (g, y) -> y);
  }
}
