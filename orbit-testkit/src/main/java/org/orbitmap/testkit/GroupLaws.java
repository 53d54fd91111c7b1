package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.orbitmap.group.FiniteGroup;
import org.orbitmap.group.Group;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.testkit.Law.Outcome;

/** The laws of groups and of their actions. */
final class GroupLaws {
  private static final double TOLERANCE = 1e-9;

  /** From here on an element is not close to the identity. */
  private static final double FAR = 0.3;

  /** An input that moves by less stays where it is, however coarse an action may be. */
  private static final double STILL = 0.01;

  private GroupLaws() {}

  /** The axioms; the group claims to be the subject's. */
  static <G> List<Law> group(Subject<G, ?> s, Group<G> group) {
    String name = group.name();
    List<Law> laws = new ArrayList<>();
    laws.add(
        new Law(
            name,
            Laws.ASSOCIATIVITY,
            TOLERANCE,
            r -> {
              G g = s.draw(r);
              G h = s.draw(r);
              G k = s.draw(r);
              return Outcome.of(
                  group.distance(
                      group.compose(group.compose(g, h), k), group.compose(g, group.compose(h, k))),
                  "g; h; k",
                  g,
                  h,
                  k);
            }));
    laws.add(
        new Law(
            name,
            Laws.IDENTITY,
            TOLERANCE,
            r -> {
              G g = s.draw(r);
              G e = group.identity();
              return Outcome.of(
                  Math.max(
                      group.distance(group.compose(e, g), g),
                      group.distance(group.compose(g, e), g)),
                  "g",
                  g);
            }));
    laws.add(
        new Law(
            name,
            Laws.INVERSE,
            TOLERANCE,
            r -> {
              G g = s.draw(r);
              G back = group.inverse(g);
              G e = group.identity();
              return Outcome.of(
                  Math.max(
                      group.distance(group.compose(back, g), e),
                      group.distance(group.compose(g, back), e)),
                  "g",
                  g);
            }));
    laws.add(
        new Law(
            name,
            Laws.DISTANCE,
            TOLERANCE,
            r -> {
              G g = s.element().apply(r);
              G h = s.element().apply(r);
              double apart = group.distance(g, h);
              boolean separates = apart > 0;
              for (int i = 0; i < 100 && !separates; i++) {
                separates = group.distance(s.element().apply(r), s.element().apply(r)) > 0;
              }
              double error = Math.max(group.distance(g, g), Math.abs(apart - group.distance(h, g)));
              return Outcome.of(separates ? error : 1, "g; h", g, h);
            }));
    if (group instanceof FiniteGroup<G> finite) {
      laws.add(new Law(name, Laws.LISTING, 0, r -> listing(finite, s.element(), r)));
    }
    return laws;
  }

  private static <G> Outcome listing(
      FiniteGroup<G> group, Function<RandomGenerator, G> sample, RandomGenerator random) {
    List<G> all = group.elements();
    boolean right = group.distance(all.get(0), group.identity()) == 0;
    G last = group.identity();
    for (int k = 0; k < 20 && right; k++) {
      G g = all.get(random.nextInt(all.size()));
      G h = all.get(random.nextInt(all.size()));
      for (G element : List.of(g, group.compose(g, h), group.inverse(g), sample.apply(random))) {
        last = element;
        right &= listed(all, group, element);
      }
    }
    return Outcome.of(right ? 0 : 1, "element", last);
  }

  private static <G> boolean listed(List<G> all, Group<G> group, G g) {
    return all.stream().filter(h -> group.distance(g, h) == 0).count() == 1;
  }

  /** See {@link Laws#action}. */
  static <G, X> List<Law> action(Subject<G, X> s) {
    GroupAction<G, X> action = s.action();
    Group<G> group = action.group();
    return List.of(
        new Law(
            s.name(),
            Laws.ACT_IDENTITY,
            s.tolerance(),
            r -> {
              X x = s.input(r);
              return Outcome.of(Values.distance(action.act(group.identity(), x), x), "x", x);
            }),
        new Law(
            s.name(),
            Laws.ACT_PRODUCT,
            s.tolerance(),
            r -> {
              G g = s.draw(r);
              G h = s.draw(r);
              X x = s.input(r);
              return Outcome.of(
                  Values.distance(
                      action.act(group.compose(g, h), x), action.act(g, action.act(h, x))),
                  "g; h; x",
                  g,
                  h,
                  x);
            }),
        new Law(
            s.name(),
            Laws.FAITHFUL,
            0,
            r -> {
              G g = far(s, r);
              double apart = group.distance(g, group.identity());
              double still = Math.min(s.tolerance(), STILL);
              double moved = 0;
              for (int i = 0; i < 10 && moved <= still; i++) {
                X x = s.input(r);
                moved = Math.max(moved, Values.distance(action.act(g, x), x));
              }
              return Outcome.of(moved > still ? 0 : apart, "g", g);
            }),
        new Law(
            s.name(),
            Laws.UNTOUCHED,
            0,
            r -> {
              // Equal generators draw equal inputs: one to act on, one to compare with.
              long seed = r.nextLong();
              X x = s.space().sample().apply(new SplittableRandom(seed));
              X same = s.space().sample().apply(new SplittableRandom(seed));
              G g = s.element().apply(r);
              action.act(g, x);
              return Outcome.of(Values.distance(x, same), "g; x", g, same);
            }));
  }

  /**
   * An element that is not close to the identity; every second one a commutator ghg⁻¹h⁻¹, because
   * an action that forgets a part of the group forgets no element in general position.
   */
  private static <G> G far(Subject<G, ?> s, RandomGenerator random) {
    Group<G> group = s.action().group();
    boolean commutator = random.nextBoolean();
    G g = group.identity();
    for (int i = 0; i < 100 && group.distance(g, group.identity()) < FAR; i++) {
      g = s.element().apply(random);
      if (commutator && i < 50) {
        G h = s.element().apply(random);
        g = group.compose(group.compose(g, h), group.inverse(group.compose(h, g)));
      }
    }
    return g;
  }
}
