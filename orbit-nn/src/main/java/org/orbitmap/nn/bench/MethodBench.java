package org.orbitmap.nn.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.eval.Progress;
import org.orbitmap.image.Image;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.scheme.Attack;
import org.orbitmap.nn.scheme.Schemes;
import org.orbitmap.nn.scheme.TrainingStep;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.nn.train.Optimiser;
import org.orbitmap.nn.train.TrainConfig.Method;

/**
 * What methods for invariance cost beside plain training, as multiples measured in one process: one
 * step of each in turn, round after round, on one thread, and the least processor time of each
 * counts, so that what else the machine does matters little and hits all alike.
 */
public final class MethodBench {
  private static final InputShape.Images SHAPE = new InputShape.Images(3, 32, 32);
  private static final int CLASSES = 10;

  private MethodBench() {}

  /**
   * A method.
   *
   * @param name what it is called
   * @param front before the network; empty for none
   * @param tiPooling whether features are pooled over quarter turns
   * @param scheme of training
   * @param mapped whether an orbit mapping stands in front, in training and test
   */
  public record Rival(String name, String front, boolean tiPooling, String scheme, boolean mapped) {
    static final List<Rival> ALL =
        List.of(
            new Rival("std", "", false, "std", false),
            new Rival("om", "", false, "std", true),
            new Rival("stn", "stn", false, "std", false),
            new Rival("etn", "etn", false, "std", false),
            new Rival("canonicaliser", "canonicaliser", false, "std", false),
            new Rival("augerino", "augerino", false, "std", false),
            new Rival("tipool", "", true, "std", false),
            new Rival("adv", "", false, "adv", false),
            new Rival("mixed", "", false, "mixed", false),
            new Rival("adv-kl", "", false, "adv-kl", false),
            new Rival("adv-alp", "", false, "adv-alp", false));
  }

  /**
   * What a method costs.
   *
   * @param method its name
   * @param stepSeconds of one thread, for a step of training on a batch
   * @param inferenceSeconds likewise, for the class scores of a batch
   */
  public record Cost(String method, double stepSeconds, double inferenceSeconds) {}

  /**
   * Measures all methods on noise as large as CIFAR-10.
   *
   * @param network behind or without the fronts
   * @param widthFactor of its channels
   * @param rounds of every measurement; the best counts
   */
  public static List<Cost> run(
      String network, double widthFactor, int batch, int rounds, Progress progress) {
    int n = Rival.ALL.size();
    float[] pixels = new float[batch * SHAPE.length()];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (float) random.nextDouble();
    }
    List<Model<Image>> models = new ArrayList<>();
    List<Optimiser> optimisers = new ArrayList<>();
    for (Rival rival : Rival.ALL) {
      models.add(model(rival, network, widthFactor));
      optimisers.add(Optimiser.of(Method.sgd(1e-4, 5e-4), models.get(models.size() - 1).weights()));
    }
    double[] steps = new double[n];
    double[] answers = new double[n];
    Arrays.fill(steps, Double.POSITIVE_INFINITY);
    Arrays.fill(answers, Double.POSITIVE_INFINITY);
    int threads = Engine.threads();
    Engine.threads(1);
    for (int r = 0; r < rounds; r++) {
      for (int k = 0; k < n; k++) {
        int i = k;
        steps[k] =
            Math.min(
                steps[k],
                seconds(
                    () -> step(Rival.ALL.get(i), models.get(i), optimisers.get(i), pixels, batch)));
        answers[k] =
            Math.min(
                answers[k],
                seconds(
                    () ->
                        NativeScope.inference(
                            () ->
                                Tensors.toArray(
                                    models
                                        .get(i)
                                        .logits(Tensors.of(pixels, SHAPE.batch(batch)))))));
        progress.update((long) r * n + k + 1, (long) rounds * n);
      }
    }
    Engine.threads(threads);
    return IntStream.range(0, n)
        .mapToObj(k -> new Cost(Rival.ALL.get(k).name(), steps[k], answers[k]))
        .toList();
  }

  private static Model<Image> model(Rival rival, String network, double widthFactor) {
    String name = (rival.front().isEmpty() ? "" : rival.front() + "+") + network;
    Architecture a =
        new Architecture(
            Networks.named(name), widthFactor, rival.tiPooling(), Map.of(), SHAPE, CLASSES);
    List<String> classes = IntStream.range(0, CLASSES).mapToObj(Integer::toString).toList();
    float[] half = {.5f, .5f, .5f};
    MappingConfig mapping = MappingConfig.NONE.when(rival.mapped() ? Use.TRAIN_AND_TEST : Use.NONE);
    return Model.of(new Model.Description(a, classes, half, half, mapping), 1).taking(SHAPE);
  }

  private static void step(
      Rival rival, Model<Image> model, Optimiser optimiser, float[] pixels, int batch) {
    int[] labels = IntStream.range(0, batch).map(i -> i % CLASSES).toArray();
    float loss =
        NativeScope.scoped(
            () -> {
              Tensor x = Tensors.of(pixels, SHAPE.batch(batch));
              Tensor y = Tensors.ofLabels(labels, batch);
              TrainingStep step =
                  new TrainingStep(model, x, y, Attack.PAPER, new SplittableRandom(1));
              Tensor l = step.withPenalties(Schemes.named(rival.scheme()).loss(step));
              l.backward();
              optimiser.step(1e-4);
              return l.item_float();
            });
    model.weights().zeroGradients();
    if (Float.isNaN(loss)) {
      throw new IllegalStateException(rival.name() + ": the loss is not a number");
    }
  }

  /** The processor time of this thread. */
  private static double seconds(Runnable work) {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long start = clock.getCurrentThreadCpuTime();
    work.run();
    return (clock.getCurrentThreadCpuTime() - start) / 1e9;
  }
}
