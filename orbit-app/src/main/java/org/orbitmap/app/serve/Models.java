package org.orbitmap.app.serve;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The models that were loaded at the start, by name, in order. The page turns pictures, so at least
 * one is a model of pictures.
 */
final class Models implements AutoCloseable {
  private final Map<String, Served> byName = new LinkedHashMap<>();

  Models(List<? extends Served> models) {
    models.forEach(m -> byName.put(m.name(), m));
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
