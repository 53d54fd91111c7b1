package org.orbitmap.nn.train;

/**
 * The learning rate from epoch to epoch.
 *
 * @param kind which rule
 * @param factor what the rate is multiplied by
 * @param every epochs between cuts (step), or epochs without a lower validation loss (plateau)
 * @param after the first epochs that keep the rate (exponential)
 */
public record Schedule(Kind kind, double factor, int every, int after) {
  /** The rules. */
  public enum Kind {
    /** The same rate throughout. */
    CONSTANT,
    /** Cut when the validation loss has not fallen for some epochs. */
    PLATEAU,
    /** Cut every so many epochs. */
    STEP,
    /** Cut after every epoch. */
    EXPONENTIAL
  }

  public Schedule {
    if (!(factor > 0 && factor <= 1)) {
      throw new IllegalArgumentException("schedule: expected a factor in (0, 1], found " + factor);
    }
    if ((kind == Kind.PLATEAU || kind == Kind.STEP) && every < 1) {
      throw new IllegalArgumentException(
          "schedule: expected at least 1 epoch between cuts, found " + every);
    }
  }

  /** The same rate throughout. */
  public static Schedule constant() {
    return new Schedule(Kind.CONSTANT, 1, 0, 0);
  }

  /** Cut after every epoch, from one epoch on. */
  public static Schedule exponential(double factor, int after) {
    return new Schedule(Kind.EXPONENTIAL, factor, 5, after);
  }

  /**
   * Where a schedule is.
   *
   * @param rate the learning rate now
   * @param best the lowest validation loss so far
   * @param waited epochs since then
   */
  public record State(double rate, double best, int waited) {}

  /** The beginning. */
  public State start(double rate) {
    return new State(rate, Double.POSITIVE_INFINITY, 0);
  }

  /** What follows an epoch (counted from 1) with a validation loss. */
  public State after(State s, int epoch, double loss) {
    return switch (kind) {
      case CONSTANT -> s;
      case STEP -> epoch % every == 0 ? new State(s.rate * factor, s.best, 0) : s;
      case EXPONENTIAL -> epoch > after ? new State(s.rate * factor, s.best, 0) : s;
      case PLATEAU -> {
        // As in PyTorch: a fall counts from a ten-thousandth on.
        if (loss < s.best * (1 - 1e-4)) {
          yield new State(s.rate, loss, 0);
        }
        yield s.waited + 1 > every
            ? new State(s.rate * factor, s.best, 0)
            : new State(s.rate, s.best, s.waited + 1);
      }
    };
  }
}
