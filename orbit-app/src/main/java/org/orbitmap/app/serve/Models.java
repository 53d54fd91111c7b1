package org.orbitmap.app.serve;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The models that were loaded at the start, by name, in order. */
final class Models implements AutoCloseable {
  private final Map<String, ServedModel> byName = new LinkedHashMap<>();

  Models(List<ServedModel> models) {
    models.forEach(m -> byName.put(m.name(), m));
  }

  Collection<ServedModel> all() {
    return byName.values();
  }

  /** The model that the query names, or the first. */
  ServedModel pictures(Call call) {
    String name = call.text("model", "");
    if (name.isEmpty()) {
      return byName.values().iterator().next();
    }
    return named(name);
  }

  ServedModel named(String name) {
    ServedModel model = byName.get(name);
    if (model == null) {
      throw new Problem(404, "model: expected one of %s".formatted(byName.keySet()));
    }
    return model;
  }

  @Override
  public void close() {
    byName.values().forEach(ServedModel::close);
  }
}
