package org.orbitmap.image.mapping;

import java.util.Objects;
import org.orbitmap.group.C4;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.image.Image;
import org.orbitmap.image.QuarterTurns;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Brings an image to its canonical orientation under quarter turns, exactly: the response c of the
 * rule's weight map is turned into the quadrant around the positive axis. Pixels only change
 * places.
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
    Pose pose = rule.weights(image.height(), image.width()).pose(image);
    double a = pose.rotation().cos();
    double b = pose.rotation().sin();
    QuarterTurn turn;
    if (Math.abs(a) >= Math.abs(b)) {
      turn = C4.turn(a >= 0 ? 0 : 2);
    } else {
      turn = C4.turn(b >= 0 ? 1 : 3);
    }
    double margin = pose.margin() * Math.abs(Math.abs(a) - Math.abs(b)) / Math.sqrt(2);
    return new Canonical<>(action().act(turn, image), turn, margin);
  }
}
