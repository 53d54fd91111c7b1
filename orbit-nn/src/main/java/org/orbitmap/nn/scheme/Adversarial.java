package org.orbitmap.nn.scheme;

import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.image.Interpolation;

/**
 * {@code adv}: L(f(x̂), y), where x̂ is the worst of some random rotations of x (Engstrom et al.,
 * 2019; paper, section 4.1): one that is misclassified before one that is not, then the one with
 * the highest cross-entropy. Inputs are cropped and flipped as in {@code std}; validation inputs
 * are rotated (bilinear), since that is what the network is for.
 */
public class Adversarial implements Scheme {
  /** More than any cross-entropy of single precision. */
  private static final double WRONG = 1e6;

  @Override
  public String name() {
    return "adv";
  }

  @Override
  public <X> X augment(X x, Augmenter<X> how, RandomGenerator random) {
    return how.flip(how.crop(x, random), random);
  }

  @Override
  public <X> X validate(X x, Augmenter<X> how, RandomGenerator random) {
    return how.rotate(x, Interpolation.BILINEAR, random);
  }

  @Override
  public Tensor loss(TrainingStep step) {
    return step.crossEntropy(misclassified(step));
  }

  /** The inputs moved to where the network errs the most. */
  static Tensor misclassified(TrainingStep step) {
    return step.worst(logits -> harm(logits, step.labels()));
  }

  /** The cross-entropy, and far more where the answer is wrong: (r, n) for (r, n, classes). */
  static Tensor harm(Tensor logits, Tensor labels) {
    Tensor shares = torch.log_softmax(logits.to(ScalarType.Double), 2);
    Tensor places = labels.view(1, -1, 1).expand(logits.size(0), labels.size(0), 1);
    Tensor entropy = shares.gather(2, places).squeeze(2).neg();
    Tensor wrong = logits.argmax(new LongOptional(2), false).ne(labels);
    return entropy.add(wrong.to(ScalarType.Double), new Scalar(WRONG));
  }
}
