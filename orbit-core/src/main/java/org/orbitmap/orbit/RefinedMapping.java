package org.orbitmap.orbit;

import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.orbitmap.group.Group;

/** A mapping with another choice on every orbit; see {@link OrbitMapping#refinedBy}. */
record RefinedMapping<G, X>(OrbitMapping<G, X> base, Function<? super X, ? extends G> refinement)
    implements OrbitMapping<G, X> {

  RefinedMapping {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(refinement, "refinement");
  }

  @Override
  public String name() {
    return base.name() + "+refined";
  }

  @Override
  public GroupAction<G, X> action() {
    return base.action();
  }

  /** act(s(h(x))·ĝ, x): straight from x, so that an action that interpolates does so once. */
  @Override
  public Canonical<G, X> map(X x) {
    Canonical<G, X> c = base.map(x);
    G element = action().group().compose(refinement.apply(c.point()), c.element());
    return new Canonical<>(action().act(element, x), element, c.margin());
  }

  @Override
  public Guarantee guarantee() {
    return base.guarantee().and(action().guarantee());
  }

  /**
   * With y = h(x): if h carries K, then kx is mapped to s(k′y)k′y = (s(k′y) k′ s(y)⁻¹) s(y)y. The
   * factor lies in K if the values of s do. Nothing is known of them but that they lie in the group
   * of the action, so that this group alone can be promised, and only if h carries it. (It does if
   * it maps all of that group: then k′ = e.)
   */
  @Override
  public Set<Group<?>> carries() {
    Group<G> all = action().group();
    return all.equals(mapped()) || base.carries().contains(all) ? Set.of(all) : Set.of();
  }

  @Override
  public Group<?> mapped() {
    return base.mapped();
  }
}
