package org.orbitmap.nn.scheme;

import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.extension.Named;

/**
 * A way to train: how a training input is changed before the network sees it, and the loss. It sees
 * raw inputs, before the mapping: an adversarial scheme moves them in {@link #loss}.
 *
 * <p>A user's own scheme is a class with a line in {@code
 * META-INF/services/org.orbitmap.nn.scheme.Scheme}.
 */
public interface Scheme extends Named {
  /** A changed copy of a training input. */
  <X> X augment(X x, Augmenter<X> how, RandomGenerator random);

  /** A changed copy of a validation input; as it is unless the scheme says otherwise. */
  default <X> X validate(X x, Augmenter<X> how, RandomGenerator random) {
    return x;
  }

  /** The loss of a batch; cross-entropy unless the scheme says otherwise. */
  default Tensor loss(TrainingStep step) {
    return step.crossEntropy(step.inputs());
  }
}
