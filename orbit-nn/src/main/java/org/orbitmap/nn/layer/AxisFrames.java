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
 * The directions of the axes of canonical clouds, on batches of tensors: the same as {@link
 * CloudFrames#of}. All count alike.
 *
 * @param frames the frames of the core
 * @param below their mapping
 */
record AxisFrames(CloudFrames frames, CloudAlignment below) implements BatchFrames {
  @Override
  public Framed of(Tensor x) {
    Tensor canonical = below.map(x);
    Tensor inputs = torch.matmul(canonical, turns(canonical).permute(1, 0, 3, 2));
    Tensor one = torch.ones_like(inputs.select(3, 0).select(2, 0));
    return new Framed(inputs, one.div(new Scalar((double) frames.count())));
  }

  /** Each cloud in a frame drawn at random, all equally often. */
  @Override
  public Framed inTraining(Tensor x, RandomGenerator random) {
    Tensor canonical = below.map(x);
    int n = Math.toIntExact(canonical.size(0));
    int[] chosen = new int[n];
    for (int i = 0; i < n; i++) {
      chosen[i] = i * frames.count() + random.nextInt(frames.count());
    }
    Tensor turns = turns(canonical).reshape(-1, 3, 3);
    Tensor own = torch.index_select(turns, 0, Tensors.ofLabels(chosen, n));
    Tensor inputs = torch.matmul(canonical, own.transpose(1, 2)).unsqueeze(0);
    return new Framed(inputs, torch.ones_like(inputs.select(3, 0).select(2, 0)));
  }

  /** The matrices from the canonical pose to each frame: (n, count, 3, 3). */
  private Tensor turns(Tensor canonical) {
    List<List<Similarity>> table = frames.table();
    double[] numbers =
        table.stream()
            .flatMap(List::stream)
            .flatMapToDouble(h -> Arrays.stream(h.rotation()))
            .toArray();
    Tensor all = Tensors.of(numbers, table.size(), frames.count(), 3, 3);
    return torch.index_select(all.to(ScalarType.Float), 0, state(canonical, table.size()));
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
