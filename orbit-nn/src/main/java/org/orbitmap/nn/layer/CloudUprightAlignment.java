package org.orbitmap.nn.layer;

import java.util.Arrays;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;

/**
 * An upright mapping of clouds on batches of tensors: the mapping below and the predictor run in
 * the engine, the best answer of a few scores is found by the core. Nothing of it is trained.
 */
final class CloudUprightAlignment implements BatchMapping {
  private final CloudUprightSettings settings;
  private final CloudAlignment below;
  private final Weights predictor;

  CloudUprightAlignment(CloudUprightMapping mapping) {
    settings = mapping.fitted().settings();
    below = new CloudAlignment(mapping.base());
    predictor = Weights.fixed(mapping.fitted().predictor());
  }

  @Override
  public Tensor map(Tensor x) {
    Tensor canonical = below.map(x);
    TorchOperations ops = TorchOperations.inference(predictor);
    float[] scores = Tensors.toArray(settings.architecture().scores(ops, seen(canonical)));
    int n = Math.toIntExact(x.size(0));
    int each = scores.length / n;
    double[] rotations = new double[9 * n];
    for (int i = 0; i < n; i++) {
      float[] own = Arrays.copyOfRange(scores, i * each, (i + 1) * each);
      System.arraycopy(CloudUprightMapping.answer(own).rotation(), 0, rotations, 9 * i, 9);
    }
    Tensor rotation = Tensors.of(rotations, n, 3, 3).transpose(1, 2);
    return torch.matmul(canonical.to(ScalarType.Double), rotation).to(ScalarType.Float);
  }

  /** {@link CloudUprightMapping#seen} of each. */
  private static Tensor seen(Tensor canonical) {
    Tensor x = canonical.to(ScalarType.Double);
    Tensor centred = x.sub(torch.mean(x, new long[] {1}, true, null));
    Tensor distances = torch.sqrt(torch.sum(centred.mul(centred), new long[] {2}, true, null));
    Tensor size = torch.mean(distances, new long[] {1}, true, null);
    Tensor extended = size.gt(new Scalar(Double.MIN_NORMAL));
    return centred.div(torch.where(extended, size, torch.ones_like(size))).to(ScalarType.Float);
  }
}
