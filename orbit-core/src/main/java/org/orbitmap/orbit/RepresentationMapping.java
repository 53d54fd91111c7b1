package org.orbitmap.orbit;

import java.io.Serializable;
import java.util.Objects;
import java.util.function.Function;

/**
 * An orbit mapping into another representation (paper, last remark of section 3): instead of
 * picking an element of the orbit it describes the whole orbit, by something that all its elements
 * have in common.
 *
 * <p>Law, with h(x) for {@code map(x).point()}: h(act(g, x)) = act′(g, h(x)), where act′ is the
 * action on representations. It is trivial where h is invariant; where the representation names
 * parts of the input (vertices), it renames them.
 *
 * <p>It holds up to {@link #guarantee} for inputs with a positive margin. There is no way back: a
 * representation may forget what the group cannot tell.
 *
 * @param <G> the group elements
 * @param <X> the inputs
 * @param <Y> the representations
 */
public interface RepresentationMapping<G, X, Y> extends Serializable {
  /**
   * What was found.
   *
   * @param point the representation
   * @param margin how far the input is from one where the choice would jump, in the unit that the
   *     mapping documents; 0 means ambiguous
   */
  record Represented<Y>(Y point, double margin) implements Serializable {
    public Represented {
      Objects.requireNonNull(point, "point");
      if (!(margin >= 0)) {
        throw new IllegalArgumentException("margin: expected a number >= 0, found " + margin);
      }
    }
  }

  /** The name users choose it by. */
  String name();

  /** The action whose orbits are described. */
  GroupAction<G, X> action();

  /** What the group does to representations. */
  GroupAction<G, Y> onRepresentations();

  /** The representation of x's orbit, and the margin. */
  Represented<Y> map(X x);

  /** Whether the law holds exactly, up to rounding, or only approximately. */
  default Guarantee guarantee() {
    return action().guarantee();
  }

  /** The network x → net(h(x)), as invariant as h is (paper, Fact 1). */
  default <Z> Function<X, Z> invariant(Function<? super Y, ? extends Z> net) {
    return x -> net.apply(map(x).point());
  }
}
