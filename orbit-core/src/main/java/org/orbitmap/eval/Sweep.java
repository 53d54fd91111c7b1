package org.orbitmap.eval;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleFunction;
import java.util.function.UnaryOperator;
import org.orbitmap.orbit.GroupAction;

/**
 * The poses over which a classifier is tested: a finite part of every input's orbit. A sweep of
 * group elements can be sent to another JVM; one with a transform of your own can if that is
 * serialisable.
 *
 * @param name what is swept, such as {@code rotation, bilinear}
 * @param unit the unit of the values, such as {@code °}; may be empty
 * @param poses at least one
 * @param <X> the inputs
 */
public record Sweep<X>(String name, String unit, List<Pose<X>> poses) implements Serializable {
  public Sweep {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(unit, "unit");
    poses = List.copyOf(poses);
    if (poses.isEmpty()) {
      throw new IllegalArgumentException("sweep: expected at least one pose, found none");
    }
  }

  /**
   * One pose.
   *
   * @param label what users read, such as {@code 15°}
   * @param value where it stands on the axis of a plot
   * @param transform brings an input into the pose without changing it; safe for several threads
   * @param identity whether the input stays as it is
   * @param <X> the inputs
   */
  public record Pose<X>(String label, double value, UnaryOperator<X> transform, boolean identity)
      implements Serializable {
    /** A pose that changes the input. */
    public Pose(String label, double value, UnaryOperator<X> transform) {
      this(label, value, transform, false);
    }

    /** The pose that inputs have anyway. */
    public static <X> Pose<X> identity(String label, double value) {
      return new Pose<>(label, value, new Unmoved<>(), true);
    }

    /** The pose g(x) for a group element; for the identity that which inputs have anyway. */
    public static <G, X> Pose<X> of(String label, double value, GroupAction<G, X> action, G g) {
      return action.group().distance(g, action.group().identity()) == 0
          ? identity(label, value)
          : new Pose<>(label, value, new Moved<>(action, g));
    }
  }

  /** x → g(x) */
  private record Moved<G, X>(GroupAction<G, X> action, G element)
      implements UnaryOperator<X>, Serializable {
    @Override
    public X apply(X x) {
      return action.act(element, x);
    }
  }

  /** x → x */
  private record Unmoved<X>() implements UnaryOperator<X>, Serializable {
    @Override
    public X apply(X x) {
      return x;
    }
  }

  /** No sweep at all: only the clean inputs. */
  public static <X> Sweep<X> clean() {
    return new Sweep<>("clean", "", List.of(Pose.identity("clean", 0)));
  }

  /**
   * A sweep over group elements that belong to numbers, such as angles.
   *
   * @param values the numbers; one whose element is the identity gives the identity pose
   * @param element the group element for a number
   */
  public static <G, X> Sweep<X> of(
      String name,
      String unit,
      GroupAction<G, X> action,
      double[] values,
      DoubleFunction<? extends G> element) {
    List<Pose<X>> poses = new ArrayList<>();
    for (double value : values) {
      poses.add(Pose.of(label(value) + unit, value, action, element.apply(value)));
    }
    return new Sweep<>(name, unit, poses);
  }

  /** The place of the first identity pose, or -1. */
  int identity() {
    for (int p = 0; p < poses.size(); p++) {
      if (poses.get(p).identity()) {
        return p;
      }
    }
    return -1;
  }

  private static String label(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
