package org.orbitmap.orbit;

import java.io.Serializable;
import java.util.Objects;

/**
 * What an orbit mapping found: the chosen element of the orbit and how to get there.
 *
 * @param point the canonical input, {@code act(element, x)}
 * @param element the group element ĝ that brings the input to its canonical pose
 * @param margin how far the input is from one where the choice would jump, in the unit that the
 *     mapping documents; 0 means ambiguous: another choice was as good
 * @param <G> the group elements
 * @param <X> the inputs
 */
public record Canonical<G, X>(X point, G element, double margin) implements Serializable {
  public Canonical {
    Objects.requireNonNull(point, "point");
    Objects.requireNonNull(element, "element");
    if (!(margin >= 0)) {
      throw new IllegalArgumentException("margin: expected a number >= 0, found " + margin);
    }
  }
}
