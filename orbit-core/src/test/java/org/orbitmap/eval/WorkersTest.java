package org.orbitmap.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkersTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 2000})
  void everyUnitIsDoneOnce(int threads) {
    AtomicIntegerArray times = new AtomicIntegerArray(1000);
    Workers.run("test", threads, times.length(), times::incrementAndGet);
    for (int k = 0; k < times.length(); k++) {
      assertThat(times.get(k)).isEqualTo(1);
    }
    Workers.run("test", threads, 0, k -> assertThat(k).isNegative());
  }

  /** The failure that came first is thrown, others are stopped, and nobody works on. */
  @Test
  void aFailureStopsTheOthers() {
    CountDownLatch waits = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger stopped = new AtomicInteger();
    assertThatThrownBy(
            () ->
                Workers.run(
                    "test",
                    2,
                    100,
                    k -> {
                      begun.incrementAndGet();
                      if (k == 0) {
                        waits.await();
                        throw new IOException("the first");
                      }
                      waits.countDown();
                      try {
                        new CountDownLatch(1).await();
                      } catch (InterruptedException e) {
                        stopped.incrementAndGet();
                        throw e;
                      }
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("the first");
    assertThat(begun).hasValue(2);
    assertThat(stopped).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void anInterruptedCallerStopsAll(int threads) {
    AtomicInteger begun = new AtomicInteger();
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () ->
                Workers.run(
                    "test",
                    threads,
                    1_000_000,
                    k -> {
                      begun.incrementAndGet();
                      new CountDownLatch(1).await();
                    }))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
    assertThat(begun).hasValueLessThanOrEqualTo(threads);
  }
}
