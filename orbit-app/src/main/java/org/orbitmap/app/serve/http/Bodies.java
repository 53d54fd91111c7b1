package org.orbitmap.app.serve.http;

import io.undertow.conduits.ReadDataStreamSourceConduit;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.Connectors;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.xnio.ChannelListener;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;
import org.xnio.channels.StreamSourceChannel;

/**
 * Reads the bodies of requests without a thread of their own, within the limits of size, time and
 * memory, and counts the requests under way. Memory is counted as bytes arrive: what a request
 * announces and does not send costs nothing. Uploads have a budget of their own, so that they never
 * keep others from sending.
 */
final class Bodies {
  static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

  /** The largest body that is read only to be refused. */
  private static final long DISCARDED = 128L << 20;

  private final Limits limits;
  private final Metrics metrics;
  private final Replies replies;
  private final AtomicInteger underWay = new AtomicInteger();
  private final BodyBudget ordinary;
  private final BodyBudget uploads;

  Bodies(Limits limits, Metrics metrics, Replies replies) {
    this.limits = limits;
    this.metrics = metrics;
    this.replies = replies;
    ordinary = new BodyBudget(limits.memory());
    uploads = new BodyBudget(limits.memory());
  }

  /** Requests not yet answered. */
  int underWay() {
    return underWay.get();
  }

  /** Bytes that are held. */
  long memory() {
    return ordinary.bytes() + uploads.bytes();
  }

  /** What happens with a whole body. */
  interface Received {
    void accept(byte[] body);
  }

