package org.orbitmap.app.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ConsoleProgressTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void saysHowMuchHowFastAndHowLong() {
    assertThat(ConsoleProgress.line("images", 120, 1000, 40))
        .isEqualTo("120 of 1000 images, 12 %, 40/s, 22 s left");
    assertThat(ConsoleProgress.line("epochs", 1, 150, 1 / 60.0))
        .isEqualTo("1 of 150 epochs, 0 %, 1.0/min, 2 h 29 min left");
    assertThat(ConsoleProgress.line("runs", 0, 3, Double.NaN)).isEqualTo("0 of 3 runs, 0 %");
    assertThat(ConsoleProgress.line("runs", 3, 3, 3)).isEqualTo("3 of 3 runs, 100 %, 3.0/s");
    assertThat(ConsoleProgress.line("files", 7, 0, 3.5)).isEqualTo("7 files, 3.5/s");
  }

  @Test
  void redrawsOneLineOnATerminalAndClearsItAtTheEnd() {
    String text = play(true, 2);
    assertThat(text).startsWith("\r").endsWith("\r").doesNotContain("\n");
  }

  @Test
  void writesFewLinesIntoALog() {
    assertThat(play(false, 5)).isEmpty();
    assertThat(play(false, 60).lines().count()).isBetween(3L, 6L);
    assertThat(play(false, 3600).lines().count()).isLessThan(40);
  }

  /** 100 s at 10/s, then 1,000 images at 50/s: 10 s in, 500 are left at that speed. */
  @Test
  void anotherPhaseHasItsOwnSpeed() {
    for (long total : new long[] {1000, 2000}) {
      StringWriter text = new StringWriter();
      AtomicLong clock = new AtomicLong();
      try (ConsoleProgress progress =
          new ConsoleProgress(new PrintWriter(text), "images", false, clock::get)) {
        for (int i = 1; i <= 1000; i++) {
          clock.addAndGet(SECOND / 10);
          progress.update(i, 1000);
        }
        for (int i = 50; i <= 500; i += 50) {
          clock.addAndGet(SECOND);
          progress.update(i - 3, total); // threads report a little out of order
          progress.update(i, total);
        }
        clock.addAndGet(60 * SECOND);
        progress.update(3500 * total / 1000 / 5, total);
      }
      // 70 s after the second phase began, 70 % of it is done.
      assertThat(text.toString().lines().toList().get((int) text.toString().lines().count() - 1))
          .startsWith(
              "%d of %d images, 70 %%, %d/s, 30 s left"
                  .formatted(total * 7 / 10, total, total / 100));
    }
  }

  /** 30 s of reading, then 1,000 images at 100/s: the first line does not speak of hours. */
  @Test
  void whatComesBeforeTheFirstCountIsNoPartOfTheSpeed() {
    StringWriter text = new StringWriter();
    AtomicLong clock = new AtomicLong();
    try (ConsoleProgress progress =
        new ConsoleProgress(new PrintWriter(text), "images", false, clock::get)) {
      clock.set(30 * SECOND);
      for (int i = 1; i <= 5000; i++) {
        clock.addAndGet(SECOND / 100);
        progress.update(i, 5000);
      }
    }
    assertThat(text.toString().lines().toList())
        .hasSizeGreaterThan(1)
        .first(InstanceOfAssertFactories.STRING)
        .isEqualTo("1 of 5000 images, 0 %");
    assertThat(text.toString().lines().skip(1)).allMatch(l -> l.contains(" %, 100/s"));
  }

  private static String play(boolean terminal, int seconds) {
    StringWriter text = new StringWriter();
    AtomicLong clock = new AtomicLong();
    try (ConsoleProgress progress =
        new ConsoleProgress(new PrintWriter(text), "steps", terminal, clock::get)) {
      for (int i = 1; i <= 10 * seconds; i++) {
        clock.addAndGet(SECOND / 10);
        progress.update(i, 10L * seconds);
      }
    }
    return text.toString();
  }
}
