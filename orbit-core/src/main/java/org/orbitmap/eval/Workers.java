package org.orbitmap.eval;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * Units of work on several threads. The first failure ends it: no further unit is begun, and the
 * threads at work are interrupted. When it returns or throws, none of its threads is left.
 */
public final class Workers {
  private Workers() {}

  /**
   * One unit of work.
   *
   * @param <E> what it may throw
   */
  @FunctionalInterface
  public interface Task<E extends Exception> {
    /** Does the unit; a long one stops early when its thread is interrupted. */
    void run(int unit) throws E;
  }

  /**
   * Does the units 0, 1, … in this order, as many at a time as there are threads.
   *
   * @param name of the threads
   * @throws CancellationException if the calling thread is interrupted
   * @throws E the first failure
   */
  public static <E extends Exception> void run(String name, int threads, int units, Task<E> task)
      throws E {
    AtomicInteger next = new AtomicInteger();
    if (Math.min(threads, units) <= 1) {
      work(next, units, task);
      return;
    }
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicReference<List<Thread>> all = new AtomicReference<>(List.of());
    Runnable work =
        () -> {
          try {
            work(next, units, task);
          } catch (Throwable e) {
            next.set(units);
            if (failure.compareAndSet(null, e)) {
              all.get().forEach(Thread::interrupt);
            }
          }
        };
    all.set(
        IntStream.range(0, Math.min(threads, units))
            .mapToObj(t -> new Thread(work, name + "-" + t))
            .toList());
    for (Thread worker : all.get()) {
      worker.setDaemon(true);
      worker.start();
    }
    boolean interrupted = false;
    for (Thread worker : all.get()) {
      while (worker.isAlive()) {
        try {
          worker.join();
        } catch (InterruptedException e) {
          interrupted = true;
          next.set(units);
          failure.compareAndSet(null, new CancellationException("interrupted"));
          all.get().forEach(Thread::interrupt);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure.get() instanceof RuntimeException e) {
      throw e;
    }
    if (failure.get() instanceof Error e) {
      throw e;
    }
    if (failure.get() != null) {
      @SuppressWarnings("unchecked") // nothing else that is checked can be thrown by the task
      E checked = (E) failure.get();
      throw checked;
    }
  }

  private static <E extends Exception> void work(AtomicInteger next, int units, Task<E> task)
      throws E {
    for (int unit = next.getAndIncrement(); unit < units; unit = next.getAndIncrement()) {
      stopIfInterrupted();
      task.run(unit);
    }
  }

  /**
   * For units that take long.
   *
   * @throws CancellationException if this thread is interrupted
   */
  static void stopIfInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted");
    }
  }
}
