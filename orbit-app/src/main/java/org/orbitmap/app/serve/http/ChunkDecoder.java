package org.orbitmap.app.serve.http;

import java.nio.ByteBuffer;

/**
 * Takes the chunks of a body apart, strictly: a length in hexadecimal digits, perhaps extensions,
 * CR LF, so many bytes, CR LF; a length of 0 and the trailing fields end the body.
 */
final class ChunkDecoder {
  /** What the line with a length, or all trailing fields, may take. */
  private static final int LINE = 8 << 10;

  private enum State {
    SIZE,
    EXTENSION,
    SIZE_END,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER_START,
    TRAILER,
    TRAILER_LF,
    LAST_LF,
    DONE
  }

  private State state = State.SIZE;
  private long left;
  private int digits;
  private int line;

  boolean done() {
    return state == State.DONE;
  }

  /**
   * The next bytes of the body that are in the buffer; empty if it has to be filled again, or the
   * body has ended.
   *
   * @throws Problem 400 if these are no chunks
   */
  ByteBuffer next(ByteBuffer in) {
    while (in.hasRemaining() && state != State.DONE) {
      if (state == State.DATA) {
        int n = (int) Math.min(left, in.remaining());
        ByteBuffer part = in.slice(in.position(), n);
        in.position(in.position() + n);
        left -= n;
        if (left == 0) {
          state = State.DATA_CR;
        }
        return part;
      }
      step(in.get() & 255);
    }
    return ByteBuffer.allocate(0);
  }

  private void step(int c) {
    if (++line > LINE) {
      throw wrong();
    }
    switch (state) {
      case SIZE -> {
        int digit = Character.digit(c, 16);
        if (digit >= 0 && ++digits <= 8) {
          left = 16 * left + digit;
        } else if (digits > 0 && c == '\r') {
          state = State.SIZE_END;
        } else if (digits > 0 && (c == ';' || c == ' ' || c == '\t')) {
          state = State.EXTENSION;
        } else {
          throw wrong();
        }
      }
      case EXTENSION -> state = c == '\r' ? State.SIZE_END : require(c != '\n', State.EXTENSION);
      case SIZE_END -> {
        state = require(c == '\n', left == 0 ? State.TRAILER_START : State.DATA);
        line = 0;
      }
      case DATA_CR -> state = require(c == '\r', State.DATA_LF);
      case DATA_LF -> {
        state = require(c == '\n', State.SIZE);
        digits = 0;
        line = 0;
      }
      case TRAILER_START -> state = c == '\r' ? State.LAST_LF : State.TRAILER;
      case TRAILER -> state = c == '\r' ? State.TRAILER_LF : require(c != '\n', State.TRAILER);
      case TRAILER_LF -> state = require(c == '\n', State.TRAILER_START);
      case LAST_LF -> state = require(c == '\n', State.DONE);
      default -> throw new IllegalStateException(state.toString());
    }
  }

  private static State require(boolean holds, State next) {
    if (!holds) {
      throw wrong();
    }
    return next;
  }

  private static Problem wrong() {
    return new Problem(
        400, "body: expected chunks, each a length in hexadecimal digits and so many bytes");
  }
}
