package org.orbitmap.nn.scheme;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.nn.layer.BatchAction;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/**
 * One step of training, as a scheme sees it: a batch of raw inputs with their labels, and the model
 * to ask about them.
 */
public final class TrainingStep {
  /** At most so many moved inputs are looked at in one pass of a search. */
  private static final int SEARCHED = 1280;

  private final Model<?> model;
  private final Tensor inputs;
  private final Tensor labels;
  private final Attack attack;
  private final RandomGenerator random;
  private final List<List<Tensor>> penalties = new ArrayList<>();

  /**
   * A step on a batch.
   *
   * @param attack how adversarial schemes move inputs
   */
  public TrainingStep(
      Model<?> model, Tensor inputs, Tensor labels, Attack attack, RandomGenerator random) {
    this.model = model;
    this.inputs = inputs;
    this.labels = labels;
    this.attack = attack;
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

  /** How adversarial schemes move inputs. */
  public Attack attack() {
    return attack;
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

  /**
   * The class scores of raw inputs when predicting, without gradients and with the running
   * statistics of batch normalisation, which stay as they are. A mapping that is for testing only
   * is left out, as in training.
   */
  public Tensor predicted(Tensor x) {
    Model<?> trained =
        model.description().mapping().trained() ? model : model.with(MappingConfig.NONE);
    int classes = model.description().classes().size();
    float[] scores = NativeScope.inference(() -> Tensors.toArray(trained.logits(x)));
    return Tensors.of(scores, x.size(0), classes);
  }

  /** How bad it is for the network that inputs were moved. */
  @FunctionalInterface
  public interface Harm {
    /**
     * A number for each moved input.
     *
     * @param logits of r moved copies of each of the n inputs: (r, n, classes)
     * @return (r, n)
     */
    Tensor of(Tensor logits);
  }

  /**
   * Each input moved by the worst of some random elements of the attack's group: argmax of the harm
   * over the candidates. The network is asked as in {@link #predicted}, about many at once.
   */
  public Tensor worst(Harm harm) {
    BatchAction action = BatchAction.of(model.input(), attack.group(), attack.interpolation());
    int n = Math.toIntExact(inputs.size(0));
    int count = attack.candidates();
    Tensor elements = action.sample(count * n, random);
    int most = Math.max(1, SEARCHED / n);
    int[] place = new int[n];
    double[] worst = new double[n];
    for (int first = 0; first < count; first += most) {
      int rounds = Math.min(most, count - first);
      long from = (long) first * n;
      double[] harms =
          NativeScope.inference(
              () -> {
                long[] copies = new long[Math.toIntExact(inputs.dim())];
                Arrays.fill(copies, 1);
                copies[0] = rounds;
                Tensor part = elements.narrow(0, from, (long) rounds * n);
                Tensor logits = predicted(action.act(part, inputs.repeat(copies)));
                return Tensors.toDoubles(harm.of(logits.view(rounds, n, logits.size(1))));
              });
      for (int k = 0; k < harms.length; k++) {
        if (first + k / n == 0 || harms[k] > worst[k % n]) {
          worst[k % n] = harms[k];
          place[k % n] = first * n + k;
        }
      }
    }
    return action.act(elements.index_select(0, Tensors.ofLabels(place, n)), inputs);
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
