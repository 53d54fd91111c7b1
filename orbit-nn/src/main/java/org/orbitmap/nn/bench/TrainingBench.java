package org.orbitmap.nn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.layer.BatchMapping;
import org.orbitmap.nn.model.Evaluation;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.scheme.Attack;
import org.orbitmap.nn.scheme.TrainingStep;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.nn.train.Optimiser;
import org.orbitmap.nn.train.TrainConfig.Method;

/** What training and testing cost on this machine; each figure is the best of several rounds. */
public final class TrainingBench {
  private static final int BATCH = 128;
  private static final int SIDE = 32;
  private static final int CLASSES = 10;

  private static final List<String> POINT_NETWORKS = List.of("pointnet", "pointnet-stn");
  private static final int CLOUD_BATCH = 24;
  private static final int CLOUD_CLASSES = 40;

  private static final InputShape.Images SHAPE = new InputShape.Images(3, SIDE, SIDE);
  private static final InputShape.Clouds CLOUDS = new InputShape.Clouds(1024);
  private static final MappingConfig MAPPED =
      MappingConfig.NONE.when(MappingConfig.Use.TRAIN_AND_TEST);
  private static final MappingConfig MAPPED_CLOUDS = MAPPED.rule("skewness").group("sim3");

  private TrainingBench() {}

  /**
   * One figure.
   *
   * @param name what was measured
   * @param value the figure
   * @param unit its unit
   */
  public record Figure(String name, double value, String unit) {}

  /**
   * Measures.
   *
   * @param rounds of every measurement; the best counts
   * @param steps for the growth of memory
   * @param python a Python with PyTorch that trains the same network, step by step in turn with
   *     this one; null for none
   */
  public static List<Figure> run(int rounds, int steps, Path python, Progress progress)
      throws IOException {
    List<Figure> figures = new ArrayList<>();
    // Half of the progress is training, the rest evaluation.
    int nets = 1 + POINT_NETWORKS.size();
    figures.addAll(
        compare(
            "convnet",
            SHAPE,
            BATCH,
            MAPPED,
            pixels(noise(BATCH)),
            rounds,
            python,
            "",
            0,
            nets,
            progress));
    for (String network : POINT_NETWORKS) {
      figures.addAll(
          compare(
              network,
              CLOUDS,
              CLOUD_BATCH,
              MAPPED_CLOUDS,
              clouds(),
              Math.max(2, rounds / 4),
              python,
              network + "-",
              1 + POINT_NETWORKS.indexOf(network),
              nets,
              progress));
    }
    figures.add(
        new Figure(
            "evaluation-over-forward",
            evaluation(model("convnet", 1, SHAPE, MappingConfig.NONE), rounds, progress),
            "times"));
    figures.add(new Figure("memory-growth", growth(steps), "MB in " + steps + " steps"));
    return figures;
  }

