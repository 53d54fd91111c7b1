package org.orbitmap.app.serve.http;

import io.undertow.server.HttpServerExchange;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for long work, and how much of it may run or wait there. */
final class Lane implements AutoCloseable {
  private final ExecutorService threads;
  private final int most;
  private final Replies replies;
  private final AtomicInteger length = new AtomicInteger();

  Lane(ExecutorService threads, int most, Replies replies) {
    this.threads = threads;
    this.most = most;
    this.replies = replies;
  }

  /** How much runs or waits. */
  int length() {
    return length.get();
  }

  /** Does the work on a thread of the lane, or says that there is too much. */
  void enter(HttpServerExchange x, Runnable work) {
    if (length.incrementAndGet() > most) {
      length.decrementAndGet();
      replies.fail(x, Problem.busy("as many long answers as allowed are under way"));
      return;
    }
    x.dispatch(
        threads,
        () -> {
          try {
            work.run();
          } finally {
            length.decrementAndGet();
          }
        });
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
