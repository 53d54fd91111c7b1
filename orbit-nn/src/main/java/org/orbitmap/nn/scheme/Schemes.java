package org.orbitmap.nn.scheme;

import java.util.List;
import org.orbitmap.extension.Registry;

/** All training schemes: a new one is a class and its line here, a user's own is found. */
public final class Schemes {
  private static final Registry<Scheme> ALL =
      Registry.of(
          Scheme.class,
          "scheme",
          List.of(
              new Standard(),
              new RotationAugmented(),
              new RotationCombined(),
              new Adversarial(),
              new Mixed(),
              new AdversarialKl(),
              new AdversarialLogitPairing()));

  private Schemes() {}

  /** All schemes, built in or found. */
  public static List<Scheme> all() {
    return ALL.all();
  }

  /**
   * The scheme with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Scheme named(String name) {
    return ALL.named(name);
  }
}