  /**
   * Training steps of one network, bare, mapped and in Python.
   *
   * @param prefix of the names of what stands beside the rates
   * @param which of how many networks it is
   */
  private static <X> List<Figure> compare(
      String network,
      InputShape<X> shape,
      int batch,
      MappingConfig mapping,
      float[] inputs,
      int rounds,
      Path python,
      String prefix,
      int which,
      int of,
      Progress progress)
      throws IOException {
    Model<X> plain = model(network, 1, shape, MappingConfig.NONE);
    Model<X> mapped = model(network, 1, shape, mapping);
    BatchMapping layer = BatchMapping.of(mapping.mapping(shape), shape);
    // One round of each after the other: what else the machine does hits both alike.
    double[] best = {1e9, 1e9, 1e9};
    double rival = 1e9;
    PyTorchBaseline other = python == null ? null : PyTorchBaseline.start(python, network, batch);
    for (int r = 0; r < rounds; r++) {
      best[0] = Math.min(best[0], seconds(() -> step(plain, inputs, batch)));
      best[1] = Math.min(best[1], seconds(() -> step(mapped, inputs, batch)));
      best[2] =
          Math.min(
              best[2],
              seconds(
                  () ->
                      NativeScope.inference(
                          () -> layer.map(Tensors.of(inputs, shape.batch(batch))).numel())));
      if (other != null) {
        rival = Math.min(rival, other.step());
      }
      progress.update(100L * (which * rounds + r + 1) / (of * (long) rounds), 200);
    }
    String unit = shape.kind() + "/s";
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure(network + "-train", batch / best[0], unit));
    if (other != null) {
      other.close();
      String name = network + "-train-python-" + other.version();
      figures.add(new Figure(name, batch / rival, unit));
      figures.add(new Figure(prefix + "train-over-python", rival / best[0], "times"));
    }
    figures.add(new Figure(network + "-train-mapped", batch / best[1], unit));
    figures.add(new Figure(prefix + "mapping-share-of-epoch", 100 * best[2] / best[0], "%"));
    return figures;
  }

  private static float[] clouds() {
    SplittableRandom random = new SplittableRandom(2);
    float[] x = new float[CLOUD_BATCH * CLOUDS.length()];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) ((i % 3 + 1) * random.nextDouble() * random.nextDouble());
    }
    return x;
  }

  private static <X> Model<X> model(
      String network, double widthFactor, InputShape<X> shape, MappingConfig mapping) {
    boolean images = shape instanceof InputShape.Images;
    int count = images ? CLASSES : CLOUD_CLASSES;
    Architecture a =
        new Architecture(Networks.named(network), widthFactor, false, Map.of(), shape, count);
    List<String> classes = IntStream.range(0, count).mapToObj(Integer::toString).toList();
    float[] half = images ? new float[] {.5f, .5f, .5f} : new float[0];
    return Model.of(new Model.Description(a, classes, half, half, mapping), 1).taking(shape);
  }

  private static ImageSet noise(int n) {
    SplittableRandom random = new SplittableRandom(1);
    byte[][] pixels = new byte[n][3 * SIDE * SIDE];
    int[] labels = new int[n];
    for (int i = 0; i < n; i++) {
      random.nextBytes(pixels[i]);
      labels[i] = i % CLASSES;
    }
    List<String> classes = IntStream.range(0, CLASSES).mapToObj(Integer::toString).toList();
    return new ImageSet("noise", classes, 3, SIDE, SIDE, pixels, labels);
  }

  private static float[] pixels(ImageSet set) {
    int size = 3 * SIDE * SIDE;
    float[] pixels = new float[set.size() * size];
    for (int i = 0; i < set.size(); i++) {
      set.copy(i, pixels, i * size);
    }
    return pixels;
  }

  private static void step(Model<?> model, float[] inputs, int batch) {
    int classes = model.description().classes().size();
    int[] labels = IntStream.range(0, batch).map(i -> i % classes).toArray();
    float loss =
        NativeScope.scoped(
            () -> {
              Tensor x = Tensors.of(inputs, model.input().batch(batch));
              Tensor y = Tensors.ofLabels(labels, batch);
              TrainingStep step =
                  new TrainingStep(model, x, y, Attack.PAPER, new SplittableRandom(1));
              Tensor l = step.withPenalties(step.crossEntropy(x));
              l.backward();
              return l.item_float();
            });
    if (Float.isNaN(loss)) {
      throw new IllegalStateException("the benchmark's loss is not a number");
    }
    model.weights().zeroGradients();
  }

  /** The time of an evaluation over angles, in multiples of the bare forward passes. */
  private static double evaluation(Model<Image> model, int rounds, Progress progress) {
    int angles = 8;
    ImageSet set = noise(125);
    List<Image> images = IntStream.range(0, set.size()).mapToObj(set::image).toList();
    double bestTurned = Double.POSITIVE_INFINITY;
    double bestBare = Double.POSITIVE_INFINITY;
    int before = Engine.threads();
    for (int r = 0; r < rounds; r++) {
      double rotated =
          seconds(
              () ->
                  Evaluation.robustness(
                      model,
                      set,
                      AngleSweep.every(360.0 / angles, Resampling.BILINEAR),
                      0,
                      Robustness.TrueClass.NONE,
                      Progress.OFF));
      Engine.threads(1);
      double bare =
          seconds(() -> IntStream.range(0, angles).parallel().forEach(k -> model.scores(images)));
      Engine.threads(before);
      bestTurned = Math.min(bestTurned, rotated);
      bestBare = Math.min(bestBare, bare);
      progress.update(100 + 100L * (r + 1) / rounds, 200);
    }
    return bestTurned / bestBare;
  }

  /** How much the process grows over training steps of a small network, after a warm-up. */
  private static double growth(int steps) {
    int threads = Engine.threads();
    Engine.threads(1); // so small a network: more threads only wait for each other
    ImageSet set = noise(8);
    float[] pixels = pixels(set);
    Model<Image> model = model("resnet18", 0.125, SHAPE, MAPPED);
    Optimiser optimiser = Optimiser.of(Method.adam(1e-4, 0), model.weights());
    double before = 0;
    int warm = steps / 2; // until the Java heap has its size
    for (int i = 0; i < steps + warm; i++) {
      if (i == warm) {
        before = residentMegabytes();
      }
      step(model, pixels, set.size());
      optimiser.step(1e-4);
    }
    Engine.threads(threads);
    return residentMegabytes() - before;
  }

  /** The resident memory of this process; 0 where the system does not tell. */
  static double residentMegabytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
        }
      }
    } catch (IOException e) {
      return 0;
    }
    return 0;
  }

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }
}
