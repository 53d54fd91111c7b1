package org.orbitmap.nn.scheme;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * {@code adv-alp}: L(f(x̂), y) + λ·‖f(x) - f(x̂)‖², x̂ as in {@link Adversarial} (Yang et al.,
 * 2019; paper, section 4.1).
 */
public final class AdversarialLogitPairing extends Adversarial {
  @Override
  public String name() {
    return "adv-alp";
  }

  @Override
  public Tensor loss(TrainingStep step) {
    Tensor moved = step.logits(misclassified(step));
    Tensor difference = step.logits(step.inputs()).sub(moved);
    Tensor squares = difference.mul(difference).sum(1L).mean();
    return torch.cross_entropy(moved, step.labels()).add(squares, new Scalar(step.attack().alp()));
  }
}
