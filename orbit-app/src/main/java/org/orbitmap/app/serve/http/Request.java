package org.orbitmap.app.serve.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.orbitmap.app.option.Json;

/**
 * A request.
 *
 * @param path values of the route's variables
 * @param query first value of each query parameter
 * @param header a header's value by name, or null
 * @param body all of it
 * @param visitor the network address that it comes from; empty when there is none
 * @param gone takes what is to be done when the visitor leaves before the answer
 */
public record Request(
    Map<String, String> path,
    Map<String, String> query,
    Function<String, String> header,
    byte[] body,
    String visitor,
    Consumer<Runnable> gone) {

  /** A request with nothing but a query. */
  public static Request of(Map<String, String> query) {
    return new Request(Map.of(), query, name -> null, new byte[0], "", task -> {});
  }

  /** Does something when the visitor leaves before the answer. */
  public void whenGone(Runnable task) {
    gone.accept(task);
  }

  /** The media type of the body in lower case, without parameters; empty when not given. */
  public String mediaType() {
    String type = header.apply("Content-Type");
    return type == null ? "" : type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
  }

  /** Whether the visitor asks for this media type by name. */
  public boolean accepts(String mediaType) {
    String accept = header.apply("Accept");
    return accept != null && accept.toLowerCase(Locale.ROOT).contains(mediaType);
  }

  public String text(String name, String otherwise) {
    String value = query.get(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }

  public double number(String name, double otherwise, double least, double most) {
    String value = query.get(name);
    if (value == null || value.isEmpty()) {
      return otherwise;
    }
    double number = Double.NaN;
    try {
      number = Double.parseDouble(value);
    } catch (NumberFormatException e) {
      // said below, with the range
    }
    if (!(number >= least && number <= most)) {
      throw Problem.expected(name, "a number from %s to %s".formatted(least, most), value);
    }
    return number;
  }

  public int whole(String name, int otherwise, int least, int most) {
    double number = number(name, otherwise, least, most);
    if (number != Math.rint(number)) {
      throw Problem.expected(name, "a whole number", query.get(name));
    }
    return (int) number;
  }

  public boolean flag(String name, boolean otherwise) {
    String value = query.get(name);
    if (value == null) {
      return otherwise;
    }
    return switch (value) {
      case "", "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw Problem.expected(name, "true or false", value);
    };
  }

  /** The body as a JSON object. */
  public JsonNode json() throws IOException {
    return json(body.length);
  }

  /** The first bytes of the body as a JSON object. */
  public JsonNode json(int length) throws IOException {
    try {
      JsonNode node = Json.mapper().readTree(body, 0, length);
      if (node == null || !node.isObject()) {
        throw new Problem(400, "body: expected a JSON object");
      }
      return node;
    } catch (JsonProcessingException e) {
      throw new Problem(400, "body: expected JSON: " + e.getOriginalMessage());
    }
  }
}
