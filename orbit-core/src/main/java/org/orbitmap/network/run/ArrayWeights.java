package org.orbitmap.network.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.orbitmap.network.FloatTensor;

/**
 * The numbers of a network for plain Java, with the forms of them that its loops read. Safe for
 * several threads at once.
 */
public final class ArrayWeights {
  private final Map<String, FloatTensor> tensors;
  private final Map<String, float[][]> columns = new ConcurrentHashMap<>();

  /** Of tensors by name, which are not copied. */
  public ArrayWeights(Map<String, FloatTensor> tensors) {
    this.tensors = tensors;
  }

  float[] get(String name) {
    return tensor(name).values();
  }

  FloatTensor tensor(String name) {
    FloatTensor t = tensors.get(name);
    if (t == null) {
      throw new IllegalArgumentException("weights: expected %s, found none".formatted(name));
    }
    return t;
  }

  /**
   * The columns of a matrix: first axis rows, all others columns. Of the outputs from {@code first}
   * on, as many as {@code count}.
   */
  float[][] columns(String name, int first, int count) {
    return columns.computeIfAbsent(
        name + ":" + first,
        key -> {
          FloatTensor t = tensor(name);
          int rows = Math.toIntExact(t.shape()[0]);
          int width = t.values().length / rows;
          float[][] all = new float[width][count];
          for (int o = 0; o < count; o++) {
            for (int k = 0; k < width; k++) {
              all[k][o] = t.values()[(first + o) * width + k];
            }
          }
          return all;
        });
  }
}
