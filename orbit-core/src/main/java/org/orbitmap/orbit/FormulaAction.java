package org.orbitmap.orbit;

import java.util.Objects;
import org.orbitmap.group.Group;

/** An action by a formula; see {@link GroupAction#of}. */
record FormulaAction<G, X>(Group<G> group, Formula<G, X> formula) implements GroupAction<G, X> {
  FormulaAction {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(formula, "formula");
  }

  @Override
  public X act(G g, X x) {
    return formula.apply(g, x);
  }

  @Override
  public String toString() {
    return group.name();
  }
}
