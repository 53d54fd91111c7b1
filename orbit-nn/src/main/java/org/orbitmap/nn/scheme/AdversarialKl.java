package org.orbitmap.nn.scheme;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * {@code adv-kl}: L(f(x̂), y) + λ·KL(f(x)‖f(x̂)), where x̂ is the rotation of x with the largest
 * divergence (Yang et al., 2019; paper, section 4.1).
 */
public final class AdversarialKl extends Adversarial {
  @Override
  public String name() {
    return "adv-kl";
  }

  @Override
  public Tensor loss(TrainingStep step) {
    Tensor moved = step.logits(divergent(step));
    Tensor divergence = divergence(step.logits(step.inputs()), moved).mean();
    return torch
        .cross_entropy(moved, step.labels())
        .add(divergence, new Scalar(step.attack().kl()));
  }

  /** The inputs moved to where the probabilities differ the most from those of the natural ones. */
  static Tensor divergent(TrainingStep step) {
    Tensor natural = step.predicted(step.inputs()).to(ScalarType.Double);
    return step.worst(logits -> divergence(natural, logits.to(ScalarType.Double)));
  }

  /** KL(p‖q) = Σ p·(log p - log q) over the last axis, of logits. */
  private static Tensor divergence(Tensor p, Tensor q) {
    Tensor logP = torch.log_softmax(p, p.dim() - 1);
    Tensor logQ = torch.log_softmax(q, q.dim() - 1);
    return logP.exp().mul(logP.sub(logQ)).sum(-1L);
  }
}
