package org.orbitmap.app.serve.http;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.orbitmap.io.UserError;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;

/** Sends responses, and tells visitors what went wrong. */
final class Replies {
  /** Standard error, which libraries do not get. */
  private static final PrintStream LOG =
      new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

  /** What the system takes without waiting for the reader. */
  private static final int SOCKET_BUFFER = 1 << 16;

  private final Duration patience;

  /**
   * Replies.
   *
   * @param patience how long a visitor may take to read one
   */
  Replies(Duration patience) {
    this.patience = patience;
  }

  /** Says what went wrong. */
  void fail(HttpServerExchange x, Throwable e) {
    int status = status(e);
    if (status == 500) {
      log(e);
    }
    send(x, Response.error(status, message(e)));
  }

  private static int status(Throwable e) {
    if (e instanceof Problem p) {
      return p.status();
    }
    if (e instanceof OutOfMemoryError) {
      return 503;
    }
    return e instanceof IllegalArgumentException
            || e instanceof UserError
            || e instanceof IOException
            || e instanceof UncheckedIOException
        ? 400
        : 500;
  }

  /** What the visitor reads; nothing about the inside of the server. */
  static String message(Throwable e) {
    return switch (status(e)) {
      case 500 -> "an error inside the server";
      case 503 -> e instanceof Problem ? e.getMessage() : "busy: not enough memory just now";
      default -> e.getMessage() == null ? "this request cannot be understood" : e.getMessage();
    };
  }

  static void log(Throwable e) {
    if (status(e) == 500) {
      LOG.println("orbit serve: an error inside the server: " + e);
      for (StackTraceElement frame : e.getStackTrace()) {
        LOG.println("    at " + frame);
      }
    }
  }

  /** Sends a whole response. */
  void send(HttpServerExchange x, Response response) {
    if (x.isResponseStarted()) {
      IoUtils.safeClose(x.getConnection());
      return;
    }
    x.setStatusCode(response.status());
    HeaderMap out = x.getResponseHeaders();
    out.put(Headers.CONTENT_TYPE, response.mediaType());
    if (!response.headers().containsKey("Cache-Control")) {
      out.put(Headers.CACHE_CONTROL, "no-store");
    }
    response.headers().forEach((name, value) -> out.put(new HttpString(name), value));
    if (response.status() == 304) {
      x.endExchange();
      return;
    }
    x.setResponseContentLength(response.body().length);
    if (x.getRequestMethod().equalToString("HEAD")) {
      x.endExchange();
      return;
    }
    if (response.body().length > SOCKET_BUFFER) {
      XnioExecutor.Key timer = closeAfter(x, patience); // for those who do not read
      x.addExchangeCompleteListener(
          (done, then) -> {
            timer.remove();
            then.proceed();
          });
    }
    x.getResponseSender().send(ByteBuffer.wrap(response.body()));
  }

  /** Ends a connection after a time, unless the key is removed before. */
  static XnioExecutor.Key closeAfter(HttpServerExchange x, Duration time) {
    return x.getIoThread()
        .executeAfter(
            () -> IoUtils.safeClose(x.getConnection()), time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
