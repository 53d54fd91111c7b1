package org.orbitmap.app.option;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.orbitmap.eval.Progress;

/**
 * Progress for people: how much is done, how fast, and the time left. On a terminal one line that
 * is drawn anew five times a second; elsewhere (a log file) a line now and then, more rarely the
 * longer it takes, and none for work of a few seconds. What comes before the first count, such as
 * reading data, is no part of the speed. When the count goes back, another phase has begun, and its
 * speed and time left are its own.
 */
public final class ConsoleProgress implements Progress, AutoCloseable {
  private static final long SECOND = 1_000_000_000L;

  private final PrintWriter out;
  private final String unit;
  private final boolean terminal;
  private final LongSupplier clock;
  private final long start;
  private long due;
  private Phase phase;
  private int shown;

  /** A phase of the work: when it began and when it was last heard of, and its counts then. */
  private record Phase(long begun, long from, long heard, long reached, long total) {
    /**
     * The phase that a count belongs to. Threads may report a little out of order; less than half
     * of what was reached, or of another total, is another phase, which began when the one before
     * was last heard of.
     */
    Phase at(long now, long done, long of) {
      return of != total || 2 * done < reached
          ? new Phase(heard, 0, now, done, of)
          : new Phase(begun, from, now, Math.max(reached, done), total);
    }

    /** Units a second; NaN if nothing is known yet. */
    double rate(long done) {
      return done > from && heard > begun
          ? (done - from) * (double) SECOND / (heard - begun)
          : Double.NaN;
    }
  }

  ConsoleProgress(PrintWriter out, String unit, boolean terminal, LongSupplier clock) {
    this.out = out;
    this.unit = unit;
    this.terminal = terminal;
    this.clock = clock;
    this.start = clock.getAsLong();
    this.due = terminal ? SECOND / 2 : 10 * SECOND;
  }

  /** Progress that is not shown. */
  static ConsoleProgress off() {
    return new ConsoleProgress(null, "", false, System::nanoTime);
  }

  static ConsoleProgress on(PrintWriter out, String unit) {
    // The launcher looks whether standard error is a terminal; Java 17 cannot.
    return new ConsoleProgress(out, unit, Boolean.getBoolean("orbit.terminal"), System::nanoTime);
  }

  @Override
  public synchronized void update(long done, long total) {
    if (out == null) {
      return;
    }
    long elapsed = clock.getAsLong() - start;
    phase =
        phase == null
            ? new Phase(elapsed, done, elapsed, done, total)
            : phase.at(elapsed, done, total);
    if (elapsed >= due) {
      due = elapsed + (terminal ? SECOND / 5 : Math.max(10 * SECOND, elapsed / 4));
      draw(line(unit, done, total, phase.rate(done)));
    }
  }

  /** Clears the line on a terminal. */
  @Override
  public synchronized void close() {
    if (out != null && terminal && shown > 0) {
      out.print("\r" + " ".repeat(shown) + "\r");
      out.flush();
      shown = 0;
    }
  }

  private void draw(String line) {
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
      shown = line.length();
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** "120 of 1000 images, 12 %, 40/s, 22 s left" */
  static String line(String unit, long done, long total, double rate) {
    StringBuilder s = new StringBuilder();
    s.append(done);
    if (total > 0) {
      s.append(" of ").append(total);
    }
    s.append(' ').append(unit);
    if (total > 0) {
      s.append(", ").append(100 * done / total).append(" %");
    }
    if (rate > 0) {
      s.append(", ").append(rate(rate));
      if (total > done) {
        s.append(", ").append(time((total - done) / rate)).append(" left");
      }
    }
    return s.toString();
  }

  private static String rate(double perSecond) {
    return perSecond >= 10
        ? String.format(Locale.ROOT, "%.0f/s", perSecond)
        : perSecond >= 0.1
            ? String.format(Locale.ROOT, "%.1f/s", perSecond)
            : String.format(Locale.ROOT, "%.1f/min", 60 * perSecond);
  }

  private static String time(double seconds) {
    Duration d = Duration.ofSeconds((long) Math.ceil(seconds));
    return d.toHours() > 0
        ? "%d h %02d min".formatted(d.toHours(), d.toMinutesPart())
        : d.toMinutes() > 0
            ? "%d min %02d s".formatted(d.toMinutes(), d.toSecondsPart())
            : d.toSeconds() + " s";
  }
}
