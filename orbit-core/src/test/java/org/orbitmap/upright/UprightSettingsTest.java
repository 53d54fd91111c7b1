package org.orbitmap.upright;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Parameter;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;

/** What upright mappings are made of, and what is refused. */
class UprightSettingsTest {
  private static UprightSettings settings(
      String group, int channels, int size, int bins, int views, float outside) {
    return new UprightSettings(
        group,
        "disc",
        "convnet",
        0.1,
        channels,
        size,
        bins,
        views,
        Interpolation.BILINEAR,
        outside,
        "");
  }

  private static void refused(String what, Runnable made) {
    assertThatThrownBy(made::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("upright " + what + ": expected");
  }

  @Test
  void limits() {
    settings("so2", 1, 2, 4, 1, 0);
    settings("o2", 64, 512, 720, 4, 0);
    for (int views : new int[] {1, 2, 4, 8}) {
      settings("so2", 3, 32, 36, views, 0.5f);
    }
    refused("group", () -> settings("so3", 3, 32, 36, 1, 0));
    refused("channels", () -> settings("so2", 0, 32, 36, 1, 0));
    refused("channels", () -> settings("so2", 65, 32, 36, 1, 0));
    refused("size", () -> settings("so2", 3, 1, 36, 1, 0));
    refused("size", () -> settings("so2", 3, 513, 36, 1, 0));
    refused("bins", () -> settings("so2", 3, 32, 0, 1, 0));
    refused("bins", () -> settings("so2", 3, 32, 38, 1, 0));
    refused("bins", () -> settings("so2", 3, 32, 724, 1, 0));
    refused("views", () -> settings("so2", 3, 32, 36, 3, 0));
    refused("views", () -> settings("o2", 3, 32, 36, 2, 0));
    refused("views", () -> settings("o2", 3, 32, 36, 8, 0));
    refused("outside", () -> settings("so2", 3, 32, 36, 1, Float.NaN));
    assertThatThrownBy(() -> UprightSettings.of("convnet", 1, 32, 36).withRestorer("none"))
        .hasMessageContaining("residual-<layers>x<channels>");
  }

  @Test
  void mirrorImagesDoubleTheScores() {
    UprightSettings s = UprightSettings.of("convnet", 0.1, 32, 36);
    assertThat(s.mirrors()).isFalse();
    assertThat(s.scores()).isEqualTo(36);
    assertThat(s.withGroup("o2").mirrors()).isTrue();
    assertThat(s.withGroup("o2").scores()).isEqualTo(72);
    assertThat(s.withGroup("o2").architecture().classes()).isEqualTo(72);
    assertThat(s.withViews(8).views()).isEqualTo(8);
    assertThat(s.withRestorer("residual-2x3").restorer()).isEqualTo("residual-2x3");
    assertThat(s.withViews(2).withViews(1)).isEqualTo(s);
  }

  @Test
  void cloudsHaveSettingsOfTheirOwn() {
    CloudUprightSettings s = new CloudUprightSettings("so3", "skewness", "upright-cube", 0.1, 64);
    assertThat(s.architecture().classes()).isEqualTo(96);
    new CloudUprightSettings("sim3", "first-point", "upright-cube", 0.1, 1);
    new CloudUprightSettings("se3", "skewness", "upright-cube", 0.1, 1_000_000);
    refused("group", () -> new CloudUprightSettings("o3", "skewness", "upright-cube", 0.1, 64));
    refused("points", () -> new CloudUprightSettings("so3", "skewness", "upright-cube", 0.1, 0));
    refused(
        "points",
        () -> new CloudUprightSettings("so3", "skewness", "upright-cube", 0.1, 1_000_001));
    assertThatThrownBy(() -> new CloudUprightSettings("so3", "disc", "upright-cube", 0.1, 64))
        .hasMessageContaining("skewness or first-point");
    FittedCloudUpright fitted = FittedCloudUpright.random(s, 1);
    assertThat(fitted.kind()).isEqualTo("clouds");
    assertThat(fitted.group()).isEqualTo("so3");
    assertThat(fitted.restorer()).isEmpty();
    assertThat(fitted).hasToString("upright by upright-cube");
    assertThat(fitted.mapping(Resampling.BILINEAR).fitted()).isSameAs(fitted);
    assertThat(FittedCloudUpright.random(s, 1).predictor()).isEqualTo(fitted.predictor());
  }

  /** A file must hold the numbers of its network, all of them, and no others. */
  @Test
  void numbersMustFit() {
    UprightSettings s = UprightSettings.of("linear", 1, 8, 4).withRestorer("residual-2x1");
    FittedUpright fitted = FittedUpright.random(s, 1);
    assertThat(fitted.kind()).isEqualTo("images");
    assertThat(fitted.group()).isEqualTo("so2");
    assertThat(fitted.restores()).isTrue();
    assertThat(FittedUpright.random(s.withRestorer(""), 1).restores()).isFalse();
    assertThat(fitted).hasToString("upright by linear, 4 angles");
    assertThat(FittedUpright.random(s.withGroup("o2"), 1))
        .hasToString("upright by linear, 4 angles and mirror images");
    Map<String, FloatTensor> p = fitted.predictor();
    Map<String, FloatTensor> missing = new HashMap<>(p);
    missing.remove("head.bias");
    assertThatThrownBy(() -> new FittedUpright(s, missing, fitted.restorer(), Map.of()))
        .hasMessage("predictor: expected head.bias [4], found none");
    Map<String, FloatTensor> misshapen = new HashMap<>(p);
    misshapen.put("head.bias", new FloatTensor(new long[] {2, 2}, new float[4]));
    assertThatThrownBy(() -> new FittedUpright(s, misshapen, fitted.restorer(), Map.of()))
        .hasMessage("predictor: expected head.bias [4], found FloatTensor[2, 2]");
    Map<String, FloatTensor> broken = new HashMap<>(p);
    broken.put("head.bias", new FloatTensor(new long[] {4}, new float[] {0, 0, Float.NaN, 0}));
    assertThatThrownBy(() -> new FittedUpright(s, broken, fitted.restorer(), Map.of()))
        .hasMessage("predictor: expected finite numbers in head.bias, found NaN");
    Map<String, FloatTensor> more = new LinkedHashMap<>(p);
    more.put("extra", new FloatTensor(new long[] {1}, new float[1]));
    assertThatThrownBy(() -> new FittedUpright(s, more, fitted.restorer(), Map.of()))
        .hasMessage("predictor: expected only [head.weight, head.bias], found extra");
    assertThatThrownBy(() -> new FittedUpright(s, p, Map.of(), Map.of()))
        .hasMessageContaining("restorer: expected layer1.weight [1, 3, 3, 3], found none");
    assertThat(new FittedUpright(s, p, fitted.restorer(), Map.of("a", "b")).provenance())
        .containsEntry("a", "b");
    assertThatThrownBy(() -> UprightMapping.orthogonal(fitted, Resampling.BILINEAR))
        .hasMessage("upright: expected a predictor of o2, found one of so2");
  }

  /** u + f(u)/10: layers that copy the image make it 1.1 times as bright. */
  @Test
  void aRestorerAddsATenth() {
    Restorer restorer = Restorer.named("residual-3x2");
    assertThat(restorer).isEqualTo(new Restorer(3, 2));
    assertThat(restorer.name()).isEqualTo("residual-3x2");
    List<Parameter> parameters = restorer.parameters(1);
    assertThat(parameters.stream().mapToLong(Parameter::count).sum())
        .isEqualTo(2 * 9 + 2 + 2 * 2 * 9 + 2 + 2 * 9 + 1);
    Map<String, FloatTensor> weights = new HashMap<>();
    for (Parameter p : parameters) {
      float[] values = new float[(int) p.count()];
      if (p.name().endsWith("weight")) {
        values[4] = 1; // the middle of the first kernel
      }
      weights.put(p.name(), new FloatTensor(p.shape(), values));
    }
    ArrayOperations ops = new ArrayOperations(new ArrayWeights(weights));
    Batch y = restorer.restore(ops, Batch.of(new float[] {0, 0.5f, 1, 0.2f}, 1, 2, 2));
    assertThat(y.values()).containsExactly(new float[] {0, 0.55f, 1.1f, 0.22f}, within(1e-6f));
    new Restorer(2, 1);
    new Restorer(16, 256);
    int[][] bad = {{1, 8}, {17, 8}, {4, 0}, {4, 257}};
    for (int[] b : bad) {
      assertThatThrownBy(() -> new Restorer(b[0], b[1]))
          .hasMessageContaining("found %d and %d".formatted(b[0], b[1]));
    }
  }

  /** Two samples become one, one becomes two; the weights of each result sum to 1. */
  @Test
  void reducingTakesTheMeanOfWhatAPixelCovers() {
    assertThat(UprightView.weights(4, 4, 2)).containsExactly(0.5f, 0, 0.5f, 0, 0, 0.5f, 0, 0.5f);
    // 3 samples to 2: each result covers one and a half
    assertThat(UprightView.weights(3, 3, 2))
        .containsExactly(new float[] {2 / 3f, 0, 1 / 3f, 1 / 3f, 0, 2 / 3f}, within(1e-6f));
    // the middle two of four
    assertThat(UprightView.weights(4, 2, 2)).containsExactly(0, 0, 1, 0, 0, 1, 0, 0);
    // the middle two of three start at half a sample
    assertThat(UprightView.weights(3, 2, 2)).containsExactly(0.5f, 0, 0.5f, 0.5f, 0, 0.5f);
    // enlarged linearly: 2 to 4 reads at -1/4, 1/4, 3/4, 5/4, not beyond the ends
    assertThat(UprightView.weights(2, 2, 4))
        .containsExactly(1, 0.75f, 0.25f, 0, 0, 0.25f, 0.75f, 1);
    assertThat(UprightView.weights(1, 1, 3)).containsExactly(1, 1, 1);
  }
}
