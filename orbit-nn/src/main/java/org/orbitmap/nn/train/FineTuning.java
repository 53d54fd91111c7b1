package org.orbitmap.nn.train;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What training a network that knows something already has beside the rest: parts that learn more
 * slowly or not at all, batches larger than memory, and clipped gradients.
 *
 * <p>A part is named by what the names of its parameters begin with: {@code stem}, {@code stage2},
 * {@code stage2.block1}, {@code head}.
 *
 * @param rates factors on the learning rate, by part; of several parts the longest name counts
 * @param frozen parts that are not trained, separated by commas, or {@code none}; their batch
 *     statistics stay, too
 * @param frozenStatistics whether the batch statistics of all parts stay as they are
 * @param accumulate into how many passes a batch is divided; their gradients add up to those of the
 *     batch, up to batch statistics, which are those of a pass
 * @param clip λ of adaptive clipping (Brock et al., 2021): the gradient of an output unit is at
 *     most λ times as long as its weights, the last layer left out; 0 for none
 * @param precision of the numbers in the network
 */
public record FineTuning(
    Map<String, String> rates,
    String frozen,
    boolean frozenStatistics,
    int accumulate,
    double clip,
    Precision precision) {
  /** In which numbers a network computes. */
  public enum Precision {
    /** 32 bits. */
    SINGLE,
    /** 16 bits (bfloat16) where that is safe, on a GPU only; parameters stay in 32. */
    HALF
  }

  private static final String NOTHING = "none";

  /** Everything learns alike. */
  public static final FineTuning NONE =
      new FineTuning(Map.of(), NOTHING, false, 1, 0, Precision.SINGLE);

  public FineTuning {
    rates = new TreeMap<>(rates);
    frozen = String.join(",", new TreeSet<>(parts(frozen)));
    frozen = frozen.isEmpty() ? NOTHING : frozen;
    for (Map.Entry<String, String> rate : rates.entrySet()) {
      double factor = number(rate.getValue());
      if (!(factor > 0 && factor <= 1e6)) {
        throw new IllegalArgumentException(
            "rates: expected a factor in (0, 1e6] for %s, found %s"
                .formatted(rate.getKey(), rate.getValue()));
      }
    }
    if (accumulate < 1) {
      throw new IllegalArgumentException(
          "accumulate: expected at least 1 pass, found " + accumulate);
    }
    if (!(clip >= 0 && clip <= 1e6)) {
      throw new IllegalArgumentException("clip: expected 0 or more, found " + clip);
    }
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static List<String> parts(String listed) {
    return Arrays.stream(listed.split(",", -1))
        .map(String::strip)
        .filter(p -> !p.isEmpty() && !p.equals(NOTHING))
        .toList();
  }

  /** The same with a factor on the learning rate of a part. */
  public FineTuning rate(String part, double factor) {
    Map<String, String> more = new TreeMap<>(rates);
    more.put(part, Double.toString(factor));
    return new FineTuning(more, frozen, frozenStatistics, accumulate, clip, precision);
  }

  /** The same with these parts, and no others, frozen. */
  public FineTuning frozen(String... parts) {
    String all = String.join(",", parts);
    return new FineTuning(rates, all, frozenStatistics, accumulate, clip, precision);
  }

  /** The same with or without frozen batch statistics. */
  public FineTuning frozenStatistics(boolean other) {
    return new FineTuning(rates, frozen, other, accumulate, clip, precision);
  }

  /** The same with batches divided into so many passes. */
  public FineTuning accumulate(int passes) {
    return new FineTuning(rates, frozen, frozenStatistics, passes, clip, precision);
  }

  /** The same with adaptive clipping. */
  public FineTuning clip(double lambda) {
    return new FineTuning(rates, frozen, frozenStatistics, accumulate, lambda, precision);
  }

  /** Whether a parameter is left as it is. */
  boolean freezes(String parameter) {
    return parts(frozen).stream().anyMatch(p -> isIn(parameter, p));
  }

  /** The factor on the learning rate of a parameter. */
  double rate(String parameter) {
    return rates.entrySet().stream()
        .filter(e -> isIn(parameter, e.getKey()))
        .max((a, b) -> a.getKey().length() - b.getKey().length())
        .map(e -> number(e.getValue()))
        .orElse(1.0);
  }

  private static boolean isIn(String parameter, String part) {
    return parameter.equals(part) || parameter.startsWith(part + ".");
  }

  /**
   * Checks that every part is one of a network.
   *
   * @throws IllegalArgumentException naming the one that is not
   */
  void requireParts(Collection<String> parameters) {
    TreeSet<String> named = new TreeSet<>(rates.keySet());
    named.addAll(parts(frozen));
    for (String part : named) {
      if (parameters.stream().noneMatch(p -> isIn(p, part))) {
        TreeSet<String> known = new TreeSet<>();
        parameters.forEach(p -> known.add(p.split("\\.", 2)[0]));
        throw new IllegalArgumentException(
            "fine-tuning: expected parts of the network, such as %s, found %s"
                .formatted(String.join(", ", known), part));
      }
    }
    if (parameters.stream().allMatch(this::freezes)) {
      throw new IllegalArgumentException(
          "fine-tuning.frozen: expected something left to train, found " + frozen);
    }
  }
}
