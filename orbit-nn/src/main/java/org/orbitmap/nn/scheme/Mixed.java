package org.orbitmap.nn.scheme;

import org.bytedeco.pytorch.Tensor;

/** {@code mixed}: L(f(x̂), y) + L(f(x), y), x̂ as in {@link Adversarial} (paper, section 4.1). */
public final class Mixed extends Adversarial {
  @Override
  public String name() {
    return "mixed";
  }

  @Override
  public Tensor loss(TrainingStep step) {
    return super.loss(step).add(step.crossEntropy(step.inputs()));
  }
}
