package org.orbitmap.orbit;

import java.util.Objects;
import java.util.Set;
import org.orbitmap.group.Group;

/** A mapping with its elements written in a larger group; see {@link OrbitMapping#within}. */
record IncludedMapping<G, K, X>(
    OrbitMapping<G, X> base, OrbitMapping.Inclusion<G, K> inclusion, GroupAction<K, X> action)
    implements OrbitMapping<K, X> {
  IncludedMapping {
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(inclusion, "inclusion");
    Objects.requireNonNull(action, "action");
  }

  @Override
  public String name() {
    return base.name();
  }

  @Override
  public Canonical<K, X> map(X x) {
    Canonical<G, X> c = base.map(x);
    return new Canonical<>(c.point(), inclusion.apply(c.element()), c.margin());
  }

  @Override
  public Guarantee guarantee() {
    return base.guarantee();
  }

  @Override
  public Set<Group<?>> carries() {
    return base.carries();
  }

  @Override
  public Group<?> mapped() {
    return base.mapped();
  }
}
