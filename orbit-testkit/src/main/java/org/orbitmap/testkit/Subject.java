package org.orbitmap.testkit;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.orbitmap.orbit.GroupAction;

/**
 * What laws are checked on: a group that acts on inputs.
 *
 * @param name what results call it, such as {@code SO(2) on images}
 * @param action the action, and with it the group
 * @param element draws a group element in general position
 * @param near draws one close to the identity, where formulas with small denominators break
 * @param space the inputs
 * @param tolerance how far two inputs may be apart that should be equal
 * @param <G> the group elements
 * @param <X> the inputs
 */
public record Subject<G, X>(
    String name,
    GroupAction<G, X> action,
    Function<RandomGenerator, G> element,
    Function<RandomGenerator, G> near,
    Space<X> space,
    double tolerance) {
  public Subject {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(element, "element");
    Objects.requireNonNull(near, "near");
    Objects.requireNonNull(space, "space");
    if (!(tolerance >= 0)) {
      throw new IllegalArgumentException("tolerance: expected a number >= 0, found " + tolerance);
    }
  }

  /** A subject whose elements come from the group itself. */
  public static <G, X> Subject<G, X> of(
      String name, GroupAction<G, X> action, Space<X> space, double tolerance) {
    return new Subject<>(
        name,
        action,
        r -> action.group().sample(r),
        r -> action.group().identity(),
        space,
        tolerance);
  }

  /** The same with elements close to the identity. */
  public Subject<G, X> withNear(Function<RandomGenerator, G> other) {
    return new Subject<>(name, action, element, other, space, tolerance);
  }

  /** The same with other elements, such as a range that keeps an image inside its frame. */
  public Subject<G, X> withElements(Function<RandomGenerator, G> other) {
    return new Subject<>(name, action, other, near, space, tolerance);
  }

  /** The same under another name and with another action of the same group. */
  Subject<G, X> with(String otherName, GroupAction<G, X> other) {
    return new Subject<>(otherName, other, element, near, space, tolerance);
  }

  /** The same under another name and on other inputs. */
  Subject<G, X> with(String otherName, Space<X> other) {
    return new Subject<>(otherName, action, element, near, other, tolerance);
  }

  /** Mostly general elements, some close to the identity, now and then the identity itself. */
  G draw(RandomGenerator random) {
    int kind = random.nextInt(8);
    return kind == 0
        ? action.group().identity()
        : kind <= 2 ? near.apply(random) : element.apply(random);
  }

  /** An input in general position. */
  X input(RandomGenerator random) {
    return space.sample().apply(random);
  }

  /** An input in general position that is suitable, such as one with a clear margin. */
  X input(Predicate<X> suitable, RandomGenerator random) {
    for (int i = 0; i < 1000; i++) {
      X x = input(random);
      if (suitable.test(x)) {
        return x;
      }
    }
    throw new IllegalStateException(
        "1000 inputs were drawn, and the margin of every one was too small");
  }
}
