package org.orbitmap.orbit;

import java.util.LinkedHashSet;
import java.util.Set;
import org.orbitmap.group.Group;

/** One mapping after another; see {@link OrbitMapping#then}. */
record ComposedMapping<G, X>(
    OrbitMapping<G, X> first, OrbitMapping<G, X> next, GroupAction<G, X> action)
    implements OrbitMapping<G, X> {

  ComposedMapping {
    if (!first.carries().contains(next.mapped())) {
      throw new IllegalArgumentException(
          "%s, then %s is not invariant: %s does not carry orbits of %s into orbits (it does so for %s). Try the other order."
              .formatted(
                  first.name(),
                  next.name(),
                  first.name(),
                  next.mapped().name(),
                  first.carries().isEmpty()
                      ? "no other group"
                      : first.carries().stream().map(Group::name).sorted().toList()));
    }
  }

  @Override
  public String name() {
    return first.name() + "+" + next.name();
  }

  @Override
  public Canonical<G, X> map(X x) {
    Canonical<G, X> a = first.map(x);
    Canonical<G, X> b = next.map(a.point());
    return new Canonical<>(
        b.point(),
        action.group().compose(b.element(), a.element()),
        Math.min(a.margin(), b.margin()));
  }

  @Override
  public Guarantee guarantee() {
    return first.guarantee().and(next.guarantee());
  }

  /** What both carry: h₂(h₁(kx)) = h₂(k′h₁(x)) = k″h₂(h₁(x)). */
  @Override
  public Set<Group<?>> carries() {
    Set<Group<?>> both = new LinkedHashSet<>(first.carries());
    both.retainAll(next.carries());
    return Set.copyOf(both);
  }
}
