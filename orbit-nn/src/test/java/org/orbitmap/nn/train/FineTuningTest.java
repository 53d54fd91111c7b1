package org.orbitmap.nn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Parameter;
import org.orbitmap.nn.layer.Weights;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.nn.train.TrainConfig.Keep;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.TrainConfig.Net;

/** Weights that are given, parts that learn otherwise, batches in several passes. */
class FineTuningTest {
  private static DataSet<?> data;

  @TempDir Path folder;

  @BeforeAll
  static void data() throws IOException {
    data = DataSets.load("glyphs", null, Split.TRAIN, Choice.ALL.withLimit(96));
  }

  private static TrainConfig config() {
    return TrainConfig.glyphs()
        .with(
            c ->
                c.limit(96)
                    .network(Net.of("resnet18").widthFactor(0.0625))
                    .optimiser(Method.sgd(0.01, 0))
                    .schedule(Schedule.exponential(0.9, 0))
                    .epochs(2)
                    .batch(16)
                    .validation(0)
                    .keep(Keep.LAST)
                    .threads(1));
  }

  private Map<String, FloatTensor> train(TrainConfig config, String name) throws IOException {
    Path run = folder.resolve(name);
    Trainer.of(config, data).start(run);
    return Safetensors.read(new RunFolder(run).modelFile()).tensors();
  }

  private static TrainConfig tuned(FineTuning how) {
    return config().with(c -> c.fineTuning(how));
  }

  @Test
  void frozenPartsStay() throws IOException {
    Map<String, FloatTensor> start = train(config().with(c -> c.epochs(1)), "start");
    Path weights = new RunFolder(folder.resolve("start")).modelFile();
    FineTuning how = FineTuning.NONE.frozen("stem", "stage1");
    Map<String, FloatTensor> end =
        train(tuned(how).with(c -> c.weights(weights.toString())), "frozen");
    end.forEach(
        (name, t) -> {
          boolean stays = name.matches("(stem|stage1)\\..*");
          assertThat(t.equals(start.get(name))).as(name).isEqualTo(stays);
        });
    Map<String, FloatTensor> measured =
        train(
            tuned(how.frozenStatistics(true)).with(c -> c.weights(weights.toString())),
            "statistics");
    measured.forEach(
        (name, t) -> {
          boolean stays = name.matches("(stem|stage1)\\..*|.*running_.*");
          assertThat(t.equals(start.get(name))).as(name).isEqualTo(stays);
        });
  }

  /** Stopped before the first checkpoint and after it. */
  @Test
  void resumingEndsWithTheSameBits() throws IOException {
    train(config().with(c -> c.epochs(1)), "start");
    Path weights = new RunFolder(folder.resolve("start")).modelFile();
    FineTuning how =
        FineTuning.NONE.frozen("stem").rate("head", 10).rate("stage4", 2).accumulate(3).clip(0.05);
    TrainConfig config =
        tuned(how).with(c -> c.weights(weights.toString()).optimiser(Method.adam(1e-3, 1e-4)));
    Map<String, FloatTensor> whole = train(config, "whole");
    for (int steps : new int[] {3, 9}) { // of 6 in an epoch
      Path run = folder.resolve("stopped" + steps);
      TrainingListener stops =
          new TrainingListener() {
            @Override
            public void progress(long done, long total) {
              if (done >= 16L * steps) {
                Thread.currentThread().interrupt();
              }
            }
          };
      assertThatThrownBy(() -> Trainer.of(config, data).listener(stops).start(run))
          .hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
      TrainConfig read = new RunFolder(run).config();
      assertThat(read).isEqualTo(config);
      Trainer.of(read, data).resume(run);
      assertThat(Safetensors.read(new RunFolder(run).modelFile()).tensors()).isEqualTo(whole);
    }
  }

  /** Without batch statistics a batch in four passes is the batch. */
  @Test
  void passesAddUp() throws IOException {
    TrainConfig plain = config().with(c -> c.network(Net.of("convnet").widthFactor(0.125)));
    Map<String, FloatTensor> once = train(plain, "once");
    Map<String, FloatTensor> passes =
        train(plain.with(c -> c.fineTuning(FineTuning.NONE.accumulate(4))), "passes");
    once.forEach(
        (name, t) ->
            assertThat(passes.get(name).values())
                .as(name)
                .containsExactly(t.values(), offset(1e-5f)));
  }

