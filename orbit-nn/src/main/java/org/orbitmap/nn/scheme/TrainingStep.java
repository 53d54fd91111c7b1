package org.orbitmap.nn.scheme;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.nn.model.Model;

/**
 * One step of training, as a scheme sees it: a batch of raw inputs with their labels, and the model
 * to ask about them.
 */
public final class TrainingStep {
  private final Model<?> model;
  private final Tensor inputs;
  private final Tensor labels;
  private final RandomGenerator random;
  private final List<List<Tensor>> penalties = new ArrayList<>();

  /** A step on a batch. */
  public TrainingStep(Model<?> model, Tensor inputs, Tensor labels, RandomGenerator random) {
    this.model = model;
    this.inputs = inputs;
    this.labels = labels;
    this.random = random;
  }

  /** The model that is trained; its {@code logits} are those of prediction, without gradients. */
  public Model<?> model() {
    return model;
  }

  /** The raw inputs, not mapped and not normalised: (n, axes of an input). */
  public Tensor inputs() {
    return inputs;
  }

  /** The true classes, (n). */
  public Tensor labels() {
    return labels;
  }

  /** A generator that depends on seed, epoch and step alone. */
  public RandomGenerator random() {
    return random;
  }

  /** The class scores in training of raw inputs: mapping, normalisation, network. */
  public Tensor logits(Tensor x) {
    Model.Forward forward = model.train(x, random);
    penalties.add(forward.penalties());
    return forward.logits();
  }

  /** The mean cross-entropy of raw inputs with the labels of the batch. */
  public Tensor crossEntropy(Tensor x) {
    return torch.cross_entropy(logits(x), labels);
  }

  /** A loss with what the network adds to it, averaged over the passes of this step. */
  public Tensor withPenalties(Tensor loss) {
    Tensor all = loss;
    for (List<Tensor> pass : penalties) {
      for (Tensor term : pass) {
        all = all.add(term, new Scalar(1.0 / penalties.size()));
      }
    }
    return all;
  }
}
