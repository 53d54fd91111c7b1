package org.orbitmap.image;

import java.util.Locale;

/** How an image is read between its pixels. */
public enum Interpolation {
  /** The nearest pixel. */
  NEAREST(0),
  /** Linear in both directions between the four pixels around. */
  BILINEAR(1),
  /**
   * Cubic convolution over the sixteen pixels around, Keys' kernel with a = -3/4: that of PyTorch
   * and of ONNX. (PIL's geometric transforms use a = -1, Keys' own paper a = -1/2.)
   */
  BICUBIC(2);

  /** The a of the cubic kernel. */
  public static final float CUBIC_A = -0.75f;

  /** How many pixels beyond the one at the floor are read in each direction. */
  final int reach;

  Interpolation(int reach) {
    this.reach = reach;
  }

  /** The interpolation with this name, in any case. */
  public static Interpolation named(String name) {
    for (Interpolation i : values()) {
      if (i.id().equalsIgnoreCase(name.trim())) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "interpolation: expected nearest, bilinear or bicubic, found " + name);
  }

  /** The name users see. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return id();
  }

  /** The cubic kernel at distance t in [0, 1]: (a+2)t³ - (a+3)t² + 1. */
  static float near(float t) {
    return ((CUBIC_A + 2) * t - (CUBIC_A + 3)) * t * t + 1;
  }

  /** The cubic kernel at distance 1 + t, t in [0, 1]: at(1-t)². */
  static float far(float t) {
    return CUBIC_A * t * (1 - t) * (1 - t);
  }
}
