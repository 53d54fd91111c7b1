package org.orbitmap.nn.train;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.nn.layer.Weights;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/**
 * Turns gradients into steps. Its memory (momentum, moments) is plain tensors by name, so that a
 * checkpoint holds all of it.
 */
public abstract class Optimiser {
  /** What adaptive clipping takes for the length of weights that are shorter. */
  private static final double SHORTEST = 1e-3;

  final Weights weights;
  final double weightDecay;
  private FineTuning tuning = FineTuning.NONE;
  private double l1;
  final Map<String, Tensor> memory = new LinkedHashMap<>();

  Optimiser(Weights weights, double weightDecay, String... kinds) {
    this.weights = weights;
    this.weightDecay = weightDecay;
    for (String kind : kinds) {
      weights
          .parameters()
          .forEach(
              (name, t) -> {
                if (t.requires_grad()) { // what is frozen needs no memory
                  long[] shape = Tensors.shape(t);
                  memory.put(
                      kind + "/" + name,
                      NativeScope.keep(new float[Math.toIntExact(t.numel())], shape));
                }
              });
    }
  }

  /** The method of a configuration. */
  public static Optimiser of(TrainConfig.Method method, Weights weights) {
    Optimiser optimiser =
        switch (method.kind()) {
          case ADAM -> new Adam(weights, method.weightDecay());
          case SGD -> new Sgd(weights, method.momentum(), method.weightDecay());
          case NESTEROV -> new Nesterov(weights, method.momentum(), method.weightDecay());
        };
    optimiser.l1 = method.l1();
    return optimiser;
  }

  /** The same with factors on the learning rate and clipped gradients. */
  Optimiser with(FineTuning how) {
    tuning = how;
    return this;
  }

  /** One step with a learning rate; the gradients stay as they are. */
  public final void step(double rate) {
    before();
    weights.parameters().forEach((name, t) -> NativeScope.update(() -> step(name, t, rate)));
    weights.changed();
  }

  private void step(String name, Tensor t, double rate) {
    Tensor g = t.grad();
    if (g.defined()) {
      boolean clips = tuning.clip() > 0 && !name.startsWith("head.");
      Tensor clipped = clips ? clipped(t, g) : g;
      // Weight decay as in the paper's protocol: added to the gradient.
      boolean decays = weights.decays(name);
      Tensor all = decays && weightDecay != 0 ? clipped.add(t, new Scalar(weightDecay)) : clipped;
      all = decays && l1 != 0 ? all.add(t.sign(), new Scalar(l1)) : all;
      update(name, t, all, rate * tuning.rate(name));
    }
  }

  /**
   * Adaptive clipping: g·min(1, λ·max(|w|, 10⁻³)/|g|) for each output unit; biases and gains are
   * one unit.
   */
  private Tensor clipped(Tensor t, Tensor g) {
    boolean units = t.dim() > 1 && t.numel() > t.size(0);
    long rows = units ? t.size(0) : 1;
    Tensor weight = t.reshape(rows, -1).square().sum(1).sqrt().clamp_min(new Scalar(SHORTEST));
    Tensor length = g.reshape(rows, -1).square().sum(1).sqrt().clamp_min(new Scalar(1e-6));
    Tensor factor = weight.mul(new Scalar(tuning.clip())).div(length).clamp_max(new Scalar(1.0));
    return g.reshape(rows, -1).mul(factor.unsqueeze(1)).reshape(Tensors.shape(t));
  }

  void before() {}

  abstract void update(String name, Tensor t, Tensor gradient, double rate);

  /** The number of steps so far, where the method depends on it. */
  public long steps() {
    return 0;
  }

  /** Goes on from a number of steps. */
  public void steps(long n) {}

  /** Copies of its memory. */
  public final Map<String, FloatTensor> snapshot() {
    Map<String, FloatTensor> copy = new LinkedHashMap<>();
    memory.forEach((name, t) -> copy.put(name, Tensors.copyOf(t)));
    return copy;
  }

  /** The same, each of it copied when it is asked for. */
  public final Map<String, FloatTensor> copies() {
    return Tensors.copies(memory);
  }

  /** Overwrites everything, after the same check. */
  public final void restore(Map<String, FloatTensor> values) {
    requireLike(values);
    memory.forEach((name, t) -> Tensors.overwrite(t, values.get(name)));
  }

  /**
   * Checks that these are values for this method and these weights.
   *
   * @throws IllegalArgumentException if a name is missing or not expected, or a shape differs
   */
  public final void requireLike(Map<String, FloatTensor> values) {
    Tensors.requireLike("optimiser", values, memory);
  }

  /** v ← μv + g, w ← w - ηv. */
  public static final class Sgd extends Optimiser {
    private final double momentum;

    public Sgd(Weights weights, double momentum, double weightDecay) {
      super(weights, weightDecay, "momentum");
      this.momentum = momentum;
    }

    @Override
    void update(String name, Tensor t, Tensor gradient, double rate) {
      Tensor v = memory.get("momentum/" + name);
      v.mul_(new Scalar(momentum)).add_(gradient);
      t.add_(v, new Scalar(-rate));
    }
  }

  /** v ← μv + g, w ← w - η(g + μv). */
  static final class Nesterov extends Optimiser {
    private final double momentum;

    Nesterov(Weights weights, double momentum, double weightDecay) {
      super(weights, weightDecay, "momentum");
      this.momentum = momentum;
    }

    @Override
    void update(String name, Tensor t, Tensor gradient, double rate) {
      Tensor v = memory.get("momentum/" + name);
      v.mul_(new Scalar(momentum)).add_(gradient);
      t.add_(gradient, new Scalar(-rate)).add_(v, new Scalar(-rate * momentum));
    }
  }

  /** Adam (Kingma and Ba, 2015) with β = (0.9, 0.999) and ε = 1e-8. */
  static final class Adam extends Optimiser {
    private static final double BETA1 = 0.9;
    private static final double BETA2 = 0.999;
    private long steps;

    Adam(Weights weights, double weightDecay) {
      super(weights, weightDecay, "first", "second");
    }

    @Override
    void before() {
      steps++;
    }

    @Override
    void update(String name, Tensor t, Tensor gradient, double rate) {
      Tensor m = memory.get("first/" + name);
      Tensor v = memory.get("second/" + name);
      m.mul_(new Scalar(BETA1)).add_(gradient, new Scalar(1 - BETA1));
      v.mul_(new Scalar(BETA2)).addcmul_(gradient, gradient, new Scalar(1 - BETA2));
      double c1 = 1 - Math.pow(BETA1, (double) steps);
      double c2 = Math.sqrt(1 - Math.pow(BETA2, (double) steps));
      Tensor root = torch.sqrt(v).add_(new Scalar(1e-8 * c2));
      t.addcdiv_(m, root, new Scalar(-rate * c2 / c1));
    }

    @Override
    public long steps() {
      return steps;
    }

    @Override
    public void steps(long n) {
      steps = n;
    }
  }
}
