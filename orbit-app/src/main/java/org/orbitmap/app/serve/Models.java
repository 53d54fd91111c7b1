package org.orbitmap.app.serve;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.io.UserError;

/**
 * The models that were loaded at the start, by name, in order. The page turns pictures, so at least
 * one is a model of pictures.
 */
final class Models implements AutoCloseable {
  private final Map<String, Served> byName = new LinkedHashMap<>();

  /**
   * Those given.
   *
   * @throws UserError if an address would mean two of them
   */
  Models(List<? extends Served> models) {
    for (Served m : models) {
      if (m.name().endsWith(InferenceApi.MAPPED)) {
        throw UserError.expected(
            "--model",
            "a name without %s, which mapped models have".formatted(InferenceApi.MAPPED),
            m.name(),
            "Rename the file.");
      }
      if (byName.put(m.name(), m) != null) {
        throw UserError.expected(
            "--model", "a name for each", "two called " + m.name(), "Rename one of them.");
      }
    }
    if (pictures().isEmpty()) {
      throw new IllegalArgumentException("models: expected one of pictures, found none");
    }
  }

  /** Those of pictures. */
  List<ServedModel> pictures() {
    return byName.values().stream()
        .filter(ServedModel.class::isInstance)
        .map(ServedModel.class::cast)
        .toList();
  }

  /** The model of pictures that the query names, or the first. */
  ServedModel pictures(Call call) {
    String name = call.text("model", "");
    if (name.isEmpty()) {
      return pictures().get(0);
    }
    if (named(name) instanceof ServedModel model) {
      return model;
    }
    throw Problem.expected("model", "one that takes pictures", name);
  }

  Served named(String name) {
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
