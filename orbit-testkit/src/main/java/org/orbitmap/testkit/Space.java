package org.orbitmap.testkit;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * A kind of inputs: how to draw them, and which special ones must not be forgotten.
 *
 * @param sample draws an input in general position; two calls with equal generators give equal
 *     inputs
 * @param special edge cases: zero, constant, tied, tiny; mappings must take them without NaN, and
 *     the laws hold on them as far as their margin is positive
 * @param net some function on the inputs that respects no symmetry: wrappers have to make it do so
 * @param <X> the inputs
 */
public record Space<X>(Function<RandomGenerator, X> sample, List<X> special, UnaryOperator<X> net) {
  public Space {
    Objects.requireNonNull(sample, "sample");
    Objects.requireNonNull(net, "net");
    special = List.copyOf(special);
  }

  /** Inputs drawn from a function, with no special ones; for laws about a user's own model. */
  public static <X> Space<X> of(Function<RandomGenerator, X> sample) {
    return new Space<>(sample, List.of(), UnaryOperator.identity());
  }

  /** Inputs drawn from a list. */
  public static <X> Space<X> of(List<? extends X> inputs) {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("inputs: expected at least one, found none");
    }
    List<X> copy = List.copyOf(inputs);
    return of(random -> copy.get(random.nextInt(copy.size())));
  }

  /** The same with every fourth input drawn in another way: the ugly ones that laws must bear. */
  public Space<X> sometimes(Function<RandomGenerator, X> ugly) {
    return new Space<>(r -> r.nextInt(4) == 0 ? ugly.apply(r) : sample.apply(r), special, net);
  }

  /**
   * Vectors of n entries, normal, every fourth one of few values with both zeros among them; with
   * zero, constant, tied, tiny and large ones.
   */
  public static Space<double[]> vectors(int n) {
    double[] constant = new double[n];
    double[] tied = new double[n];
    double[] tiny = new double[n];
    double[] large = new double[n];
    for (int i = 0; i < n; i++) {
      constant[i] = 3;
      tied[i] = i % 2;
      tiny[i] = 1e-300 * (i + 1);
      large[i] = 1e6 * Math.cos(i);
    }
    Space<double[]> normal =
        new Space<>(
            random -> {
              double[] x = new double[n];
              for (int i = 0; i < n; i++) {
                x[i] = random.nextGaussian();
              }
              return x;
            },
            List.of(new double[n], constant, tied, tiny, large),
            x -> {
              double[] y = x.clone();
              for (int i = 1; i < y.length; i++) {
                y[i] = Math.sin(i + x[i]) + 0.5 * Math.tanh(y[i - 1]);
              }
              return y;
            });
    return normal.sometimes(random -> tied(n, random));
  }

  /** Entries of at most four values, -0 and 0 among them. */
  static double[] tied(int n, RandomGenerator random) {
    double[] values = {-0.0, 0.0, 1, 5.7};
    int first = random.nextInt(values.length);
    int most = 1 + random.nextInt(values.length);
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = values[(first + random.nextInt(most)) % values.length];
    }
    return x;
  }
}
