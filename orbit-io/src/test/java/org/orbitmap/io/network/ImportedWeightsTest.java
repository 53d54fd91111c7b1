package org.orbitmap.io.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.UserError;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.zoo.Networks;

/** Every tensor of a stranger's file finds its place by name and shape, or the file is refused. */
class ImportedWeightsTest {
  @TempDir Path folder;

  private static Architecture convnet(int classes) {
    return new Architecture(
        Networks.named("convnet"), 0.05, false, Map.of(), new InputShape.Images(3, 9, 9), classes);
  }

  /** Weights of a network; each number is another. */
  private static Map<String, FloatTensor> weights(Architecture architecture) {
    Map<String, FloatTensor> all = new LinkedHashMap<>();
    int next = 0;
    for (Parameter p : architecture.declare().parameters()) {
      float[] values = new float[Math.toIntExact(p.count())];
      for (int i = 0; i < values.length; i++) {
        values[i] = next++;
      }
      all.put(p.name(), new FloatTensor(p.shape(), values));
    }
    return all;
  }

  private static Map<String, FloatTensor> renamed(
      Map<String, FloatTensor> tensors, UnaryOperator<String> name) {
    Map<String, FloatTensor> all = new LinkedHashMap<>();
    tensors.forEach((n, t) -> all.put(name.apply(n), t));
    return all;
  }

  private Path file(Map<String, FloatTensor> tensors) throws IOException {
    Path file = folder.resolve("w.safetensors");
    new Safetensors(Map.of(), tensors).write(file);
    return file;
  }

  private boolean fits(Map<String, FloatTensor> tensors, Architecture architecture)
      throws IOException {
    try (TensorFile opened = TensorFile.open(file(tensors))) {
      return ImportedWeights.fits(opened, architecture);
    }
  }

  private int classes(Map<String, FloatTensor> tensors) throws IOException {
    try (TensorFile opened = TensorFile.open(file(tensors))) {
      return ImportedWeights.classes(opened, Networks.named("convnet"));
    }
  }

  @Test
  void whatWasWrittenIsReadWhateverStandsBefore() throws IOException {
    Map<String, FloatTensor> own = weights(convnet(4));
    for (String prefix : new String[] {"", "module.", "_orig_mod.module."}) {
      Map<String, FloatTensor> named = renamed(own, n -> prefix + n);
      named.put(prefix + "norm.num_batches_tracked", new FloatTensor(new long[0], new float[] {7}));
      ImportedWeights read = ImportedWeights.read(file(named), convnet(4));
      assertThat(read.tensors()).isEqualTo(own);
      assertThat(read.newHead()).isFalse();
      assertThat(fits(named, convnet(4))).isTrue();
      assertThat(classes(named)).isEqualTo(4);
    }
  }

  @Test
  void aWrapperIsOneBeforeAllNames() throws IOException {
    Map<String, FloatTensor> mixed =
        renamed(weights(convnet(4)), n -> n.startsWith("head") ? n : "module." + n);
    assertThat(fits(mixed, convnet(4))).isFalse();
  }

  @Test
  void ofAnotherLastLayerNothingIsTaken() throws IOException {
    Map<String, FloatTensor> own = weights(convnet(4));
    ImportedWeights read = ImportedWeights.read(file(own), convnet(3));
    assertThat(read.newHead()).isTrue();
    assertThat(read.tensors())
        .containsOnlyKeys(own.keySet().stream().filter(n -> !n.startsWith("head.")).toList());
    own.remove("head.bias"); // its weight would fit
    assertThat(ImportedWeights.read(file(own), convnet(4)).tensors())
        .doesNotContainKey("head.weight");
    assertThat(classes(own)).isZero();
  }

  @Test
  void classesAreThoseOfAVector() throws IOException {
    Map<String, FloatTensor> own = weights(convnet(4));
    own.put("head.bias", new FloatTensor(new long[] {2, 2}, new float[4]));
    assertThat(classes(own)).isZero();
  }

  @Test
  void axesOfLengthOneDoNotCount() throws IOException {
    Map<String, FloatTensor> own = weights(convnet(4));
    FloatTensor bias = own.get("conv5.bias");
    own.put("conv5.bias", new FloatTensor(new long[] {1, bias.values().length, 1}, bias.values()));
    FloatTensor read = ImportedWeights.read(file(own), convnet(4)).tensors().get("conv5.bias");
    assertThat(read).isEqualTo(bias);
  }

  @Test
  void whatDoesNotFitIsListed() throws IOException {
    Map<String, FloatTensor> own = weights(convnet(4));
    FloatTensor two = new FloatTensor(new long[] {2}, new float[2]);
    own.remove("conv1.bias");
    own.put("conv2.bias", two);
    for (int i = 1; i <= 5; i++) {
      own.put("more" + i, two);
    }
    Path file = file(own);
    assertThatThrownBy(() -> ImportedWeights.read(file, convnet(4)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("w.safetensors: expected the weights of convnet, width factor 0.05")
        .hasMessageContaining("found 1 missing (conv1.bias); ")
        .hasMessageContaining("5 left over (more1, more2, more3, more4, …); ")
        .hasMessageContaining("1 of another shape (conv2.bias F32 [2] instead of conv2.bias");
    own.remove("more5");
    Path four = file(own);
    assertThatThrownBy(() -> ImportedWeights.read(four, convnet(4)))
        .hasMessageContaining("4 left over (more1, more2, more3, more4); ");
    assertThat(fits(own, convnet(4))).isFalse();
  }

  /** One name of ours and one of torchvision's for the same tensor. */
  @Test
  void twoForOnePlaceAreOneTooMany() throws IOException {
    Architecture resnet =
        new Architecture(
            Networks.named("resnet18"), 0.02, false, Map.of(), new InputShape.Images(3, 8, 8), 4);
    Map<String, FloatTensor> own = weights(resnet);
    own.put("conv1.weight", own.get("stem.weight"));
    Path file = file(own);
    assertThatThrownBy(() -> ImportedWeights.read(file, resnet))
        .hasMessageContaining("found 1 left over (stem.weight)");
  }
}
