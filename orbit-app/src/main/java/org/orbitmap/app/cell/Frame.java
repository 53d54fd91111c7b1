package org.orbitmap.app.cell;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.orbitmap.app.option.Json;

/**
 * What goes between a cell and who asks it: the length of a JSON head, the length of a payload, the
 * head, the payload.
 *
 * @param name what it is: a task, an event, {@link #RESULT} or {@link #PROBLEM}
 * @param head what belongs to it
 * @param payload bytes that are no JSON; may be empty
 */
public record Frame(String name, JsonNode head, byte[] payload) {
  /** The last answer to a task that went well. */
  static final String RESULT = "result";

  /** The last answer to a task that did not. */
  static final String PROBLEM = "problem";

  /** What a cell says first, when it is ready. */
  static final String READY = "ready";

  /** A sign of life. */
  static final String BEAT = "beat";

  private static final int MOST_HEAD = 8 << 20;
  private static final byte[] NONE = {};

  /** One with values that Jackson knows. */
  static Frame of(String name, Object head, byte[] payload) {
    return new Frame(name, Json.mapper().valueToTree(head), payload == null ? NONE : payload);
  }

  void write(DataOutputStream out) throws IOException {
    byte[] text = Json.mapper().writeValueAsBytes(new Object[] {name, head});
    out.writeInt(text.length);
    out.writeInt(payload.length);
    out.write(text);
    out.write(payload);
    out.flush();
  }

  /**
   * Reads one.
   *
   * @param most bytes of payload that are accepted
   * @throws EOFException if there is none
   * @throws IOException if it is larger than accepted, or no frame
   */
  static Frame read(DataInputStream in, int most) throws IOException {
    int head = in.readInt();
    int payload = in.readInt();
    if (head < 0 || head > MOST_HEAD || payload < 0 || payload > most) {
      throw new IOException(
          "expected a frame of at most %d + %d bytes, found %d + %d"
              .formatted(MOST_HEAD, most, head, payload));
    }
    JsonNode text = Json.mapper().readTree(in.readNBytes(head));
    byte[] bytes = payload == 0 ? NONE : in.readNBytes(payload);
    if (bytes.length < payload) {
      throw new EOFException();
    }
    if (text == null || !text.isArray() || text.size() != 2 || !text.get(0).isTextual()) {
      throw new IOException("expected a frame, found something else");
    }
    return new Frame(text.get(0).textValue(), text.get(1), bytes);
  }
}