  @Test
  void ratesAreFactors() throws IOException {
    FineTuning how = FineTuning.NONE.rate("stage2", 3).rate("stage2.block1", 0.5);
    assertThat(how.rate("stage2.block1.conv1.weight")).isEqualTo(0.5);
    assertThat(how.rate("stage2.block2.conv1.weight")).isEqualTo(3);
    assertThat(how.rate("stage22.weight")).isEqualTo(1);
    Weights weights =
        new Weights(
            List.of(
                new Parameter("a.w", new long[] {1}, Initial.constant(1), true),
                new Parameter("b.w", new long[] {1}, Initial.constant(1), true)),
            0);
    Optimiser sgd = new Optimiser.Sgd(weights, 0, 0).with(FineTuning.NONE.rate("b", 0.1));
    step(weights, sgd);
    assertThat(Tensors.copyOf(weights.get("a.w")).values()[0]).isEqualTo(0.8f, offset(1e-6f));
    assertThat(Tensors.copyOf(weights.get("b.w")).values()[0]).isEqualTo(0.98f, offset(1e-6f));
  }

  private static void step(Weights weights, Optimiser optimiser) {
    NativeScope.scoped(
        () -> {
          Tensor sum = null;
          for (Tensor w : weights.parameters().values()) {
            Tensor square = torch.mul(w, w).sum();
            sum = sum == null ? square : sum.add(square);
          }
          sum.backward();
          optimiser.step(0.1);
          return null;
        });
  }

  /** Of two rows with gradients 2w, clipped to λ|w|: w - 0.1·λ·w; the last layer is left out. */
  @Test
  void gradientsAreClippedByUnit() {
    Map<String, FloatTensor> values = new LinkedHashMap<>();
    values.put("a.w", new FloatTensor(new long[] {2, 2}, new float[] {3, 4, 0, 1e-5f}));
    values.put("head.w", new FloatTensor(new long[] {2, 2}, new float[] {3, 4, 0, 1}));
    Weights weights =
        new Weights(
            values.keySet().stream()
                .map(n -> new Parameter(n, new long[] {2, 2}, Initial.constant(1), true))
                .toList(),
            0);
    weights.restore(values);
    step(weights, new Optimiser.Sgd(weights, 0, 0).with(FineTuning.NONE.clip(0.1)));
    Offset<Float> rounding = offset(1e-6f);
    // short weights count as 10⁻³ long, and their gradient of 2·10⁻⁵ is shorter than λ of that
    assertThat(Tensors.copyOf(weights.get("a.w")).values())
        .containsExactly(new float[] {2.97f, 3.96f, 0, 0.8e-5f}, rounding);
    assertThat(Tensors.copyOf(weights.get("head.w")).values())
        .containsExactly(new float[] {2.4f, 3.2f, 0, 0.8f}, rounding);
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> train(tuned(FineTuning.NONE.frozen("stagex")), "x"))
        .hasMessageContaining("expected parts of the network")
        .hasMessageContaining("found stagex");
    assertThatThrownBy(
            () ->
                train(
                    tuned(
                        FineTuning.NONE.frozen(
                            "stem", "stage1", "stage2", "stage3", "stage4", "head")),
                    "y"))
        .hasMessageContaining("something left to train");
    assertThatThrownBy(() -> config().changed(Map.of("fine-tuning.rates.head", "-1")))
        .hasMessageContaining("factor in (0, 1e6]");
    assertThatThrownBy(() -> config().changed(Map.of("fine-tuning.accumulate", "17")))
        .hasMessageContaining("at most 16 passes");
    assertThat(config().changed(Map.of("fine-tuning.rates.head", "10")).fineTuning().rates())
        .isEqualTo(Map.of("head", "10"));
    assertThatThrownBy(() -> train(config().changed(Map.of("fine-tuning.precision", "half")), "z"))
        .hasMessageContaining("needs a GPU");
  }
}
