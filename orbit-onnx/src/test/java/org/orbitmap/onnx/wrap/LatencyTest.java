package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.onnx.export.NetworkExport;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.graph.OnnxFileTest;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightSettings;

/**
 * What wrapping costs. A measurement, not a test of the build, as it needs a quiet machine: {@code
 * mvn test -pl orbit-onnx -am -Dtest=LatencyTest -Dorbit.long=true
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
class LatencyTest {
  /** A ResNet-18 for small images with random weights. */
  static OnnxFile resnet18(int size) throws IOException {
    Architecture resnet =
        Architecture.of(Networks.named("resnet18"), new InputShape.Images(3, size, size), 10);
    Random random = new Random(1);
    Map<String, FloatTensor> weights = new HashMap<>();
    for (Parameter p : resnet.declare().parameters()) {
      float[] values = new float[Math.toIntExact(p.count())];
      for (int i = 0; i < values.length; i++) {
        values[i] =
            (float) (p.initial().value() + p.initial().bound() * (2 * random.nextDouble() - 1));
      }
      weights.put(p.name(), new FloatTensor(p.shape(), values));
    }
    return NetworkExport.export(resnet.input(), weights, resnet::scores);
  }

  @Test
  void whatWrappingAdds() throws Exception {
    assumeTrue(Boolean.getBoolean("orbit.long"), "a measurement: -Dorbit.long=true");
    // The mapping in front of a model that does nothing: what it costs, apart from the model's own
    // time, which varies by more than that.
    OnnxFile small = nothing(17, 64, 32);
    double[] added =
        compare(
            small,
            Wrap.of(small).mapping(RotationMapping.disc()).build(),
            new long[] {64, 3, 32, 32},
            6,
            50);
    print("nothing, 64 x 3 x 32 x 32, opset 17", added);
    OnnxFile resnet = resnet18(32);
    double[] batch =
        compare(
            resnet,
            Wrap.of(resnet).mapping(RotationMapping.disc()).frames(1).build(),
            new long[] {64, 3, 32, 32},
            6,
            4);
    print("ResNet-18, 64 x 3 x 32 x 32, opset 17", batch);
    System.out.println(
        String.format(
            Locale.ROOT,
            "the mapping alone: %.2f %% of the ResNet-18",
            100 * (added[1] - added[0]) / batch[0]));
    assertThat((added[1] - added[0]) / batch[0]).isLessThan(0.05);
    assertThat(batch[1] / batch[0]).isLessThan(1.05);
    for (int opset : new int[] {17, 13}) {
      OnnxFile large = nothing(opset, 1, 224);
      double[] ms =
          compare(
              large,
              Wrap.of(large).mapping(RotationMapping.disc()).build(),
              new long[] {1, 3, 224, 224},
              12,
              400);
      print("nothing, 1 x 3 x 224 x 224, opset " + opset, ms);
      assertThat(ms[1] - ms[0]).isLessThan(opset == 17 ? 1.0 : 3.0);
    }
  }

  /**
   * What the predictor of an upright mapping, and a restorer, add to the mapping below, on one
   * core.
   */
  @Test
  void whatUprightAdds() throws Exception {
    assumeTrue(Boolean.getBoolean("orbit.long"), "a measurement: -Dorbit.long=true");
    OnnxFile large = nothing(17, 1, 224);
    OnnxFile resnet = resnet18(32);
    SoftAssertions goals = new SoftAssertions();
    for (String restorer : new String[] {"", "fine-5x32"}) {
      UprightMapping<?> one = UprightMapping.of(random(restorer), Resampling.BILINEAR);
      for (boolean both : new boolean[] {false, true}) {
        UprightMapping<?> upright = both ? one.onBothSides() : one;
        String what =
            (both ? "both sides, as with mirrors" : "one side")
                + (restorer.isEmpty() ? "" : ", restored by " + restorer);
        double[] ms =
            compare(
                Wrap.of(large).mapping(RotationMapping.disc()).build(),
                Wrap.of(large).mapping(upright).frames(1).build(),
                new long[] {1, 3, 224, 224},
                12,
                restorer.isEmpty() ? 100 : 10,
                OnnxModel.Threads.ACROSS);
        print("disc and upright, %s, 1 x 3 x 224 x 224, opset 17, one core".formatted(what), ms);
        double[] small =
            compare(
                Wrap.of(resnet).mapping(RotationMapping.disc()).frames(1).build(),
                Wrap.of(resnet).mapping(upright).frames(1).build(),
                new long[] {1, 3, 32, 32},
                12,
                40,
                OnnxModel.Threads.ACROSS);
        print("ResNet-18 behind disc and upright, %s, 1 x 3 x 32 x 32".formatted(what), small);
        if (restorer.isEmpty()) {
          goals.assertThat(small[1] / small[0]).as(what).isLessThan(1.25);
          goals.assertThat(ms[1] - ms[0]).as(what).isLessThan(2.0);
        }
      }
    }
    goals.assertAll();
  }

  private static FittedUpright random(String restorer) {
    return FittedUpright.random(
        new UprightSettings(
            "so2", "disc", "upright-p4", 1, 3, 32, 72, 1, Interpolation.BICUBIC, 0.5f, restorer),
        1);
  }

  private static OnnxFile nothing(int opset, int n, int size) throws IOException {
    return OnnxFile.of(
        "adding", OnnxFileTest.adding(opset, OnnxFileTest.number(0), n, 3, size, size));
  }

  private static void print(String what, double[] ms) {
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s: bare %.3f ms, wrapped %.3f ms, added %.3f ms = %.2f %%",
            what,
            ms[0],
            ms[1],
            ms[1] - ms[0],
            100 * (ms[1] / ms[0] - 1)));
  }

  /**
   * Least milliseconds of each, in turns of {@code calls} calls. Only one of them is open at a
   * time: the idle threads of a second session spin, and would take a core away from the first.
   */
  private static double[] compare(
      OnnxFile bare, OnnxFile wrapped, long[] shape, int rounds, int calls) throws IOException {
    return compare(bare, wrapped, shape, rounds, calls, OnnxModel.Threads.WITHIN);
  }

  private static double[] compare(
      OnnxFile bare,
      OnnxFile wrapped,
      long[] shape,
      int rounds,
      int calls,
      OnnxModel.Threads threads)
      throws IOException {
    int n = 1;
    for (long s : shape) {
      n = Math.toIntExact(n * s);
    }
    float[] x = new float[n];
    Random random = new Random(2);
    for (int i = 0; i < n; i++) {
      x[i] = random.nextFloat();
    }
    Map<String, OnnxModel.Feed> feed =
        Map.of(bare.inputs().get(0).name(), new OnnxModel.Feed(shape, x));
    double[] least = {Double.MAX_VALUE, Double.MAX_VALUE};
    for (int r = 0; r < rounds; r++) {
      for (int turn = 0; turn < 2; turn++) {
        int k = (turn + r) % 2;
        try (OnnxModel model = OnnxModel.open(k == 0 ? bare : wrapped, threads)) {
          for (int c = 0; c < calls; c++) {
            long start = System.nanoTime();
            model.run(feed);
            least[k] = Math.min(least[k], (System.nanoTime() - start) / 1e6);
          }
        }
      }
    }
    return least;
  }
}
