package org.orbitmap.app.serve.http;

import java.time.Duration;

/**
 * What one visitor, and all of them together, may ask for.
 *
 * @param body bytes of an ordinary request body
 * @param upload bytes of an uploaded model
 * @param memory bytes of all ordinary request bodies at once, and of all uploads; beyond it the
 *     answer is 503
 * @param pixels pixels of an image, checked before it is decoded, and of all that a model takes at
 *     once
 * @param points points of a cloud
 * @param waiting requests that may wait for a worker; beyond it the answer is 503
 * @param streams long answers (curves) at once, and uploaded models at once, each in its own cell
 * @param queue long answers that may wait for their turn; beyond it the answer is 503
 * @param header how long the head of a request may take to arrive
 * @param receive how long the body may take to arrive
 * @param idle how long a connection may stay open between requests
 * @param work how long a request may wait for a worker; beyond it the answer is 503
 * @param stream how long a stream may take once it runs
 */
public record Limits(
    long body,
    long upload,
    long memory,
    int pixels,
    int points,
    int waiting,
    int streams,
    int queue,
    Duration header,
    Duration receive,
    Duration idle,
    Duration work,
    Duration stream) {
  public static final Limits DEFAULT =
      new Limits(
          8L << 20,
          64L << 20,
          256L << 20,
          4_000_000,
          100_000,
          2048,
          4,
          32,
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          Duration.ofMinutes(10));

  /** The same with another limit on pixels. */
  public Limits withPixels(int most) {
    return new Limits(
        body, upload, memory, most, points, waiting, streams, queue, header, receive, idle, work,
        stream);
  }
}
