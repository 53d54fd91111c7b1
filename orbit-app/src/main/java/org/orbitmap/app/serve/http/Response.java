package org.orbitmap.app.serve.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Map;
import org.orbitmap.app.option.Json;

/** A whole response. */
public record Response(int status, String mediaType, byte[] body, Map<String, String> headers) {
  public static Response of(String mediaType, byte[] body) {
    return new Response(200, mediaType, body, Map.of());
  }

  public static Response json(Object document) {
    return json(200, document);
  }

  public static Response json(int status, Object document) {
    try {
      return new Response(
          status, "application/json", Json.mapper().writeValueAsBytes(document), Map.of());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  public static Response error(int status, String message) {
    Response response = json(status, Map.of("error", message));
    return status == 503 ? response.with("Retry-After", "1") : response;
  }

  public Response with(String header, String value) {
    Map<String, String> all = new java.util.LinkedHashMap<>(headers);
    all.put(header, value);
    return new Response(status, mediaType, body, all);
  }
}
