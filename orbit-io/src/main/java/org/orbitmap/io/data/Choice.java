package org.orbitmap.io.data;

/**
 * How much to read of a data set, and in which size.
 *
 * @param side images from files become the central square, averaged to side x side; 0 leaves them
 *     as they are. Sets in records have the size they have
 * @param points of each cloud: drawn by area from meshes, chosen at random from larger clouds; 0
 *     takes the points and vertices as they are
 * @param limit how many inputs at most, 0 for all: of sets in records, which are mixed, the first;
 *     of files, which stand class by class, as evenly over the classes as they allow
 * @param seed of the points that are drawn
 */
public record Choice(int side, int points, int limit, long seed) {
  /** Everything as it is. */
  public static final Choice ALL = new Choice(0, 0, 0, 1);

  public Choice {
    if (side < 0 || points < 0 || limit < 0) {
      throw new IllegalArgumentException(
          "side, points and limit: expected at least 0, found %d, %d and %d"
              .formatted(side, points, limit));
    }
  }

  /** The same with another side of images. */
  public Choice withSide(int pixels) {
    return new Choice(pixels, points, limit, seed);
  }

  /** The same with another number of points. */
  public Choice withPoints(int count) {
    return new Choice(side, count, limit, seed);
  }

  /** The same with another limit. */
  public Choice withLimit(int most) {
    return new Choice(side, points, most, seed);
  }

  /** The same with another seed. */
  public Choice withSeed(long other) {
    return new Choice(side, points, limit, other);
  }

  /** The largest number of inputs. */
  public int most() {
    return limit == 0 ? Integer.MAX_VALUE : limit;
  }
}
