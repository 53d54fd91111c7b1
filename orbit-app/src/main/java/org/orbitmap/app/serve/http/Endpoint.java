package org.orbitmap.app.serve.http;

import java.io.IOException;

/** Answers one request, on a thread of the server, with the whole body in memory. */
@FunctionalInterface
public interface Endpoint {
  Response answer(Request request) throws Exception;

  /** Answers bit by bit, as server-sent events. */
  @FunctionalInterface
  interface Streaming {
    void answer(Request request, Events events) throws Exception;
  }

  /** Where a streaming endpoint writes. */
  interface Events {
    /**
     * Sends one event at once.
     *
     * @throws IOException if the visitor has gone
     * @throws Problem if the time for this answer is over
     */
    void send(String event, Object document) throws IOException;
  }
}
