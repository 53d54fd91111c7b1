package org.orbitmap.app.serve.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.io.UserError;

/**
 * The models that were loaded at the start, by name, in order. The page rotates images, so at least
 * one is a model of images.
 */
public final class Models implements AutoCloseable {
  /** How the names of mapped models end. */
  public static final String MAPPED = ".mapped";

  private final Map<String, Served> byName = new LinkedHashMap<>();

  /**
   * Those given.
   *
   * @throws UserError if an address would mean two of them
   */
  public Models(List<? extends Served> models) {
    for (Served m : models) {
      if (m.name().endsWith(MAPPED)) {
        throw UserError.expected(
            "--model",
            "a name without %s, which mapped models have".formatted(MAPPED),
            m.name(),
            "Rename the file.");
      }
      if (byName.put(m.name(), m) != null) {
        throw UserError.expected(
            "--model", "a name for each", "two called " + m.name(), "Rename one of them.");
      }
    }
    if (images().isEmpty()) {
      throw new IllegalArgumentException("models: expected one of images, found none");
    }
  }

  /** The names that clients ask for: each model as it is, and mapped. */
  public List<String> names() {
    return byName.keySet().stream().flatMap(n -> Stream.of(n, n + MAPPED)).toList();
  }

  /** Those of images. */
  public List<ServedImages> images() {
    return byName.values().stream()
        .filter(ServedImages.class::isInstance)
        .map(ServedImages.class::cast)
        .toList();
  }

  /** Those of clouds. */
  public List<ServedClouds> clouds() {
    return byName.values().stream()
        .filter(ServedClouds.class::isInstance)
        .map(ServedClouds.class::cast)
        .toList();
  }

  /** The model of clouds with this name. */
  public ServedClouds clouds(String name) {
    if (named(name) instanceof ServedClouds model) {
      return model;
    }
    throw Problem.expected("model", "one that takes clouds", name);
  }

  /** The model of images that the query names, or the first. */
  public ServedImages images(Request request) {
    String name = request.text("model", "");
    if (name.isEmpty()) {
      return images().get(0);
    }
    if (named(name) instanceof ServedImages model) {
      return model;
    }
    throw Problem.expected("model", "one that takes images", name);
  }

  public Served named(String name) {
    Served model = byName.get(name);
    if (model == null) {
      throw new Problem(404, "model: expected one of %s".formatted(byName.keySet()));
    }
    return model;
  }

  @Override
  public void close() {
    byName.values().forEach(Served::close);
  }
}
