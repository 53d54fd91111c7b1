package org.orbitmap.app.serve.http;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.xnio.XnioExecutor;

/**
 * Sees that a visitor has left while the answer is worked on. Nothing reads from the connection
 * then, so its end is looked for now and then.
 */
final class Departure implements Runnable {
  private static final long MILLIS = 250;

  private final HttpServerConnection connection;
  private final Runnable task;
  private XnioExecutor.Key key;

  private Departure(HttpServerConnection connection, Runnable task) {
    this.connection = connection;
    this.task = task;
  }

  /** Does something when the visitor leaves before the answer is complete. */
  static void watch(HttpServerExchange x, Runnable task) {
    Departure departure = new Departure((HttpServerConnection) x.getConnection(), task);
    x.getIoThread()
        .execute(
            () -> {
              departure.key =
                  x.getIoThread().executeAtInterval(departure, MILLIS, TimeUnit.MILLISECONDS);
            });
    x.addExchangeCompleteListener(
        (done, then) -> {
          x.getIoThread().execute(departure::stop);
          then.proceed();
        });
  }

  private void stop() {
    if (key != null) {
      key.remove();
      key = null;
    }
  }

  @Override
  public void run() {
    if (key == null) {
      return;
    }
    if (!connection.isOpen()) {
      stop();
      task.run();
      return;
    }
    PooledByteBuffer pooled = connection.getByteBufferPool().allocate();
    int n;
    try {
      n = connection.getOriginalSourceConduit().read(pooled.getBuffer());
    } catch (IOException e) {
      n = -1;
    }
    if (n > 0) { // a further request: there is somebody
      stop();
      pooled.getBuffer().flip();
      connection.ungetRequestBytes(pooled);
      return;
    }
    pooled.close();
    if (n < 0) {
      stop();
      task.run();
    }
  }
}
