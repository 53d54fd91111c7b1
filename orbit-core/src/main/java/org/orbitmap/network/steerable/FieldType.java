package org.orbitmap.network.steerable;

/**
 * What channels mean: fields over the plane on which a group acts as (g·f)(x) = ρ(g) f(g⁻¹x).
 *
 * <p>ρ is trivial for the channels of an image. A regular field has one channel for each element of
 * the group, one after another, and ρ(g) takes channel h to channel gh.
 *
 * @param group the group
 * @param regular whether the fields are regular
 * @param count how many
 */
public record FieldType(PlaneGroup group, boolean regular, int count) {
  public FieldType {
    if (count < 1) {
      throw new IllegalArgumentException("fields: expected at least 1, found " + count);
    }
  }

  /** The channels of an image. */
  public static FieldType scalars(PlaneGroup group, int count) {
    return new FieldType(group, false, count);
  }

  /** Regular fields. */
  public static FieldType regular(PlaneGroup group, int count) {
    return new FieldType(group, true, count);
  }

  /** The channels of one field. */
  public int size() {
    return regular ? group.order() : 1;
  }

  /** All channels. */
  public int channels() {
    return Math.multiplyExact(count, size());
  }

  /** Where ρ(g) takes a channel of a field. */
  public int moved(int g, int channel) {
    return regular ? group.product(g, channel) : channel;
  }

  /**
   * The same channels seen by the rotations alone: a regular field of D_N is two of C_N, and no
   * channel changes its place (see {@link PlaneGroup}).
   */
  public FieldType restricted() {
    PlaneGroup rotations = PlaneGroup.cyclic(group.rotations());
    return new FieldType(rotations, regular, regular && group.mirrors() ? 2 * count : count);
  }
}
