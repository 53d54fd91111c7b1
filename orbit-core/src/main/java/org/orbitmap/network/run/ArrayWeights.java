package org.orbitmap.network.run;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.run.ArrayOperations.Batch;

/**
 * The numbers of a network for plain Java, with the forms of them that its loops read. Safe for
 * several threads at once.
 */
public final class ArrayWeights {
  private final Map<String, FloatTensor> tensors;

  /** By the array itself and the first of the outputs; only of arrays that stay. */
  private final Map<float[], Map<Integer, float[][]>> columns =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private final Map<String, float[]> spread = new ConcurrentHashMap<>();
  private final Map<String, Batch> derived = new ConcurrentHashMap<>();

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

  /** Shared numbers, each in its places; made once for each name. */
  float[] spread(String name, int[] index) {
    return spread.computeIfAbsent(
        name,
        key -> {
          float[] numbers = get(name);
          float[] all = new float[index.length];
          for (int i = 0; i < all.length; i++) {
            all[i] = numbers[index[i]];
          }
          return all;
        });
  }

  /** Numbers that follow from these; computed once for each name. */
  Batch derived(String name, Supplier<Batch> how) {
    Batch known = derived.get(name);
    if (known == null) {
      // not inside the map: a derivation may ask for another one
      Batch found = how.get();
      known = derived.putIfAbsent(name, found);
      known = known == null ? found : known;
    }
    return known;
  }

  /**
   * The columns of a matrix of so many rows. Of the outputs from {@code first} on, as many as
   * {@code count}. They are kept if the matrix is one of these weights.
   */
  float[][] columns(float[] matrix, int rows, int first, int count) {
    if (!kept(matrix)) {
      return transposed(matrix, rows, first, count);
    }
    return columns
        .computeIfAbsent(matrix, m -> new ConcurrentHashMap<>())
        .computeIfAbsent(first, f -> transposed(matrix, rows, first, count));
  }

  private boolean kept(float[] matrix) {
    return columns.containsKey(matrix)
        || spread.values().stream().anyMatch(m -> m == matrix)
        || derived.values().stream().anyMatch(b -> b.values() == matrix)
        || tensors.values().stream().anyMatch(t -> t.values() == matrix);
  }

  private static float[][] transposed(float[] matrix, int rows, int first, int count) {
    int width = matrix.length / rows;
    float[][] all = new float[width][count];
    for (int o = 0; o < count; o++) {
      for (int k = 0; k < width; k++) {
        all[k][o] = matrix[(first + o) * width + k];
      }
    }
    return all;
  }
}
