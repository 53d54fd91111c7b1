package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.orbitmap.app.model.ModelExport;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Image;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.nn.train.Optimiser;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/**
 * What steerable layers cost beside ordinary ones: the same network with kernels that are
 * parameters themselves.
 *
 * <pre>
 * mvn test -pl orbit-app -am -Dtest=SteerableCostTest -Dorbit.long=true \
 *     -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class SteerableCostTest {
  private static final int BATCH = 64;
  private static final double WIDTH = Double.parseDouble(System.getProperty("orbit.width", "0.25"));

  /** The same layers; every derived kernel is a parameter, every field a number of channels. */
  private record Plain(Network steerable) implements Network {
    @Override
    public String name() {
      return "plain-" + steerable.name();
    }

    @Override
    public String takes() {
      return "images";
    }

    @Override
    public <T> T features(Operations<T> ops, T x, Architecture settings) {
      return steerable.features(plain(ops), x, settings);
    }
  }

  @SuppressWarnings("unchecked") // a proxy of the same interface
  private static <T> Operations<T> plain(Operations<T> ops) {
    return (Operations<T>)
        Proxy.newProxyInstance(
            Operations.class.getClassLoader(),
            new Class<?>[] {Operations.class},
            (proxy, method, args) -> {
              if (method.getName().equals("derived")) {
                int[] axes = kernel((Operations.Derivation) args[1]);
                long fanIn = (long) axes[1] * axes[2] * axes[3];
                return ops.parameter((String) args[0], Initial.he(fanIn), axes);
              }
              if (method.getName().equals("batchNorm") && args.length == 3) {
                return ops.batchNorm((T) args[0], (String) args[1]);
              }
              try {
                return method.invoke(ops, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static int[] kernel(Operations.Derivation how) {
    return how.of(new Declaration()).axes();
  }

  private static Model<Image> model(Network network, double width) {
    InputShape.Images digits = new InputShape.Images(1, 28, 28);
    Model<?> model =
        Model.of(
            new Model.Description(
                new Architecture(network, width, false, Map.of(), digits, 10),
                IntStream.range(0, 10).mapToObj(Integer::toString).toList(),
                new float[] {0.13f},
                new float[] {0.3f},
                MappingConfig.NONE),
            1);
    return model.taking(digits);
  }

  private static float[] noise(int n) {
    SplittableRandom random = new SplittableRandom(2);
    float[] x = new float[n * 28 * 28];
    for (int i = 0; i < x.length; i++) {
      x[i] = random.nextFloat();
    }
    return x;
  }

  /** Seconds of one step: forward, backward, Adam. */
  private static double step(Model<Image> model, Optimiser optimiser, float[] x) {
    int n = x.length / (28 * 28);
    int[] labels = IntStream.range(0, n).map(i -> i % 10).toArray();
    long start = System.nanoTime();
    NativeScope.scoped(
        () -> {
          Tensor y = model.train(Tensors.of(x, n, 1, 28, 28), new SplittableRandom(1)).logits();
          torch.cross_entropy(y, Tensors.ofLabels(labels, n)).backward();
          optimiser.step(1e-4);
          model.weights().zeroGradients();
          return true;
        });
    return (System.nanoTime() - start) / 1e9;
  }

  @Test
  void fullSizeStepsAreMeasured() {
    assumeTrue(Boolean.getBoolean("orbit.long"), "a measurement: -Dorbit.long=true");
    for (String name : List.of("e2cnn-d4c4", "e2cnn-d16c16")) {
      Model<Image> model = model(Networks.named(name), 1);
      Optimiser optimiser = Optimiser.of(Method.adam(1e-4, 1e-7).l1(1e-7), model.weights());
      double seconds = step(model, optimiser, noise(BATCH));
      System.out.printf(
          "%s, full width: %,d parameters, one step of %d digits %.1f s%n",
          name, model.parameters(), BATCH, seconds);
      double expansion = expansion(model);
      System.out.printf("  of that expanding the kernels, both ways: %.2f s%n", expansion);
      assertThat(expansion).isLessThan(0.3 * seconds);
    }
  }

  /** Seconds to expand all kernels of a network with gradients. */
  private static double expansion(Model<Image> model) {
    List<Operations.Derivation> kernels = new ArrayList<>();
    Declaration shapes = new Declaration();
    @SuppressWarnings("unchecked") // a proxy of the same interface
    Operations<Declaration.Shape> listening =
        (Operations<Declaration.Shape>)
            Proxy.newProxyInstance(
                Operations.class.getClassLoader(),
                new Class<?>[] {Operations.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("derived")) {
                    kernels.add((Operations.Derivation) args[1]);
                  }
                  return method.invoke(shapes, args);
                });
    Architecture a = model.description().architecture();
    a.scores(listening, Declaration.Shape.of(a.input().axes()));
    double least = Double.POSITIVE_INFINITY;
    for (int round = 0; round < 3; round++) {
      long start = System.nanoTime();
      for (int k = 0; k < kernels.size(); k++) {
        String name = "kernel" + k;
        Operations.Derivation kernel = kernels.get(k);
        NativeScope.scoped(
            () -> {
              TorchOperations ops =
                  TorchOperations.training(model.weights(), new SplittableRandom(1));
              Tensor t = ops.derived(name, kernel);
              t.mul(t).sum().backward();
              return true;
            });
      }
      model.weights().zeroGradients();
      least = Math.min(least, (System.nanoTime() - start) / 1e9);
    }
    return least;
  }

  @Test
  void trainingIsNearlyAsFastAsThatOfAnOrdinaryNetwork() {
    assumeTrue(Boolean.getBoolean("orbit.long"), "a measurement: -Dorbit.long=true");
    Map<Network, Double> least = new LinkedHashMap<>();
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (String name : List.of("e2cnn-d4c4", "e2cnn-d16c16")) {
      List<Network> pair = List.of(Networks.named(name), new Plain(Networks.named(name)));
      List<Model<Image>> models = pair.stream().map(n -> model(n, WIDTH)).toList();
      List<Optimiser> optimisers =
          models.stream().map(m -> Optimiser.of(Method.adam(1e-4, 0), m.weights())).toList();
      for (int round = 0; round < 5; round++) {
        for (int k = 0; k < 2; k++) {
          double seconds = step(models.get(k), optimisers.get(k), noise(BATCH));
          least.merge(pair.get(k), seconds, Math::min);
        }
      }
      double ratio = least.get(pair.get(0)) / least.get(pair.get(1));
      System.out.printf(
          "%s, width factor %s, a step of %d: %.2f s, plain %.2f s, ratio %.3f; expansion %.3f s%n",
          name,
          WIDTH,
          BATCH,
          least.get(pair.get(0)),
          least.get(pair.get(1)),
          ratio,
          expansion(models.get(0)));
      ratios.put(name, ratio);
    }
    assertThat(ratios.values()).allMatch(ratio -> ratio < 1.3, "less than 1.3");
  }

  @Test
  void anExportedNetworkIsAsFastAsAnOrdinaryOne() throws Exception {
    assumeTrue(Boolean.getBoolean("orbit.long"), "a measurement: -Dorbit.long=true");
    Network steerable = Networks.named("e2cnn-d16c16");
    float[] pixels = noise(16);
    List<Image> images =
        IntStream.range(0, 16)
            .mapToObj(i -> new Image(1, 28, 28, Arrays.copyOfRange(pixels, i * 784, (i + 1) * 784)))
            .toList();
    double[] least = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    List<OnnxModel> opened = new ArrayList<>();
    List<Classifier<Image>> classifiers = new ArrayList<>();
    for (Network network : List.of(steerable, new Plain(steerable))) {
      OnnxFile file = ModelExport.export(model(network, WIDTH));
      ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
      OnnxModel onnx = OnnxModel.open(file);
      opened.add(onnx);
      classifiers.add(onnx.classifier(input, Preprocessing.NONE, "probabilities"));
    }
    for (int round = 0; round < 30; round++) {
      for (int k = 0; k < 2; k++) {
        long start = System.nanoTime();
        classifiers.get(k).scores(images);
        least[k] = Math.min(least[k], (System.nanoTime() - start) / 1e9);
      }
    }
    for (OnnxModel onnx : opened) {
      onnx.close();
    }
    System.out.printf(
        "e2cnn-d16c16, width factor %s, ONNX Runtime, 16 digits: %.4f s, plain %.4f s, ratio"
            + " %.3f%n",
        WIDTH, least[0], least[1], least[0] / least[1]);
    assertThat(least[0] / least[1]).isLessThan(1.05);
  }
}
