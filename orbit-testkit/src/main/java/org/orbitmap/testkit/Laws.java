package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.orbitmap.group.FiniteGroup;
import org.orbitmap.group.Group;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.orbit.OrbitPooling;
import org.orbitmap.testkit.Law.Outcome;

/** The laws (paper, section 3 and appendix A). */
public final class Laws {
  /** (gh)k = g(hk) */
  public static final String ASSOCIATIVITY = "associativity";

  /** eg = g = ge */
  public static final String IDENTITY = "identity";

  /** g⁻¹g = e = gg⁻¹ */
  public static final String INVERSE = "inverse";

  /** d(g, g) = 0, d(g, h) = d(h, g), and elements in general position are apart. */
  public static final String DISTANCE = "distance";

  /** The list of a finite group: e first, no element twice, closed under products and inverses. */
  public static final String LISTING = "listing";

  /** act(e, x) = x */
  public static final String ACT_IDENTITY = "action of the identity";

  /** act(gh, x) = act(g, act(h, x)) */
  public static final String ACT_PRODUCT = "action of a product";

  /** Every g other than e moves some x. An action that does nothing passes all other laws. */
  public static final String FAITHFUL = "faithfulness";

  /** act(g, x) leaves x itself as it was. */
  public static final String UNTOUCHED = "input untouched";

  /** map(x).point = act(map(x).element, x) */
  public static final String ON_ORBIT = "point on the orbit";

  /** h(act(g, x)) = h(x) */
  public static final String INVARIANCE = "invariance";

  /** h(h(x)) = h(x) */
  public static final String IDEMPOTENCE = "idempotence";

  /** map(x) is the same whatever was mapped before. */
  public static final String NO_MEMORY = "no memory";

  /** Special inputs give a point on the orbit, never NaN and never an exception. */
  public static final String SPECIAL = "special inputs";

  /** net(h(act(g, x))) = net(h(x)) (Fact 1) */
  public static final String INVARIANT_NETWORK = "invariant network";

  /** f(act(g, x)) = act(g, f(x)) for f(x) = ĝ⁻¹(net(ĝ(x))) (Proposition 2) */
  public static final String EQUIVARIANT_NETWORK = "equivariant network";

  /** pool{net(hx)} does not change with x → gx (TI-pooling) */
  public static final String INVARIANT_POOLING = "invariant pooling";

  /** pool{h(net(h⁻¹x))} moves with x (Proposition 1) */
  public static final String EQUIVARIANT_POOLING = "equivariant pooling";

  /** A composition that was accepted is invariant under the joint group. */
  public static final String COMPOSITION = "composition";

  /** A composition that is not invariant is refused. */
  public static final String REFUSAL = "refusal";

  /** h refined by s maps x to s(h(x))·h(x), by the element s(h(x))·ĝ(x), with the margin of h. */
  public static final String REFINEMENT = "refinement";

  private static final double GROUP_TOLERANCE = 1e-9;

  /** From here on an element is not close to the identity. */
  private static final double FAR = 0.3;

  /** An input that moves by less stays where it is, however coarse an action may be. */
  private static final double STILL = 0.01;

  private Laws() {}

  /** The axioms of the subject's group. */
  public static <G> List<Law> group(Subject<G, ?> s) {
    return group(s, s.action().group());
  }

