package org.orbitmap.nn.train;

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
import org.orbitmap.network.Networks;
import org.orbitmap.nn.layer.BatchMapping;
import org.orbitmap.nn.model.Evaluation;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.scheme.TrainingStep;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/** What training and testing cost on this machine; each figure is the best of several rounds. */
public final class TrainingBench {
  private static final int BATCH = 128;
  private static final int SIDE = 32;
  private static final int CLASSES = 10;

  private static final InputShape.Images SHAPE = new InputShape.Images(3, SIDE, SIDE);
  private static final MappingConfig MAPPED =
      MappingConfig.NONE.when(MappingConfig.Use.TRAIN_AND_TEST);

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
    ImageSet set = noise(BATCH);
    Model<Image> plain = model("convnet", 1, MappingConfig.NONE);
    Model<Image> mapped = model("convnet", 1, MAPPED);
    // One round of each after the other: what else the machine does hits both alike.
    double[] best = {1e9, 1e9, 1e9};
    double rival = 1e9;
    PyTorchBaseline other = python == null ? null : PyTorchBaseline.start(python, BATCH);
    BatchMapping layer = BatchMapping.of(MAPPED.mapping(SHAPE), SHAPE);
    float[] pixels = pixels(set);
    for (int r = 0; r < rounds; r++) {
      best[0] = Math.min(best[0], seconds(() -> step(plain, set, pixels)));
      best[1] = Math.min(best[1], seconds(() -> step(mapped, set, pixels)));
      best[2] =
          Math.min(
              best[2],
              seconds(
                  () ->
                      NativeScope.inference(
                          () -> layer.map(Tensors.of(pixels, BATCH, 3, SIDE, SIDE)).numel())));
      if (other != null) {
        rival = Math.min(rival, other.step());
      }
      progress.update(r + 1, 2L * rounds);
    }
    figures.add(new Figure("convnet-train", BATCH / best[0], "images/s"));
    if (other != null) {
      other.close();
      String name = "convnet-train-python-" + other.version();
      figures.add(new Figure(name, BATCH / rival, "images/s"));
      figures.add(new Figure("train-over-python", rival / best[0], "times"));
    }
    figures.add(new Figure("convnet-train-mapped", BATCH / best[1], "images/s"));
    figures.add(new Figure("mapping-share-of-epoch", 100 * best[2] / best[0], "%"));
    figures.add(
        new Figure("evaluation-over-forward", evaluation(plain, rounds, progress), "times"));
    figures.add(new Figure("memory-growth", growth(steps), "MB in " + steps + " steps"));
    return figures;
  }

  private static Model<Image> model(String network, double widthFactor, MappingConfig mapping) {
    Architecture a =
        new Architecture(Networks.named(network), widthFactor, false, Map.of(), SHAPE, CLASSES);
    List<String> classes = IntStream.range(0, CLASSES).mapToObj(Integer::toString).toList();
    float[] half = {.5f, .5f, .5f};
    return Model.of(new Model.Description(a, classes, half, half, mapping), 1).taking(SHAPE);
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

  private static void step(Model<Image> model, ImageSet set, float[] pixels) {
    float loss =
        NativeScope.scoped(
            () -> {
              Tensor x = Tensors.of(pixels, SHAPE.batch(set.size()));
              Tensor y = Tensors.ofLabels(set.labels(), set.size());
              Tensor l = new TrainingStep(model, x, y, new SplittableRandom(1)).crossEntropy(x);
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
      progress.update(rounds + r + 1L, 2L * rounds);
    }
    return bestTurned / bestBare;
  }

  /** How much the process grows over training steps of a small network, after a warm-up. */
  private static double growth(int steps) {
    int threads = Engine.threads();
    Engine.threads(1); // so small a network: more threads only wait for each other
    ImageSet set = noise(8);
    float[] pixels = pixels(set);
    Model<Image> model = model("resnet18", 0.125, MAPPED);
    Optimiser optimiser = new Optimiser.Adam(model.weights(), 0);
    double before = 0;
    int warm = steps / 2; // until the Java heap has its size
    for (int i = 0; i < steps + warm; i++) {
      if (i == warm) {
        before = residentMegabytes();
      }
      step(model, set, pixels);
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
