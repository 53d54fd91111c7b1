package org.orbitmap.image.mapping;

import java.util.Objects;
import org.orbitmap.group.C4;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.image.Image;
import org.orbitmap.image.QuarterTurns;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Brings an image to its canonical orientation under quarter turns, exactly: pixels only change
 * places.
 *
 * <p>First the least of the four rotated images is taken, by a total order on their bits; that is
 * an orbit mapping already, but a small change of the image can alter it much. Then the response c
 * of the rule's weight map to that image is rotated into the quadrant around the positive axis. As
 * c is computed from the same bits for every pose, ties and rounding are decided alike for all of
 * them: this is {@link org.orbitmap.orbit.OrbitMapping#refinedBy}, and the result is invariant to
 * the last bit for every image.
 *
 * <p>The margin is the L2 norm of the smallest change that can bring c to a border between two
 * quadrants, ||Re c| - |Im c||/(√2‖W‖).
 *
 * @param rule how the pose is found; must be exact under quarter turns
 */
public record QuarterTurnMapping(PoseRule rule) implements OrbitMapping<QuarterTurn, Image> {
  public QuarterTurnMapping {
    Objects.requireNonNull(rule, "rule");
    if (!rule.exactQuarterTurns()) {
      throw new IllegalArgumentException(
          "quarter turns: expected a mapping that is exact under them, found " + rule.name());
    }
  }

  @Override
  public String name() {
    return rule.name() + "-c4";
  }

  @Override
  public QuarterTurns action() {
    return new QuarterTurns();
  }

  @Override
  public Canonical<QuarterTurn, Image> map(Image image) {
    QuarterTurn first = least(image);
    Image least = first.turns() == 0 ? image : action().act(first, image);
    Pose pose = rule.weights(least.height(), least.width()).pose(least);
    double a = pose.rotation().cos();
    double b = pose.rotation().sin();
    QuarterTurn turn;
    if (Math.abs(a) >= Math.abs(b)) {
      turn = C4.turn(a >= 0 ? 0 : 2);
    } else {
      turn = C4.turn(b >= 0 ? 1 : 3);
    }
    double margin = pose.margin() * Math.abs(Math.abs(a) - Math.abs(b)) / Math.sqrt(2);
    return new Canonical<>(
        action().act(turn, least), action().group().compose(turn, first), margin);
  }

  /** The turn to the least rotated image: a lying one comes first, then the bits decide. */
  private static QuarterTurn least(Image image) {
    int h = image.height();
    int w = image.width();
    int best = h > w ? 1 : 0;
    for (int turns = best + 1; turns < 4; turns++) {
      if ((h == w || turns % 2 == best) && compare(image, turns, best) < 0) {
        best = turns;
      }
    }
    return C4.turn(best);
  }

  /** Compares two rotated images, pixel after pixel, without making them. */
  private static int compare(Image image, int turns, int others) {
    int[] one = QuarterTurns.walk(turns, image.height(), image.width());
    int[] other = QuarterTurns.walk(others, image.height(), image.width());
    boolean swap = turns % 2 == 1;
    int rows = swap ? image.width() : image.height();
    int columns = swap ? image.height() : image.width();
    float[] u = image.data();
    for (int c = 0; c < image.channels(); c++) {
      int plane = c * image.plane();
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
          int order =
              Integer.compare(
                  Float.floatToRawIntBits(u[plane + one[0] + i * one[1] + j * one[2]]),
                  Float.floatToRawIntBits(u[plane + other[0] + i * other[1] + j * other[2]]));
          if (order != 0) {
            return order;
          }
        }
      }
    }
    return 0;
  }
}