  /** The axioms, for a group that claims to be the subject's. */
  static <G> List<Law> group(Subject<G, ?> s, Group<G> group) {
    String name = group.name();
    List<Law> laws = new ArrayList<>();
    laws.add(
        new Law(
            name,
            ASSOCIATIVITY,
            GROUP_TOLERANCE,
            r -> {
              G g = s.draw(r);
              G h = s.draw(r);
              G k = s.draw(r);
              return outcome(
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
            IDENTITY,
            GROUP_TOLERANCE,
            r -> {
              G g = s.draw(r);
              G e = group.identity();
              return outcome(
                  Math.max(
                      group.distance(group.compose(e, g), g),
                      group.distance(group.compose(g, e), g)),
                  "g",
                  g);
            }));
    laws.add(
        new Law(
            name,
            INVERSE,
            GROUP_TOLERANCE,
            r -> {
              G g = s.draw(r);
              G back = group.inverse(g);
              G e = group.identity();
              return outcome(
                  Math.max(
                      group.distance(group.compose(back, g), e),
                      group.distance(group.compose(g, back), e)),
                  "g",
                  g);
            }));
    laws.add(
        new Law(
            name,
            DISTANCE,
            GROUP_TOLERANCE,
            r -> {
              G g = s.element().apply(r);
              G h = s.element().apply(r);
              double apart = group.distance(g, h);
              boolean separates = apart > 0;
              for (int i = 0; i < 100 && !separates; i++) {
                separates = group.distance(s.element().apply(r), s.element().apply(r)) > 0;
              }
              double error = Math.max(group.distance(g, g), Math.abs(apart - group.distance(h, g)));
              return outcome(separates ? error : 1, "g; h", g, h);
            }));
    if (group instanceof FiniteGroup<G> finite) {
      laws.add(new Law(name, LISTING, 0, r -> listing(finite, s.element(), r)));
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
    return outcome(right ? 0 : 1, "element", last);
  }

  private static <G> boolean listed(List<G> all, Group<G> group, G g) {
    return all.stream().filter(h -> group.distance(g, h) == 0).count() == 1;
  }

  /** The laws of the subject's action. */
  public static <G, X> List<Law> action(Subject<G, X> s) {
    GroupAction<G, X> action = s.action();
    Group<G> group = action.group();
    return List.of(
        new Law(
            s.name(),
            ACT_IDENTITY,
            s.tolerance(),
            r -> {
              X x = s.input(r);
              return outcome(Values.distance(action.act(group.identity(), x), x), "x", x);
            }),
        new Law(
            s.name(),
            ACT_PRODUCT,
            s.tolerance(),
            r -> {
              G g = s.draw(r);
              G h = s.draw(r);
              X x = s.input(r);
              return outcome(
                  Values.distance(
                      action.act(group.compose(g, h), x), action.act(g, action.act(h, x))),
                  "g; h; x",
                  g,
                  h,
                  x);
            }),
        new Law(
            s.name(),
            FAITHFUL,
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
              return outcome(moved > still ? 0 : apart, "g", g);
            }),
        new Law(
            s.name(),
            UNTOUCHED,
            0,
            r -> {
              // Equal generators draw equal inputs: one to act on, one to compare with.
              long seed = r.nextLong();
              X x = s.space().sample().apply(new SplittableRandom(seed));
              X same = s.space().sample().apply(new SplittableRandom(seed));
              G g = s.element().apply(r);
              action.act(g, x);
              return outcome(Values.distance(x, same), "g; x", g, same);
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

  /** The laws of a mapping of the subject's orbits. */
  public static <G, X> List<Law> mapping(Subject<G, X> s, OrbitMapping<G, X> mapping) {
    return mapping(s, mapping, s.tolerance(), 0);
  }

  /**
   * The laws of a mapping that is less exact than the action.
   *
   * @param tolerance the largest error allowed for invariance and idempotence
   * @param margin inputs with a smaller margin are passed over: where the action is approximate it
   *     may push them across the border where the choice jumps
   */
  public static <G, X> List<Law> mapping(
      Subject<G, X> s, OrbitMapping<G, X> mapping, double tolerance, double margin) {
    String name = name(s, mapping);
    GroupAction<G, X> action = s.action();
    return List.of(
        new Law(
            name,
            ON_ORBIT,
            onOrbitTolerance(s),
            r -> {
              X x = s.input(r);
              Canonical<G, X> c = mapping.map(x);
              return outcome(
                  Values.distance(action.act(c.element(), x), c.point()),
                  "element; x",
                  c.element(),
                  x);
            }),
        new Law(
            name,
            INVARIANCE,
            tolerance,
            r -> {
              X x = clear(s, mapping, margin, r);
              G g = s.draw(r);
              return outcome(
                  Values.distance(mapping.map(action.act(g, x)).point(), mapping.map(x).point()),
                  "g; x",
                  g,
                  x);
            }),
        new Law(
            name,
            IDEMPOTENCE,
            tolerance,
            r -> {
              X x = clear(s, mapping, margin, r);
              X once = mapping.map(x).point();
              return outcome(Values.distance(mapping.map(once).point(), once), "x", x);
            }),
        new Law(
            name,
            NO_MEMORY,
            0,
            r -> {
              X x = s.input(r);
              Canonical<G, X> first = mapping.map(x);
              X other = s.input(r);
              mapping.map(other);
              Canonical<G, X> again = mapping.map(x);
              double error =
                  Math.max(
                      Values.distance(first.point(), again.point()),
                      Math.max(
                          action.group().distance(first.element(), again.element()),
                          Values.distance(first.margin(), again.margin())));
              return outcome(error, "x; mapped between", x, other);
            }),
        new Law(
            name,
            SPECIAL,
            onOrbitTolerance(s),
            r -> {
              List<X> special = s.space().special();
              if (special.isEmpty()) {
                return outcome(0, "");
              }
              X x = special.get(r.nextInt(special.size()));
              Canonical<G, X> c = mapping.map(x);
              return outcome(
                  relative(action.act(c.element(), x), c.point(), x), "element; x", c.element(), x);
            }));
  }

  /** What both wrappers make of the space's network; see {@link #mapping} for the margin. */
  public static <G, X> List<Law> wrappers(
      Subject<G, X> s, OrbitMapping<G, X> mapping, double tolerance, double margin) {
    return List.of(
        invariant(
            name(s, mapping),
            INVARIANT_NETWORK,
            s,
            mapping.invariant(s.space().net()),
            x -> mapping.map(x).margin() > margin,
            tolerance),
        equivariant(
            name(s, mapping),
            EQUIVARIANT_NETWORK,
            s,
            mapping.equivariant(s.space().net(), s.action()),
            s.action(),
            x -> mapping.map(x).margin() > margin,
            tolerance));
  }

  /**
   * Pooling over a finite group.
   *
   * @param pool commutes with the group and does not depend on the order, such as the mean
   */
  public static <G, X> List<Law> pooling(
      Subject<G, X> s,
      FiniteGroup<G> group,
      Function<? super List<X>, ? extends X> pool,
      double tolerance) {
    return List.of(
        invariant(
            s.name(),
            INVARIANT_POOLING,
            s,
            OrbitPooling.<G, X, X, X>invariant(group, s.action(), s.space().net(), pool),
            x -> true,
            tolerance),
        equivariant(
            s.name(),
            EQUIVARIANT_POOLING,
            s,
            OrbitPooling.<G, X, X>equivariant(group, s.action(), s.space().net(), s.action(), pool),
            s.action(),
            x -> true,
            tolerance));
  }

  /** A composition that was accepted, under the joint group. */
  public static <G, X> Law composition(
      Subject<G, X> s, OrbitMapping<G, X> composed, double tolerance) {
    Law invariance =
        mapping(s, composed, tolerance, 0).stream()
            .filter(law -> law.name().equals(INVARIANCE))
            .findFirst()
            .orElseThrow();
    return new Law(invariance.subject(), COMPOSITION, tolerance, invariance.trial());
  }

  /**
   * A composition that must be refused, with a reason.
   *
   * @param name what results call it
   * @param compose builds it; the law holds if that throws an {@link IllegalArgumentException} with
   *     a message
   */
  public static Law refusal(String name, Supplier<?> compose) {
    return new Law(
        name,
        REFUSAL,
        0,
        r -> {
          try {
            return outcome(1, "accepted", compose.get());
          } catch (IllegalArgumentException e) {
            return outcome(e.getMessage() == null ? 1 : 0, "thrown", e);
          }
        });
  }

  /**
   * The refinement of a mapping: that it is one, and every law of a mapping. Idempotence is among
   * them: the refined point lies on the orbit of x, and there is one point for the whole orbit.
   *
   * @param correction some function from inputs to the group, as smooth as the guarantee demands
   */
  public static <G, X> List<Law> refinement(
      Subject<G, X> s,
      OrbitMapping<G, X> mapping,
      Function<X, G> correction,
      double tolerance,
      double margin) {
    return refinement(s, mapping, correction, mapping.refinedBy(correction), tolerance, margin);
  }

  /** The same for a mapping that claims to be the refinement. */
  static <G, X> List<Law> refinement(
      Subject<G, X> s,
      OrbitMapping<G, X> mapping,
      Function<X, G> correction,
      OrbitMapping<G, X> refined,
      double tolerance,
      double margin) {
    GroupAction<G, X> action = s.action();
    List<Law> laws = new ArrayList<>(mapping(s, refined, tolerance, margin));
    laws.add(
        new Law(
            name(s, refined),
            REFINEMENT,
            tolerance,
            r -> {
              List<X> special = s.space().special();
              boolean ugly = !special.isEmpty() && r.nextInt(4) == 0;
              X x = ugly ? special.get(r.nextInt(special.size())) : s.input(r);
              Canonical<G, X> base = mapping.map(x);
              Canonical<G, X> found = refined.map(x);
              G by = correction.apply(base.point());
              G element = action.group().compose(by, base.element());
              double error =
                  Math.max(
                      action.group().distance(found.element(), element),
                      Values.distance(found.margin(), base.margin()));
              if (!ugly) { // acting twice interpolates twice, which only smooth inputs bear
                X twice = action.act(by, base.point());
                error = Math.max(error, Values.distance(found.point(), twice));
              }
              return outcome(error, "s(h(x)); x", by, x);
            }));
    return laws;
  }

  /** f(act(g, x)) = f(x) for a model. */
  public static <G, X, Y> Law invariant(
      Subject<G, X> s, Function<? super X, ? extends Y> model, double tolerance) {
    return invariant(s.name(), INVARIANT_NETWORK, s, model, x -> true, tolerance);
  }

  /** f(act(g, x)) = act(g, f(x)) for a model. */
  public static <G, X, Y> Law equivariant(
      Subject<G, X> s,
      Function<? super X, ? extends Y> model,
      GroupAction<G, Y> onOutput,
      double tolerance) {
    return equivariant(s.name(), EQUIVARIANT_NETWORK, s, model, onOutput, x -> true, tolerance);
  }

  /** Everything about a subject: its group, its action, its mappings and what they wrap. */
  @SafeVarargs
  public static <G, X> List<Law> all(Subject<G, X> s, OrbitMapping<G, X>... mappings) {
    List<Law> laws = new ArrayList<>();
    laws.addAll(group(s));
    laws.addAll(action(s));
    for (OrbitMapping<G, X> mapping : mappings) {
      laws.addAll(mapping(s, mapping));
      laws.addAll(wrappers(s, mapping, s.tolerance(), 0));
    }
    return laws;
  }

  static <G, X, Y> Law invariant(
      String name,
      String law,
      Subject<G, X> s,
      Function<? super X, ? extends Y> model,
      Predicate<X> suitable,
      double tolerance) {
    return new Law(
        name,
        law,
        tolerance,
        r -> {
          X x = suitable(s, suitable, r);
          G g = s.draw(r);
          Y plain = model.apply(x);
          Y moved = model.apply(s.action().act(g, x));
          return outcome(Values.distance(moved, plain), "g; x; f(x); f(gx)", g, x, plain, moved);
        });
  }

  static <G, X, Y> Law equivariant(
      String name,
      String law,
      Subject<G, X> s,
      Function<? super X, ? extends Y> model,
      GroupAction<G, Y> onOutput,
      Predicate<X> suitable,
      double tolerance) {
    return new Law(
        name,
        law,
        tolerance,
        r -> {
          X x = suitable(s, suitable, r);
          G g = s.draw(r);
          Y expected = onOutput.act(g, model.apply(x));
          Y moved = model.apply(s.action().act(g, x));
          return outcome(
              Values.distance(moved, expected), "g; x; g(f(x)); f(gx)", g, x, expected, moved);
        });
  }

  private static String name(Subject<?, ?> s, OrbitMapping<?, ?> mapping) {
    return mapping.name() + ", " + s.name();
  }

  /** The point is computed by the action itself: no interpolation error, only rounding. */
  private static double onOrbitTolerance(Subject<?, ?> s) {
    return Math.min(s.tolerance(), 1e-4);
  }

  private static <X> X suitable(Subject<?, X> s, Predicate<X> suitable, RandomGenerator random) {
    for (int i = 0; i < 1000; i++) {
      X x = s.input(random);
      if (suitable.test(x)) {
        return x;
      }
    }
    throw new IllegalStateException(
        "1000 inputs were drawn, and the margin of every one was too small");
  }

  /** An input whose canonical pose is not ambiguous. */
  private static <G, X> X clear(
      Subject<G, X> s, OrbitMapping<G, X> mapping, double margin, RandomGenerator random) {
    return suitable(s, x -> mapping.map(x).margin() > margin, random);
  }

  /** The distance in units of the size of the input, for inputs that may be huge. */
  private static double relative(Object a, Object b, Object x) {
    double size = 1;
    if (x instanceof double[] v) {
      for (double t : v) {
        size = Math.max(size, Math.abs(t));
      }
    }
    return Values.distance(a, b) / size;
  }

  /**
   * What a trial found.
   *
   * @param names the names of the values, with a semicolon between them
   */
  private static Outcome outcome(double error, String names, Object... values) {
    return new Outcome(
        error,
        () -> {
          List<String> shown = new ArrayList<>();
          int i = 0;
          for (String name : names.split("; ", -1)) {
            if (i < values.length) {
              shown.add(name + " = " + Values.show(values[i++]));
            }
          }
          return String.join(", ", shown);
        });
  }
}
