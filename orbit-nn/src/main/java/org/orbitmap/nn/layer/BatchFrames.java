package org.orbitmap.nn.layer;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.group.Similarity;
import org.orbitmap.nn.tensor.Tensors;

/**
 * The frames of canonical clouds on batches of tensors: the same as {@link CloudFrames#of}.
 *
 * @param frames the frames of the core
 */
public record BatchFrames(CloudFrames frames) {
  /** The matrices from the canonical pose to each frame: (n, count, 3, 3). */
  public Tensor turns(Tensor canonical) {
    List<List<Similarity>> table = frames.table();
    double[] numbers =
        table.stream()
            .flatMap(List::stream)
            .flatMapToDouble(h -> Arrays.stream(h.rotation()))
            .toArray();
    Tensor all = Tensors.of(numbers, table.size(), frames.count(), 3, 3);
    return torch.index_select(all.to(ScalarType.Float), 0, state(canonical, table.size()));
  }

  /** The canonical clouds in frames: matrices (n, 3, 3). */
  public static Tensor framed(Tensor canonical, Tensor turns) {
    return torch.matmul(canonical, turns.transpose(1, 2));
  }

  /** Each cloud in a frame drawn at random, all equally often. */
  public Tensor drawn(Tensor canonical, RandomGenerator random) {
    int n = Math.toIntExact(canonical.size(0));
    int[] chosen = new int[n];
    for (int i = 0; i < n; i++) {
      chosen[i] = i * frames.count() + random.nextInt(frames.count());
    }
    Tensor turns = turns(canonical).reshape(-1, 3, 3);
    return framed(canonical, torch.index_select(turns, 0, Tensors.ofLabels(chosen, n)));
  }

  /** Which eigenvalues tie, (n); 0 if that is of no effect. */
  private Tensor state(Tensor canonical, int states) {
    int n = Math.toIntExact(canonical.size(0));
    Tensor state = Tensors.ofLabels(new int[n], n);
    int mixed = frames.mapping().group().rotated();
    if (states > 1) {
      Tensor y = canonical.narrow(2, 0, mixed).to(ScalarType.Double);
      Tensor squares = torch.sum(y.mul(y), 1); // (n, mixed)
      Tensor least = torch.sum(squares, 1).mul(new Scalar(CloudFrames.TIE));
      for (int j = 0; j + 1 < mixed; j++) {
        Tensor gap = squares.select(1, j).sub(squares.select(1, j + 1));
        state = state.add(gap.lt(least).to(ScalarType.Long).mul(new Scalar(1L << j)));
      }
    }
    return state;
  }
}
