package org.orbitmap.upright;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;
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
    assertThat(restorer).isEqualTo(new Restorer(3, 2, false));
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
    new Restorer(2, 1, false);
    new Restorer(16, 256, true);
    int[][] bad = {{1, 8}, {17, 8}, {4, 0}, {4, 257}};
    for (int[] b : bad) {
      assertThatThrownBy(() -> new Restorer(b[0], b[1], false))
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

  /** w(δ) = max(0, cos δ - cos D)/(1 - cos D), and M is the sum of probabilities in it. */
  @Test
  void windowsAreTheirFormula() {
    assertThat(UprightModes.window(1)).isEqualTo(1, within(1e-12));
    assertThat(UprightModes.window(Math.cos(Math.toRadians(30)))).isZero();
    assertThat(UprightModes.window(-1)).isZero();
    double ten = UprightModes.window(Math.cos(Math.toRadians(10)));
    assertThat(ten).isEqualTo(0.886603, within(1e-6));
    UprightSettings s = UprightSettings.of("linear", 1, 8, 36);
    float[] p = new float[36];
    p[4] = 0.5f;
    p[5] = 0.25f;
    p[20] = 0.25f;
    List<UprightModes.Mode> modes = UprightModes.of(p, s, 2);
    double first = 0.5 + 0.25 * ten;
    assertThat(modes.get(0).mass()).isEqualTo(first, within(1e-9));
    assertThat(modes.get(0).weight()).isEqualTo(first / (first + 0.25), within(1e-9));
    assertThat(modes.get(1).mass()).isEqualTo(0.25, within(1e-9));
    assertThat(modes).noneMatch(UprightModes.Mode::mirrored);
    assertThat(UprightModes.near(0, 3, 36)).as("exactly D apart").isFalse();
    assertThat(UprightModes.near(35, 1, 36)).isTrue();
    List<UprightModes.Mode> none = UprightModes.of(new float[36], s, 2);
    assertThat(none.get(0).weight()).isEqualTo(1);
    assertThat(none.get(1).weight()).isZero();
    float[] both = new float[72];
    both[36 + 9] = 1;
    UprightModes.Mode mirrored = UprightModes.of(both, s.withGroup("o2"), 1).get(0);
    assertThat(mirrored.mirrored()).isTrue();
    assertThat(mirrored.rotation().degrees()).isEqualTo(90, within(1e-9));
  }

  /** What is said of an image after a quarter turn is what is said of it, a quarter further. */
  @Test
  void fourViewsFollowQuarterTurns() {
    UprightSettings s = settings("o2", 1, 9, 8, 4, 0.5f);
    ArrayOperations ops =
        new ArrayOperations(new ArrayWeights(FittedUpright.random(s, 3).predictor()));
    float[] u = new float[81];
    for (int i = 0; i < u.length; i++) {
      u[i] = i * i % 17 / 17f;
    }
    Batch x = Batch.of(u, 1, 9, 9);
    float[] p = UprightPredictor.probabilities(ops, x, s).values();
    float[] turned = UprightPredictor.probabilities(ops, ops.quarterTurns(x, 1), s).values();
    double sum = 0;
    for (int a = 0; a < 8; a++) {
      sum += p[a] + p[8 + a];
      assertThat(p[(a + 2) % 8]).isEqualTo(turned[a], within(1e-6f));
      assertThat(p[8 + (a + 6) % 8]).isEqualTo(turned[8 + a], within(1e-6f));
    }
    assertThat(sum).isEqualTo(1, within(1e-5));
    assertThat(Math.abs(p[0] - p[2])).isGreaterThan(1e-4f);
    float[] one = UprightPredictor.probabilities(ops, x, s.withViews(1)).values();
    assertThat(one).isNotEqualTo(p);
  }

  /** A mapping that was sent to another machine says the same there. */
  @Test
  void mappingsAreSentWithTheirNumbers() throws Exception {
    UprightSettings s = UprightSettings.of("linear", 1, 8, 36);
    UprightMapping<?> mapping = UprightMapping.of(FittedUpright.random(s, 1), Resampling.BILINEAR);
    UprightMapping<?> sent = (UprightMapping<?>) sent(mapping);
    assertThat(sent).isEqualTo(mapping).hasSameHashCodeAs(mapping);
    Image u = Image.black(3, 9, 9);
    for (int i = 0; i < u.data().length; i++) {
      u.data()[i] = i * i % 23 / 23f;
    }
    assertThat(sent.map(u).point()).isEqualTo(mapping.map(u).point());
    assertThat(sent.name()).isEqualTo("upright");
    assertThat(sent.resampling()).isEqualTo(Resampling.BILINEAR);
    assertThat(sent.fitted()).isEqualTo(mapping.fitted());
    assertThat(sent.base().name()).isEqualTo("disc");
    assertThat(mapping)
        .hasToString("upright by linear, 36 angles, behind disc, " + Resampling.BILINEAR)
        .isNotEqualTo(UprightMapping.of(FittedUpright.random(s, 2), Resampling.BILINEAR))
        .isNotEqualTo(mapping.fitted().mapping(Resampling.of(Interpolation.BICUBIC)));
    CloudUprightMapping clouds =
        new CloudUprightMapping(
            FittedCloudUpright.random(
                new CloudUprightSettings("so3", "skewness", "upright-cube", 0.1, 9), 1));
    float[] c = new float[27];
    for (int i = 0; i < c.length; i++) {
      c[i] = i * i % 11;
    }
    PointCloud x = new PointCloud(3, c);
    assertThat(((CloudUprightMapping) sent(clouds)).map(x).point())
        .isEqualTo(clouds.map(x).point());
    assertThat(clouds.name()).isEqualTo("upright");
    assertThat(clouds).hasToString("upright by upright-cube");
  }

  private static Object sent(Object o) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(o);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  /** Frames follow the best by their probabilities, and none comes twice. */
  @Test
  void framesAreTheMostProbable() {
    CloudUprightMapping.Answer said =
        new CloudUprightMapping.Answer(List.of(), new double[] {0.1, 0.3, 0.2, 0.4}, 1, 1, 0);
    assertThat(said.frames(1)).containsExactly(1);
    assertThat(said.frames(4)).containsExactly(1, 3, 2, 0);
  }
}
