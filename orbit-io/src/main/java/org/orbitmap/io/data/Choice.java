package org.orbitmap.io.data;

/**
 * How much to read of a data set, and in which size.
 *
 * @param height of images from files: the largest central part of these proportions, averaged to
 *     height x width; 0 leaves them as they are. Sets in records have the size they have
 * @param width likewise
 * @param points of each cloud: drawn by area from meshes, chosen at random from larger clouds,
 *     drawn again from smaller ones; 0 takes the points and vertices as they are
 * @param limit how many inputs at most, 0 for all: of sets in records, which are mixed, the first;
 *     of files, which stand class by class, as evenly over the classes as they allow
 * @param seed of the points that are drawn
 * @param whenNeeded whether images from files are read when they are asked for, and not all at
 *     once; they need a size then
 */
public record Choice(int height, int width, int points, int limit, long seed, boolean whenNeeded) {
  /** Everything as it is. */
  public static final Choice ALL = new Choice(0, 0, 0, 0, 1, false);

  public Choice {
    if (height < 0 || width < 0 || points < 0 || limit < 0) {
      throw new IllegalArgumentException(
          "size, points and limit: expected at least 0, found %d x %d, %d and %d"
              .formatted(height, width, points, limit));
    }
    if (whenNeeded && height == 0) {
      throw new IllegalArgumentException(
          "size: expected one for images that are read when needed, found none");
    }
    if ((height == 0) != (width == 0)) {
      throw new IllegalArgumentException(
          "size: expected height and width or neither, found %d x %d".formatted(height, width));
    }
  }

  /** The same with square images of this side. */
  public Choice withSide(int pixels) {
    return withSize(pixels, pixels);
  }

  /** The same with images of this size. */
  public Choice withSize(int rows, int columns) {
    return new Choice(rows, columns, points, limit, seed, whenNeeded);
  }

  /** Whether images get a size. */
  public boolean hasSize() {
    return height > 0;
  }

  /** The same with another number of points. */
  public Choice withPoints(int count) {
    return new Choice(height, width, count, limit, seed, whenNeeded);
  }

  /** The same with another limit. */
  public Choice withLimit(int most) {
    return new Choice(height, width, points, most, seed, whenNeeded);
  }

  /** The same with another seed. */
  public Choice withSeed(long other) {
    return new Choice(height, width, points, limit, other, whenNeeded);
  }

  /** The same with images read when they are needed, or all at once. */
  public Choice readWhenNeeded(boolean other) {
    return new Choice(height, width, points, limit, seed, other);
  }

  /** The largest number of inputs. */
  public int most() {
    return limit == 0 ? Integer.MAX_VALUE : limit;
  }
}
