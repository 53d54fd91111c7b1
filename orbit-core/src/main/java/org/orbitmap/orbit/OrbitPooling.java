package org.orbitmap.orbit;

import java.util.List;
import java.util.function.Function;
import org.orbitmap.group.FiniteGroup;

/**
 * The other way to invariance: apply the whole finite group and pool (paper, Fact 1 and Proposition
 * 1; TI-pooling). Costs |G| evaluations of the network where an orbit mapping costs one.
 */
public final class OrbitPooling {
  private OrbitPooling() {}

  /**
   * The invariant network x → pool{net(g(x)) : g in G}.
   *
   * @param pool must not depend on the order of its argument
   */
  public static <G, X, Y, Z> Function<X, Z> invariant(
      FiniteGroup<G> group,
      GroupAction<G, X> onInput,
      Function<? super X, ? extends Y> net,
      Function<? super List<Y>, ? extends Z> pool) {
    List<G> elements = group.elements();
    return x -> {
      List<Y> orbit = elements.stream().<Y>map(g -> net.apply(onInput.act(g, x))).toList();
      return pool.apply(orbit);
    };
  }

  /**
   * The equivariant network x → pool{g(net(g⁻¹(x))) : g in G} (paper, Proposition 1).
   *
   * @param pool must not depend on the order of its argument and must commute with the group
   */
  public static <G, X, Y> Function<X, Y> equivariant(
      FiniteGroup<G> group,
      GroupAction<G, X> onInput,
      Function<? super X, ? extends Y> net,
      GroupAction<G, Y> onOutput,
      Function<? super List<Y>, ? extends Y> pool) {
    List<G> elements = group.elements();
    return x -> {
      List<Y> orbit =
          elements.stream()
              .<Y>map(g -> onOutput.act(g, net.apply(onInput.act(group.inverse(g), x))))
              .toList();
      return pool.apply(orbit);
    };
  }
}
