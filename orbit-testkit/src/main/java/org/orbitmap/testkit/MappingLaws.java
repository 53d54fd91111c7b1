package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.orbit.RepresentationMapping;
import org.orbitmap.testkit.Law.Outcome;

/** The laws of orbit mappings, of their compositions and of their refinements. */
final class MappingLaws {
  private MappingLaws() {}

  /** See {@link Laws#mapping(Subject, OrbitMapping, double, double)}. */
  static <G, X> List<Law> mapping(
      Subject<G, X> s, OrbitMapping<G, X> mapping, double tolerance, double margin) {
    String name = name(s, mapping);
    GroupAction<G, X> action = s.action();
    return List.of(
        new Law(
            name,
            Laws.ON_ORBIT,
            onOrbitTolerance(s),
            r -> {
              X x = s.input(r);
              Canonical<G, X> c = mapping.map(x);
              return Outcome.of(
                  relative(action.act(c.element(), x), c.point(), c.point()),
                  "element; x",
                  c.element(),
                  x);
            }),
        new Law(
            name,
            Laws.INVARIANCE,
            tolerance,
            r -> {
              X x = clear(s, mapping, margin, r);
              G g = s.draw(r);
              X moved = mapping.map(action.act(g, x)).point();
              X still = mapping.map(x).point();
              return Outcome.of(apart(mapping, moved, still), "g; x", g, x);
            }),
        new Law(
            name,
            Laws.IDEMPOTENCE,
            tolerance,
            r -> {
              X x = clear(s, mapping, margin, r);
              X once = mapping.map(x).point();
              return Outcome.of(apart(mapping, mapping.map(once).point(), once), "x", x);
            }),
        new Law(
            name,
            Laws.NO_MEMORY,
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
              return Outcome.of(error, "x; mapped between", x, other);
            }),
        new Law(
            name,
            Laws.SPECIAL,
            onOrbitTolerance(s),
            r -> {
              List<X> special = s.space().special();
              if (special.isEmpty()) {
                return Outcome.of(0, "");
              }
              X x = special.get(r.nextInt(special.size()));
              Canonical<G, X> c = mapping.map(x);
              return Outcome.of(
                  relative(action.act(c.element(), x), c.point(), x), "element; x", c.element(), x);
            }));
  }

  /** See {@link Laws#composition}. */
  static <G, X> Law composition(Subject<G, X> s, OrbitMapping<G, X> composed, double tolerance) {
    Law invariance =
        mapping(s, composed, tolerance, 0).stream()
            .filter(law -> law.name().equals(Laws.INVARIANCE))
            .findFirst()
            .orElseThrow();
    return new Law(invariance.subject(), Laws.COMPOSITION, tolerance, invariance.trial());
  }

  /** See {@link Laws#refusal}. */
  static Law refusal(String name, Supplier<?> compose) {
    return new Law(
        name,
        Laws.REFUSAL,
        0,
        r -> {
          try {
            return Outcome.of(1, "accepted", compose.get());
          } catch (IllegalArgumentException e) {
            return Outcome.of(e.getMessage() == null ? 1 : 0, "thrown", e);
          }
        });
  }

  /** See {@link Laws#refinement}; the last mapping claims to be the refinement. */
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
            Laws.REFINEMENT,
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
              return Outcome.of(error, "s(h(x)); x", by, x);
            }));
    return laws;
  }

  /** See {@link Laws#representation}. */
  static <G, X, Y> List<Law> representation(
      Subject<G, X> s, RepresentationMapping<G, X, Y> mapping, double tolerance, double margin) {
    String name = mapping.name() + ", " + s.name();
    return List.of(
        new Law(
            name,
            Laws.REPRESENTATION,
            tolerance,
            r -> {
              X x = s.input(y -> mapping.map(y).margin() > margin, r);
              G g = s.draw(r);
              Y moved = mapping.map(s.action().act(g, x)).point();
              Y expected = mapping.onRepresentations().act(g, mapping.map(x).point());
              return Outcome.of(Values.distance(moved, expected), "g; x", g, x);
            }),
        new Law(
            name,
            Laws.NO_MEMORY,
            0,
            r -> {
              X x = s.input(r);
              Y first = mapping.map(x).point();
              X other = s.input(r);
              mapping.map(other);
              return Outcome.of(
                  Values.distance(first, mapping.map(x).point()), "x; mapped between", x, other);
            }),
        new Law(
            name,
            Laws.SPECIAL,
            0,
            r -> {
              List<X> special = s.space().special();
              if (special.isEmpty()) {
                return Outcome.of(0, "");
              }
              X x = special.get(r.nextInt(special.size()));
              Y y = mapping.map(x).point(); // finite, or infinitely far from itself
              return Outcome.of(Values.distance(y, y), "x", x);
            }));
  }

  /** What results call a mapping on a subject. */
  static String name(Subject<?, ?> s, OrbitMapping<?, ?> mapping) {
    return mapping.name() + ", " + s.name();
  }

  /** The point is computed by the action itself: no interpolation error, only rounding. */
  private static double onOrbitTolerance(Subject<?, ?> s) {
    return Math.min(s.tolerance(), 1e-4);
  }

  /** An input whose canonical pose is not ambiguous. */
  private static <G, X> X clear(
      Subject<G, X> s, OrbitMapping<G, X> mapping, double margin, RandomGenerator random) {
    if (mapping.guarantee().level() == Guarantee.Level.EXACT) {
      List<X> special = s.space().special(); // what is exact is so on ties, too
      return special.isEmpty() || random.nextInt(4) > 0
          ? s.input(random)
          : special.get(random.nextInt(special.size()));
    }
    return s.input(x -> mapping.map(x).margin() > margin, random);
  }

  /**
   * How far two points are apart that should be one, relative to their size for images and clouds:
   * what is tiny or huge must be as right as the rest. What is exact is so to the last bit, the
   * sign of 0 included.
   */
  private static double apart(OrbitMapping<?, ?> mapping, Object a, Object b) {
    double distance = relative(a, b, b);
    boolean exact = mapping.guarantee().level() == Guarantee.Level.EXACT;
    return exact && !Objects.deepEquals(a, b) ? Math.max(distance, Double.MIN_VALUE) : distance;
  }

  /** The distance in units of the size of x; of vectors up to 1 in units of 1. */
  private static double relative(Object a, Object b, Object x) {
    double size = 0;
    if (x instanceof double[] v) {
      size = 1;
      for (double t : v) {
        size = Math.max(size, Math.abs(t));
      }
    } else {
      float[] samples =
          x instanceof Image u
              ? u.data()
              : x instanceof PointCloud c ? c.coordinates() : new float[0];
      for (float t : samples) {
        size = Math.max(size, Math.abs(t));
      }
    }
    return Values.distance(a, b) / (size == 0 ? 1 : size);
  }
}
