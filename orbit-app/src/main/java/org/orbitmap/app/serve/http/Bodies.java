package org.orbitmap.app.serve.http;

import io.undertow.io.Receiver;
import io.undertow.server.HttpServerExchange;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.xnio.XnioExecutor;

/**
 * Reads the bodies of requests without a thread of their own, within the limits of size, time and
 * memory, and counts the requests under way.
 */
final class Bodies {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

  private final Limits limits;
  private final Metrics metrics;
  private final Replies replies;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong memory = new AtomicLong();

  Bodies(Limits limits, Metrics metrics, Replies replies) {
    this.limits = limits;
    this.metrics = metrics;
    this.replies = replies;
  }

  /** Requests not yet answered. */
  int underWay() {
    return underWay.get();
  }

  /** Bytes that are held. */
  long memory() {
    return memory.get();
  }

  /** What happens with a whole body. */
  interface Received {
    void accept(byte[] body);
  }

  /** Reads the body without blocking, within its limits, then goes on. */
  void receive(HttpServerExchange x, String template, long most, Received next) {
    long begun = System.nanoTime();
    underWay.incrementAndGet();
    long length = x.getRequestContentLength();
    long reserved = length >= 0 ? length : x.isRequestComplete() ? 0 : most;
    boolean fits = length <= most && memory.addAndGet(reserved) <= limits.memory();
    x.addExchangeCompleteListener(
        (done, then) -> {
          underWay.decrementAndGet();
          if (length <= most) {
            memory.addAndGet(-reserved);
          }
          metrics.answered(method(done), template, done.getStatusCode(), System.nanoTime() - begun);
          then.proceed();
        });
    if (length > most) {
      tooLarge(x, most, length);
      return;
    }
    if (!fits) {
      x.setPersistent(false);
      replies.fail(x, Problem.busy("other requests take all the memory there is for bodies"));
      return;
    }
    if (x.isRequestComplete()) {
      next.accept(new byte[0]);
      return;
    }
    x.setMaxEntitySize(most == 0 ? 1 : most);
    XnioExecutor.Key timer = Replies.closeAfter(x, limits.receive());
    x.getRequestReceiver()
        .receiveFullBytes(
            (y, bytes) -> {
              timer.remove();
              next.accept(bytes);
            },
            (y, e) -> {
              timer.remove();
              y.setPersistent(false);
              replies.fail(
                  y,
                  e instanceof Receiver.RequestToLargeException
                          || e.getClass().getSimpleName().contains("TooBig")
                      ? new Problem(413, "body: expected at most %d bytes".formatted(most))
                      : new Problem(400, "body: it did not arrive whole"));
            });
  }

  /**
   * Refuses a body by its announced length. One of moderate size is read and thrown away first:
   * many clients do not listen for an answer while they still send.
   */
  private void tooLarge(HttpServerExchange x, long most, long length) {
    Problem problem =
        new Problem(413, "body: expected at most %d bytes, found %d".formatted(most, length));
    x.setPersistent(false);
    if (length > DISCARDED) {
      replies.fail(x, problem);
      return;
    }
    x.setMaxEntitySize(length);
    XnioExecutor.Key timer = Replies.closeAfter(x, limits.receive());
    x.getRequestReceiver()
        .receivePartialBytes(
            (y, bytes, last) -> {
              if (last) {
                timer.remove();
                replies.fail(y, problem);
              }
            },
            (y, e) -> {
              timer.remove();
              replies.fail(y, problem);
            });
  }

  /** The largest body that is read only to be refused. */
  private static final long DISCARDED = 128L << 20;

  /** The method, of those that are counted. */
  static String method(HttpServerExchange x) {
    String method = x.getRequestMethod().toString();
    return METHODS.contains(method) ? method : "other";
  }
}
