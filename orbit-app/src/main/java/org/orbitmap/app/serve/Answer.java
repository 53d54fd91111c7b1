package org.orbitmap.app.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Map;
import org.orbitmap.app.Json;

/** A whole answer. */
record Answer(int status, String mediaType, byte[] body, Map<String, String> headers) {
  static Answer of(String mediaType, byte[] body) {
    return new Answer(200, mediaType, body, Map.of());
  }

  static Answer json(Object document) {
    return json(200, document);
  }

  static Answer json(int status, Object document) {
    try {
      return new Answer(
          status, "application/json", Json.mapper().writeValueAsBytes(document), Map.of());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static Answer error(int status, String message) {
    Answer answer = json(status, Map.of("error", message));
    return status == 503 ? answer.with("Retry-After", "1") : answer;
  }

  Answer with(String header, String value) {
    Map<String, String> all = new java.util.LinkedHashMap<>(headers);
    all.put(header, value);
    return new Answer(status, mediaType, body, all);
  }
}
