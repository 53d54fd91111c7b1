package org.orbitmap.orbit;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.orbitmap.group.Group;

/**
 * Picks one element from the orbit of an input by a fixed rule (paper, section 3.2).
 *
 * <p>Laws, with h(x) for {@code map(x).point()}:
 *
 * <ul>
 *   <li>the point lies on the orbit: h(x) = act(element, x);
 *   <li>invariance: h(act(g, x)) = h(x) for every g;
 *   <li>idempotence: h(h(x)) = h(x).
 * </ul>
 *
 * <p>They hold up to {@link #guarantee} for inputs with a positive margin. A mapping remembers
 * nothing: the pose comes back with the point. Mappings can be sent to another JVM; there they give
 * the same results.
 *
 * @param <G> the group elements
 * @param <X> the inputs
 */
public interface OrbitMapping<G, X> extends Serializable {
  /** The name users choose it by. */
  String name();

  /** The action whose orbits are mapped. */
  GroupAction<G, X> action();

  /** The canonical element of x's orbit, the group element that leads there, and the margin. */
  Canonical<G, X> map(X x);

  /** The canonical elements of many inputs, in their order, on all cores. */
  default List<Canonical<G, X>> mapAll(List<? extends X> inputs) {
    return inputs.parallelStream().<Canonical<G, X>>map(this::map).toList();
  }

  /** Whether h(act(g, x)) = h(x) holds exactly, up to rounding, or only approximately. */
  default Guarantee guarantee() {
    return action().guarantee();
  }

  /**
   * The groups whose orbits this mapping carries into orbits: for every k in such a group K there
   * is a k′ in K with h(act(k, x)) = act(k′, h(x)). Only mappings of such groups may follow it in a
   * composition.
   */
  default Set<Group<?>> carries() {
    return Set.of();
  }

  /** The invariant network x → net(h(x)) (paper, Fact 1). */
  default <Y> Function<X, Y> invariant(Function<? super X, ? extends Y> net) {
    return x -> net.apply(map(x).point());
  }

  /**
   * The equivariant network x → ĝ⁻¹(net(ĝ(x))) (paper, Proposition 2).
   *
   * @param onOutput how the group acts on what the network returns
   */
  default <Y> Function<X, Y> equivariant(
      Function<? super X, ? extends Y> net, GroupAction<G, Y> onOutput) {
    return x -> {
      Canonical<G, X> c = map(x);
      return onOutput.act(onOutput.group().inverse(c.element()), net.apply(c.point()));
    };
  }

  /**
   * First this mapping, then {@code next}: canonical for the joint group.
   *
   * <p>The result is invariant if this mapping carries the orbits of the next one's group into
   * orbits (centring does so with rotations: centre(Rx) = R centre(x); dividing by the distance to
   * the origin does not do so with translations). Anything else is refused here, not found out
   * later.
   *
   * @param next the mapping that follows, with elements of the same type
   * @param joint the action of the group that both generate
   * @throws IllegalArgumentException if the composition would not be invariant
   */
  default OrbitMapping<G, X> then(OrbitMapping<G, X> next, GroupAction<G, X> joint) {
    return new ComposedMapping<>(this, next, joint);
  }

  /**
   * Another choice on every orbit: x → s(h(x))·h(x), with the element s(h(x))·ĝ(x). It is an orbit
   * mapping again for any s at all, because s sees nothing but the canonical point, which is the
   * same for the whole orbit. This is how a learned choice of pose is built on a fixed one.
   *
   * <p>The point is act(s(h(x))·ĝ(x), x), computed from x in one step: an image is interpolated
   * once, not once for h and again for s. The margin is that of h, and so it says how far the input
   * is from a jump of h; s may jump by itself, and where the guarantee is not exact it sees h(x)
   * only up to that error, so a smooth s is the better one. If the group of the {@link #action} is
   * larger than the {@link #mapped} one, let s stay in the latter: otherwise the point may leave
   * the smaller orbit, and although the result is still invariant it is not idempotent.
   *
   * @param s the correction for a canonical point; if the mapping is to be sent to another JVM it
   *     must be serialisable, such as a record or a lambda cast to {@code Function & Serializable}
   */
  default OrbitMapping<G, X> refinedBy(Function<? super X, ? extends G> s) {
    return new RefinedMapping<>(this, s);
  }

  /**
   * The same mapping with its elements written in a larger group.
   *
   * @param inclusion the homomorphism from this mapping's group into the larger one
   * @param action the larger group's action; on included elements it must equal this one's
   */
  default <K> OrbitMapping<K, X> within(Inclusion<G, K> inclusion, GroupAction<K, X> action) {
    return new IncludedMapping<>(this, inclusion, action);
  }

  /**
   * A homomorphism from a group into a larger one, g → k. A lambda of this type can be sent to
   * another JVM.
   */
  @FunctionalInterface
  interface Inclusion<G, K> extends Serializable {
    /** The element of the larger group. */
    K apply(G g);
  }

  /** The group whose orbits are collapsed; a subgroup of {@code action().group()}. */
  default Group<?> mapped() {
    return action().group();
  }
}
