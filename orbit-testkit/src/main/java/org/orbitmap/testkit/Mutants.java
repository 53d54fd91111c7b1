package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.ToDoubleBiFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.orbitmap.group.FiniteGroup;
import org.orbitmap.group.Group;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.group.ScaleShifts;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.vector.VectorActions;

/**
 * Groups, actions, mappings and networks with a mistake that somebody once made, at least one for
 * every law: a kit that lets one of them pass is broken itself.
 */
public final class Mutants {
  static final Subject<ScaleShift, double[]> LINE = BuiltIns.SCALE_SHIFTS;
  static final Subject<Permutation, double[]> PLACES = BuiltIns.PERMUTATIONS;
  static final ScaleShifts GROUP = new ScaleShifts();
  static final int N = BuiltIns.ENTRIES;

  private Mutants() {}

  /** All of them. */
  public static List<Mutant> all() {
    return Stream.concat(groupsAndActions().stream(), MappingMutants.all().stream()).toList();
  }

  private static List<Mutant> groupsAndActions() {
    return List.of(
        group(
            "product that halves every second shift",
            Laws.ASSOCIATIVITY,
            broken()
                .product(
                    (g, h) -> new ScaleShift(g.scale() * h.scale(), g.shift() + h.shift() / 2))),
        group(
            "product that divides",
            Laws.ASSOCIATIVITY,
            broken().product((g, h) -> GROUP.compose(g, GROUP.inverse(h)))),
        group(
            "identity with a small shift",
            Laws.IDENTITY,
            broken().identity(new ScaleShift(1, 1e-6))),
        group(
            "inverse that forgets the scale of the shift",
            Laws.INVERSE,
            broken().inverse(g -> new ScaleShift(1 / g.scale(), -g.shift()))),
        group("inverse that returns its argument", Laws.INVERSE, broken().inverse(g -> g)),
        group("distance that is always 0", Laws.DISTANCE, broken().distance((g, h) -> 0.0)),
        group(
            "distance that depends on the order",
            Laws.DISTANCE,
            broken().distance((g, h) -> Math.max(0, g.shift() - h.shift()))),
        listing("list with an element missing", all -> all.subList(0, all.size() - 1)),
        listing(
            "list with an element twice",
            all -> {
              List<Permutation> twice = new ArrayList<>(all);
              twice.set(twice.size() - 1, twice.get(1));
              return twice;
            }),
        listing(
            "list whose first is not the identity",
            all -> {
              List<Permutation> rotated = new ArrayList<>(all);
              Collections.rotate(rotated, 1);
              return rotated;
            }),
        action("action that does nothing", Laws.FAITHFUL, (g, x) -> x.clone()),
        action(
            "action that ignores the shift",
            Laws.FAITHFUL,
            (g, x) -> VectorActions.SCALE.act(g.scale(), x)),
        action(
            "action by the inverse, which swaps the order of a product",
            Laws.ACT_PRODUCT,
            (g, x) -> VectorActions.SCALE_SHIFT.act(GROUP.inverse(g), x)),
        action(
            "action that shifts before it scales",
            Laws.ACT_PRODUCT,
            (g, x) -> Arrays.stream(x).map(t -> g.scale() * (t + g.shift())).toArray()),
        action(
            "action whose identity moves inputs",
            Laws.ACT_IDENTITY,
            (g, x) -> Arrays.stream(x).map(t -> g.scale() * t + g.shift() + 1e-6).toArray()),
        action(
            "action that writes into its input",
            Laws.UNTOUCHED,
            (g, x) -> {
              Arrays.setAll(x, i -> g.scale() * x[i] + g.shift());
              return x;
            }),
        permuting(
            "action by the inverse permutation",
            Laws.ACT_PRODUCT,
            (p, x) -> VectorActions.permute(new Permutations(N)).act(p.inverse(), x)));
  }

  private static Mutant group(String name, String law, Broken group) {
    return new Mutant(name, law, GroupLaws.group(LINE, group));
  }

  private static Broken broken() {
    return new Broken(
        GROUP.identity(), GROUP::compose, GROUP::inverse, (g, h) -> GROUP.distance(g, h));
  }

  /** The maps of the line, with one part replaced. */
  private record Broken(
      ScaleShift identity,
      BinaryOperator<ScaleShift> composition,
      UnaryOperator<ScaleShift> inversion,
      ToDoubleBiFunction<ScaleShift, ScaleShift> metric)
      implements Group<ScaleShift> {
    Broken identity(ScaleShift other) {
      return new Broken(other, composition, inversion, metric);
    }

    Broken product(BinaryOperator<ScaleShift> other) {
      return new Broken(identity, other, inversion, metric);
    }

    Broken inverse(UnaryOperator<ScaleShift> other) {
      return new Broken(identity, composition, other, metric);
    }

    Broken distance(ToDoubleBiFunction<ScaleShift, ScaleShift> other) {
      return new Broken(identity, composition, inversion, other);
    }

    @Override
    public String name() {
      return "broken";
    }

    @Override
    public ScaleShift compose(ScaleShift g, ScaleShift h) {
      return composition.apply(g, h);
    }

    @Override
    public ScaleShift inverse(ScaleShift g) {
      return inversion.apply(g);
    }

    @Override
    public double distance(ScaleShift g, ScaleShift h) {
      return metric.applyAsDouble(g, h);
    }

    @Override
    public ScaleShift sample(RandomGenerator random) {
      return GROUP.sample(random);
    }
  }

  private static Mutant listing(String name, UnaryOperator<List<Permutation>> change) {
    return new Mutant(name, Laws.LISTING, GroupLaws.group(PLACES, listed(change)));
  }

  /** All permutations, with another list of them. */
  static FiniteGroup<Permutation> listed(UnaryOperator<List<Permutation>> change) {
    Permutations real = new Permutations(N);
    List<Permutation> elements = List.copyOf(change.apply(real.elements()));
    return new FiniteGroup<>() {
      @Override
      public List<Permutation> elements() {
        return elements;
      }

      @Override
      public String name() {
        return "broken";
      }

      @Override
      public Permutation identity() {
        return real.identity();
      }

      @Override
      public Permutation compose(Permutation g, Permutation h) {
        return real.compose(g, h);
      }

      @Override
      public Permutation inverse(Permutation g) {
        return real.inverse(g);
      }

      @Override
      public double distance(Permutation g, Permutation h) {
        return real.distance(g, h);
      }
    };
  }

  private static Mutant action(
      String name, String law, GroupAction.Formula<ScaleShift, double[]> act) {
    return new Mutant(name, law, Laws.action(LINE.with("broken", GroupAction.of(GROUP, act))));
  }

  private static Mutant permuting(
      String name, String law, GroupAction.Formula<Permutation, double[]> act) {
    return new Mutant(
        name, law, Laws.action(PLACES.with("broken", GroupAction.of(new Permutations(N), act))));
  }
}
