package org.orbitmap.nn.train;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.orbitmap.nn.train.Schedule.Kind;

class ScheduleTest {
  private static double[] rates(Schedule schedule, double... losses) {
    double[] rates = new double[losses.length];
    Schedule.State s = schedule.start(1);
    for (int e = 0; e < losses.length; e++) {
      rates[e] = s.rate();
      s = schedule.after(s, e + 1, losses[e]);
    }
    return rates;
  }

  @Test
  void cutsWhenItShould() {
    assertThat(rates(new Schedule(Kind.STEP, 0.5, 2, 0), 1, 1, 1, 1, 1))
        .containsExactly(1, 1, 0.5, 0.5, 0.25);
    assertThat(rates(new Schedule(Kind.EXPONENTIAL, 0.5, 0, 2), 1, 1, 1, 1))
        .containsExactly(1, 1, 1, 0.5);
    assertThat(rates(new Schedule(Kind.CONSTANT, 0.5, 1, 0), 1, 1)).containsExactly(1, 1);
    // Two epochs without a fall are forgiven, the third cuts.
    assertThat(rates(new Schedule(Kind.PLATEAU, 0.5, 2, 0), 5, 4, 4, 4, 4, 4))
        .containsExactly(1, 1, 1, 1, 1, 0.5);
  }
}
