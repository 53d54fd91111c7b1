package org.orbitmap.nn.layer;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.upright.CloudUprightFrames;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightPredictor;
import org.orbitmap.upright.CloudUprightSettings;

/**
 * An upright mapping of clouds on batches of tensors: the mapping below and the predictor run in
 * the engine, the best answers of a few scores are found by the core. Nothing of it is trained.
 */
final class CloudUprightAlignment implements BatchMapping, BatchFrames {
  private final CloudUprightSettings settings;
  private final int frames;
  private final CloudAlignment below;
  private final Weights predictor;

  CloudUprightAlignment(CloudUprightFrames frames) {
    CloudUprightMapping mapping = frames.mapping();
    settings = mapping.fitted().settings();
    this.frames = frames.count();
    below = new CloudAlignment(mapping.base());
    predictor = Weights.fixed(mapping.fitted().predictor());
  }

  /** The clouds in the best of their poses. */
  @Override
  public Tensor map(Tensor x) {
    return of(x).inputs().select(0, 0);
  }

  @Override
  public Framed of(Tensor x) {
    Tensor canonical = below.map(x);
    TorchOperations ops = TorchOperations.inference(predictor);
    float[] scores = Tensors.toArray(CloudUprightPredictor.scores(ops, canonical, settings));
    int n = Math.toIntExact(x.size(0));
    int each = scores.length / n;
    double[] rotations = new double[9 * n * frames];
    double[] weights = new double[n * frames];
    for (int i = 0; i < n; i++) {
      float[] own = Arrays.copyOfRange(scores, i * each, (i + 1) * each);
      CloudUprightMapping.Answer said = CloudUprightMapping.answer(own);
      int[] best = said.frames(frames);
      double sum = Arrays.stream(best).mapToDouble(k -> said.probabilities()[k]).sum();
      for (int j = 0; j < frames; j++) {
        int at = j * n + i;
        System.arraycopy(said.rotations().get(best[j]), 0, rotations, 9 * at, 9);
        weights[at] = said.probabilities()[best[j]] / sum;
      }
    }
    Tensor rotation = Tensors.of(rotations, frames, n, 3, 3).transpose(2, 3);
    return new Framed(
        torch.matmul(canonical.to(ScalarType.Double), rotation).to(ScalarType.Float),
        Tensors.of(weights, frames, n).to(ScalarType.Float));
  }

  /**
   * Each cloud in one pose, drawn by its weight: over many steps that is the mean over all of them,
   * for the cost of one.
   */
  @Override
  public Framed inTraining(Tensor x, RandomGenerator random) {
    Framed all = of(x);
    int n = Math.toIntExact(x.size(0));
    float[] weights = Tensors.toArray(all.weights());
    int[] chosen = new int[n];
    for (int i = 0; i < n; i++) {
      double left = random.nextDouble() - weights[i];
      int pose = 0;
      while (left >= 0 && pose + 1 < frames) {
        pose++;
        left -= weights[pose * n + i];
      }
      chosen[i] = pose * n + i;
    }
    Tensor poses = all.inputs().reshape(-1, x.size(1), x.size(2));
    Tensor inputs = torch.index_select(poses, 0, Tensors.ofLabels(chosen, n)).unsqueeze(0);
    return new Framed(inputs, torch.ones_like(inputs.select(3, 0).select(2, 0)));
  }
}
