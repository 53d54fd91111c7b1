package org.orbitmap.testkit;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.orbitmap.group.FiniteGroup;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.orbit.OrbitPooling;
import org.orbitmap.testkit.Law.Outcome;

/** The laws of networks that a mapping or a pooling makes invariant or equivariant. */
final class NetworkLaws {
  private NetworkLaws() {}

  /** See {@link Laws#wrappers}. */
  static <G, X> List<Law> wrappers(
      Subject<G, X> s, OrbitMapping<G, X> mapping, double tolerance, double margin) {
    return List.of(
        invariant(
            MappingLaws.name(s, mapping),
            Laws.INVARIANT_NETWORK,
            s,
            mapping.invariant(s.space().net()),
            x -> mapping.map(x).margin() > margin,
            tolerance),
        equivariant(
            MappingLaws.name(s, mapping),
            Laws.EQUIVARIANT_NETWORK,
            s,
            mapping.equivariant(s.space().net(), s.action()),
            s.action(),
            x -> mapping.map(x).margin() > margin,
            tolerance));
  }

  /** See {@link Laws#pooling}. */
  static <G, X> List<Law> pooling(
      Subject<G, X> s,
      FiniteGroup<G> group,
      Function<? super List<X>, ? extends X> pool,
      double tolerance) {
    return List.of(
        invariant(
            s.name(),
            Laws.INVARIANT_POOLING,
            s,
            OrbitPooling.<G, X, X, X>invariant(group, s.action(), s.space().net(), pool),
            x -> true,
            tolerance),
        equivariant(
            s.name(),
            Laws.EQUIVARIANT_POOLING,
            s,
            OrbitPooling.<G, X, X>equivariant(group, s.action(), s.space().net(), s.action(), pool),
            s.action(),
            x -> true,
            tolerance));
  }

  /** f(act(g, x)) = f(x), under a name and on suitable inputs. */
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
          X x = s.input(suitable, r);
          G g = s.draw(r);
          Y plain = model.apply(x);
          Y moved = model.apply(s.action().act(g, x));
          return Outcome.of(Values.distance(moved, plain), "g; x; f(x); f(gx)", g, x, plain, moved);
        });
  }

  /** f(act(g, x)) = act(g, f(x)), under a name and on suitable inputs. */
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
          X x = s.input(suitable, r);
          G g = s.draw(r);
          Y expected = onOutput.act(g, model.apply(x));
          Y moved = model.apply(s.action().act(g, x));
          return Outcome.of(
              Values.distance(moved, expected), "g; x; g(f(x)); f(gx)", g, x, expected, moved);
        });
  }
}
