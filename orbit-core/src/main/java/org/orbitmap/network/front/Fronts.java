package org.orbitmap.network.front;

import java.util.List;
import org.orbitmap.extension.Registry;
import org.orbitmap.network.Front;

/** All fronts: a new one is a class and its line here, a user's own is found. */
public final class Fronts {
  private static final Registry<Front> ALL =
      Registry.of(
          Front.class,
          "front",
          List.of(
              new SpatialTransformer(),
              new EquivariantTransformer(),
              new Canonicaliser(),
              new Augerino(),
              new Farthest()));

  private Fronts() {}

  /** All fronts, built in or found. */
  public static List<Front> all() {
    return ALL.all();
  }

  /**
   * The front with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Front named(String name) {
    return ALL.named(name);
  }
}
