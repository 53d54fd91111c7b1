package org.orbitmap.app.serve.http;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all bodies together may hold. Where there are no more, a body that has stopped
 * arriving gives its bytes to one that comes.
 */
final class BodyBudget {
  /** How long a body may rest while others need its place. */
  private static final long PATIENCE = Duration.ofSeconds(1).toNanos();

  /** What has to arrive for a body not to rest: single bytes now and then do not count. */
  private static final long STEP = 64 << 10;

  private final long most;
  private final AtomicLong held = new AtomicLong();
  private final Set<Share> arriving = ConcurrentHashMap.newKeySet();

  BodyBudget(long most) {
    this.most = most;
  }

  long bytes() {
    return held.get();
  }

  /**
   * The share of one body.
   *
   * @param end ends its connection
   */
  Share share(Runnable end) {
    return new Share(end);
  }

  /** What one body holds; close it when the body is not needed any more. */
  final class Share implements AutoCloseable {
    private final Runnable end;
    private final AtomicLong own = new AtomicLong();
    private long sinceStep;
    private volatile long last = System.nanoTime();

    private Share(Runnable end) {
      this.end = end;
    }

    /** Takes so many bytes more; false if there are none left. */
    boolean take(int n) {
      arriving.add(this);
      sinceStep += n;
      if (sinceStep >= STEP) {
        sinceStep = 0;
        last = System.nanoTime();
      }
      own.addAndGet(n);
      long now = held.addAndGet(n);
      while (now > most) {
        if (!endOne()) {
          return false;
        }
        now = held.get();
      }
      return true;
    }

    /** Ends the body that has rested longest, if it has rested for long. */
    private boolean endOne() {
      long now = System.nanoTime();
      Optional<Share> resting =
          arriving.stream()
              .filter(s -> s != this && now - s.last > PATIENCE)
              .max(Comparator.comparingLong(s -> now - s.last));
      resting.ifPresent(
          s -> {
            s.close();
            s.end.run();
          });
      return resting.isPresent();
    }

    /** The body is whole: it is kept until its request is answered. */
    void whole() {
      arriving.remove(this);
    }

    @Override
    public void close() {
      arriving.remove(this);
      held.addAndGet(-own.getAndSet(0));
    }
  }
}