  /** Reads the body without blocking, within its limits, then goes on. */
  void receive(HttpServerExchange x, String template, long most, Received next) {
    long begun = System.nanoTime();
    underWay.incrementAndGet();
    BodyBudget budget = most > limits.body() ? uploads : ordinary;
    BodyBudget.Share share = budget.share(() -> IoUtils.safeClose(x.getConnection()));
    x.addExchangeCompleteListener(
        (done, then) -> {
          underWay.decrementAndGet();
          share.close();
          metrics.answered(method(done), template, done.getStatusCode(), System.nanoTime() - begun);
          then.proceed();
        });
    long length = x.getRequestContentLength();
    String coding = x.getRequestHeaders().getFirst(Headers.TRANSFER_ENCODING);
    boolean asks = HttpContinue.requiresContinueResponse(x);
    String expect = x.getRequestHeaders().getFirst(Headers.EXPECT);
    if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
      refuse(x, new Problem(417, "Expect: expected 100-continue"));
    } else if (coding != null && !(chunked(x) && length < 0)) {
      refuse(x, new Problem(400, "Transfer-Encoding: expected chunked alone, or a Content-Length"));
    } else if (length > most && (asks || length > DISCARDED)) {
      refuse(x, tooLarge(most, length));
    } else if (x.isRequestComplete()) {
      next.accept(new byte[0]);
    } else {
      Body body = new Body(x, share, most, next);
      if (asks) {
        HttpContinue.sendContinueResponse(x, body);
      } else {
        body.begin();
      }
    }
  }

  private static boolean chunked(HttpServerExchange x) {
    HeaderValues codings = x.getRequestHeaders().get(Headers.TRANSFER_ENCODING);
    return codings != null
        && codings.size() == 1
        && codings.getFirst().strip().equalsIgnoreCase("chunked");
  }

  private void refuse(HttpServerExchange x, Problem problem) {
    x.setPersistent(false);
    replies.fail(x, problem);
  }

  private static Problem tooLarge(long most, long length) {
    return new Problem(
        413,
        "body: expected at most %d bytes%s".formatted(most, length < 0 ? "" : ", found " + length));
  }

  /** A body on its way. All of it happens on the connection's own thread. */
  private final class Body implements ChannelListener<StreamSourceChannel>, IoCallback {
    private final HttpServerExchange x;
    private final BodyBudget.Share share;
    private final long most;
    private final Received next;
    private final ByteChunks bytes = new ByteChunks();
    private final ChunkDecoder chunks;
    private XnioExecutor.Key timer;
    private long arrived;

    Body(HttpServerExchange x, BodyBudget.Share share, long most, Received next) {
      this.x = x;
      this.share = share;
      this.most = most;
      this.next = next;
      chunks = chunked(x) ? new ChunkDecoder() : null;
    }

    @Override
    public void onComplete(HttpServerExchange exchange, Sender sender) {
      begin();
    }

    @Override
    public void onException(HttpServerExchange exchange, Sender sender, IOException e) {
      IoUtils.safeClose(exchange.getConnection());
    }

    void begin() {
      timer = Replies.closeAfter(x, limits.receive());
      if (chunks != null) {
        // The server's own reader of chunks closes the connection at a mistake, unheard.
        HttpServerConnection connection = (HttpServerConnection) x.getConnection();
        connection
            .getChannel()
            .getSourceChannel()
            .setConduit(
                new ReadDataStreamSourceConduit(connection.getOriginalSourceConduit(), connection));
      } else {
        x.setMaxEntitySize(Math.max(1, Math.max(most, x.getRequestContentLength())));
      }
      StreamSourceChannel channel = x.getRequestChannel();
      if (channel == null) {
        end(new Problem(400, "body: it did not arrive whole"));
      } else if (!read(channel)) {
        channel.getReadSetter().set(this);
        channel.resumeReads();
      }
    }

    @Override
    public void handleEvent(StreamSourceChannel channel) {
      Connectors.executeRootHandler(
          y -> {
            if (!read(channel)) {
              channel.resumeReads();
            }
          },
          x);
    }

    /** Reads what is there; whether that was the end. */
    private boolean read(StreamSourceChannel channel) {
      PooledByteBuffer pooled = x.getConnection().getByteBufferPool().allocate();
      try {
        ByteBuffer buffer = pooled.getBuffer();
        while (true) {
          buffer.clear();
          int n = channel.read(buffer);
          if (n == 0) {
            return false;
          }
          if (n < 0) {
            if (chunks != null) {
              throw new IOException("an end in the middle");
            }
            end(arrived > most ? tooLarge(most, x.getRequestContentLength()) : null);
            return true;
          }
          buffer.flip();
          if (chunks == null) {
            take(buffer);
            continue;
          }
          for (ByteBuffer part = chunks.next(buffer);
              part.hasRemaining();
              part = chunks.next(buffer)) {
            take(part);
          }
          if (chunks.done()) {
            if (buffer.hasRemaining()) { // the next request
              ((HttpServerConnection) x.getConnection()).ungetRequestBytes(pooled);
              pooled = null;
            }
            Connectors.terminateRequest(x);
            end(null);
            return true;
          }
        }
      } catch (Problem e) {
        end(e);
        return true;
      } catch (IOException e) {
        end(new Problem(400, "body: it did not arrive whole"));
        return true;
      } finally {
        if (pooled != null) {
          pooled.close();
        }
      }
    }

    /** Keeps what arrived. */
    private void take(ByteBuffer part) {
      int n = part.remaining();
      arrived += n;
      if (arrived <= most) {
        if (!share.take(n)) {
          throw Problem.busy("other requests take all the memory there is for bodies");
        }
        bytes.add(part);
      } else if (chunks != null) {
        throw tooLarge(most, -1);
      } // else: one of moderate size is read to its end; many clients listen only then
    }

    private void end(Problem problem) {
      timer.remove();
      if (problem != null) {
        if (chunks != null && !x.isRequestComplete()) {
          Connectors.terminateRequest(x); // the rest is not read
        }
        refuse(x, problem);
      } else {
        share.whole();
        next.accept(bytes.whole());
      }
    }
  }

  /** The method, of those that are counted. */
  static String method(HttpServerExchange x) {
    String method = x.getRequestMethod().toString();
    return METHODS.contains(method) ? method : "other";
  }
}
