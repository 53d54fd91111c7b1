package org.orbitmap.upright;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.UprightModes.Mode;

class UprightMappingTest {
  private static final UprightSettings SETTINGS = UprightSettings.of("convnet", 0.1, 16, 36);

  private static Image image(int channels, int height, int width, long seed) {
    Random random = new Random(seed);
    float[] data = new float[channels * height * width];
    for (int i = 0; i < data.length; i++) {
      data[i] = random.nextFloat();
    }
    return new Image(channels, height, width, data);
  }

  /** A smooth image, so that interpolation does little to it. */
  private static Image smooth(int side, long seed) {
    Random random = new Random(seed);
    double[] a = random.doubles(12, -1, 1).toArray();
    Image u = Image.black(3, side, side);
    for (int c = 0; c < 3; c++) {
      for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
          double x = (j - (side - 1) / 2.0) / side;
          double y = (i - (side - 1) / 2.0) / side;
          double v = a[c] * x + a[3 + c] * y + a[6 + c] * x * y + a[9 + c] * (x * x - y * y);
          u.data()[(c * side + i) * side + j] = (float) (0.5 + 0.5 * v);
        }
      }
    }
    return u;
  }

  private static float[] probabilities(FittedUpright f, Image canonical) {
    Batch x =
        Batch.of(canonical.data(), canonical.channels(), canonical.height(), canonical.width());
    ArrayOperations ops = new ArrayOperations(new ArrayWeights(f.predictor()));
    return UprightPredictor.probabilities(ops, x, f.settings()).values();
  }

  @Test
  void isTheBaseMappingRefined() {
    FittedUpright f = FittedUpright.random(SETTINGS, 1);
    UprightMapping<Rotation2> upright = UprightMapping.rotations(f, Resampling.BILINEAR);
    OrbitMapping<Rotation2, Image> refined = RotationMapping.disc().refinedBy(upright::refinement);
    for (int seed = 0; seed < 10; seed++) {
      Image u = image(3, 16, 16, seed);
      Canonical<Rotation2, Image> c = upright.map(u);
      assertThat(c.point()).isEqualTo(refined.map(u).point());
      assertThat(c.element()).isEqualTo(refined.map(u).element());
      assertThat(c.margin()).isLessThanOrEqualTo(refined.map(u).margin());
    }
  }

  /** Of a large image the predictor sees much the same as if it had been rotated as it is. */
  @Test
  void aReducedCopyIsRotatedInsteadOfALargeImage() {
    UprightSettings s = UprightSettings.of("convnet", 0.1, 16, 36);
    FittedUpright f = FittedUpright.random(s, 1);
    ArrayOperations ops = new ArrayOperations(new ArrayWeights(f.predictor()));
    for (int side : new int[] {33, 75, 96}) {
      Image u = smooth(side, side);
      assertThat(UprightView.reduces(side, side, s)).isTrue();
      Rotation2 g = RotationMapping.disc().pose(u).rotation();
      Batch small = UprightView.reduced(ops, Batch.of(u.data(), 3, side, side), s);
      Image copy = new Image(3, 32, 32, small.values());
      Image posed = new ImageRotation(Resampling.BILINEAR).act(g, copy);
      float[] seen = view(ops, posed, s);
      float[] whole = view(ops, RotationMapping.disc().map(u).point(), s);
      assertThat(seen).hasSameSizeAs(whole);
      double worst = 0;
      for (int i = 0; i < seen.length; i++) {
        double r = Math.hypot(i % 16 - 7.5, i / 16 % 16 - 7.5);
        // at its edge the disc is mixed with what lies outside
        worst = Math.max(worst, r < 6.5 ? Math.abs(seen[i] - whole[i]) : 0);
      }
      assertThat(worst).isLessThan(0.005);
      Mode best = UprightModes.of(probabilities(f, posed), s, 1).get(0);
      assertThat(UprightMapping.rotations(f, Resampling.BILINEAR).map(u).element())
          .isEqualTo(best.rotation().times(g));
    }
    assertThat(UprightView.reduces(32, 90, s)).isFalse();
  }

  private static float[] view(ArrayOperations ops, Image u, UprightSettings s) {
    return UprightView.of(ops, Batch.of(u.data(), 3, u.height(), u.width()), s).values();
  }

  /** Quarter turns only move pixels: the same answer for all four, whatever the numbers are. */
  @Test
  void isTheSameForEveryPose() {
    for (int views : new int[] {1, 2, 4, 8}) {
      FittedUpright f = FittedUpright.random(SETTINGS.withViews(views), views);
      UprightMapping<Rotation2> upright = UprightMapping.rotations(f, Resampling.BILINEAR);
      Image u = image(3, 20, 20, views);
      Canonical<Rotation2, Image> c = upright.map(u);
      for (int q = 1; q < 4; q++) {
        Image turned = upright.action().act(Rotation2.ofDegrees(90 * q), u);
        assertThat(upright.map(turned).point().distance(c.point())).isLessThan(1e-4);
      }
    }
  }

  /** What a view says is taken back: with four views p(θ) of y is p(θ - 90°) of the turned y. */
  @Test
  void viewsAreTakenBack() {
    FittedUpright f = FittedUpright.random(SETTINGS.withViews(8), 3);
    Image y = image(3, 16, 16, 4);
    float[] p = probabilities(f, y);
    float[] turned =
        probabilities(f, RotationMapping.disc().action().act(Rotation2.ofDegrees(90), y));
    float[] mirrored = probabilities(f, y.mirrored());
    for (int b = 0; b < 36; b++) {
      assertThat(p[(b + 9) % 36]).isCloseTo(turned[b], within(1e-5f));
      assertThat(p[(36 - b) % 36]).isCloseTo(mirrored[b], within(1e-5f));
    }
    assertThat(p[1]).isNotCloseTo(p[10], within(1e-4f));
  }

  @Test
  void mirrorImagesAreOneOrbit() {
    for (int views : new int[] {1, 4}) {
      FittedUpright f = FittedUpright.random(SETTINGS.withGroup("o2").withViews(views), views);
      UprightMapping<Orthogonal2> upright = UprightMapping.orthogonal(f, Resampling.BILINEAR);
      for (int seed = 0; seed < 4; seed++) {
        Image u = image(3, 16, 16, seed);
        Image point = upright.map(u).point();
        assertThat(upright.map(u.mirrored()).point().distance(point)).isLessThan(1e-4);
        assertThat(upright.action().act(upright.map(u).element(), u)).isEqualTo(point);
      }
    }
    assertThatThrownBy(
            () ->
                UprightMapping.rotations(
                    FittedUpright.random(SETTINGS.withGroup("o2"), 1), Resampling.BILINEAR))
        .hasMessageContaining("expected a predictor of so2, found one of o2");
  }

  @Test
  void seesTheDiscReduced() {
    UprightSettings s = UprightSettings.of("convnet", 0.1, 8, 36);
    ArrayOperations ops = ArrayOperations.withoutWeights();
    // the mean over blocks of 2 x 2 inside, the value outside in the corners
    Image u = image(3, 16, 16, 1);
    float[] seen = UprightView.of(ops, Batch.of(u.data(), 3, 16, 16), s).values();
    assertThat(seen).hasSize(3 * 64);
    assertThat(seen[0]).isEqualTo(0.5f);
    float mean = (u.at(1, 6, 8) + u.at(1, 6, 9) + u.at(1, 7, 8) + u.at(1, 7, 9)) / 4;
    assertThat(seen[64 + 3 * 8 + 4]).isCloseTo(mean, within(1e-6f));
    // whatever is in the corners is not seen
    Image other = new Image(3, 16, 16, u.data().clone());
    for (int c = 0; c < 3; c++) {
      other.data()[c * 256] = 9;
      other.data()[c * 256 + 17] = -9;
    }
    assertThat(UprightView.of(ops, Batch.of(other.data(), 3, 16, 16), s).values()).isEqualTo(seen);
    // the middle of an oblong image; grey in every channel; a smaller one enlarged
    float[] ramp = new float[16 * 24];
    for (int i = 0; i < ramp.length; i++) {
      ramp[i] = i % 24 / 23f;
    }
    float[] oblong = UprightView.of(ops, Batch.of(ramp, 1, 16, 24), s).values();
    assertThat(oblong).hasSize(3 * 64);
    assertThat(oblong[3 * 8 + 4]).isCloseTo((4 + 8.5f) / 23, within(1e-5f));
    assertThat(Arrays.copyOfRange(oblong, 64, 128)).isEqualTo(Arrays.copyOf(oblong, 64));
    float[] small =
        UprightView.of(
                ops,
                Batch.of(new float[] {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, 1, 4, 4),
                s)
            .values();
    assertThat(small[3 * 8 + 3]).isBetween(0.2f, 0.8f);
    for (int n : new int[] {5, 8, 9, 31}) {
      float[] w = UprightView.weights(n, n, 8);
      for (int k = 0; k < 8; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
          sum += w[i * 8 + k];
        }
        assertThat(sum).isCloseTo(1, within(1e-6));
      }
    }
  }

  @Test
  void modesAreApartAndWeighted() {
    float[] p = new float[36];
    p[4] = 0.3f;
    p[5] = 0.3f;
    p[20] = 0.2f;
    p[21] = 0.1f;
    p[7] = 0.1f; // on the slope of the first
    List<Mode> modes = UprightModes.of(p, SETTINGS, 3);
    assertThat(modes.get(0).rotation().degrees()).isBetween(45.0, 52.0);
    assertThat(modes.get(1).rotation().degrees()).isBetween(-160.0, -155.0); // 200° to 205°
    assertThat(modes.get(0).weight() + modes.get(1).weight()).isCloseTo(1, within(1e-9));
    assertThat(modes.get(0).weight()).isBetween(0.65, 0.75);
    assertThat(modes.get(2).weight()).isZero();
  }

  /** The angle follows the probabilities: no jump from bin to bin. */
  @Test
  void theAngleIsContinuous() {
    double before = Double.NaN;
    for (double at = 100; at < 130; at += 0.25) {
      float[] p = new float[36];
      double sum = 0;
      for (int b = 0; b < 36; b++) {
        double d = Math.toRadians(10 * b - at);
        p[b] = (float) Math.exp(20 * (Math.cos(d) - 1));
        sum += p[b];
      }
      for (int b = 0; b < 36; b++) {
        p[b] /= (float) sum;
      }
      double angle = UprightModes.of(p, SETTINGS, 1).get(0).rotation().degrees();
      assertThat(angle).isCloseTo(at, within(0.5));
      assertThat(Double.isNaN(before) || Math.abs(angle - before - 0.25) < 0.6).isTrue();
      before = angle;
    }
  }

  @Test
  void framesPoolByWeight() {
    FittedUpright f = FittedUpright.random(SETTINGS.withRestorer("residual-2x3"), 1);
    UprightMapping<Rotation2> upright =
        UprightMapping.rotations(f, Resampling.of(Interpolation.BICUBIC));
    Image u = image(3, 16, 16, 2);
    UprightMapping.Found<Rotation2> found = upright.poses(u, 3);
    assertThat(found.weights().stream().mapToDouble(w -> w).sum()).isCloseTo(1, within(1e-9));
    float[] mean =
        new UprightFrames(upright, 3)
            .invariant(
                batch ->
                    batch.stream()
                        .map(v -> new float[] {v.at(0, 3, 3) / 9, 1 - v.at(0, 3, 3) / 9})
                        .toArray(float[][]::new),
                Pool.MEAN)
            .scores(List.of(u))[0];
    double expected = 0;
    for (int k = 0; k < 3; k++) {
      Image shown = upright.restored(u, found.elements().get(k));
      expected += found.weights().get(k) * shown.at(0, 3, 3) / 9;
    }
    assertThat(mean[0]).isCloseTo((float) expected, within(1e-5f));
  }

  /** With s of a file without the restorer r, the refinement is s(r(h)); of reduced copies s(h). */
  @Test
  void thePredictorLooksAtTheRestoredImage() {
    UprightSettings s = SETTINGS.withRestorer("residual-3x8");
    FittedUpright f = FittedUpright.random(s, 3);
    Map<String, FloatTensor> strong = new LinkedHashMap<>();
    f.restorer()
        .forEach(
            (name, w) -> {
              float[] values = w.values().clone();
              for (int i = 0; i < values.length; i++) {
                values[i] *= 8; // what is untrained changes little
              }
              strong.put(name, new FloatTensor(w.shape(), values));
            });
    UprightMapping<Rotation2> whole =
        UprightMapping.rotations(
            new FittedUpright(s, f.predictor(), strong, Map.of()), Resampling.BILINEAR);
    UprightMapping<Rotation2> plain =
        UprightMapping.rotations(
            new FittedUpright(SETTINGS, f.predictor(), Map.of(), Map.of()), Resampling.BILINEAR);
    int changed = 0;
    for (int seed = 0; seed < 10; seed++) {
      Image h = image(3, 16, 16, seed);
      assertThat(whole.refinement(h))
          .isEqualTo(plain.refinement(whole.restored(h, Rotation2.IDENTITY)));
      changed += whole.refinement(h).equals(plain.refinement(h)) ? 0 : 1;
      Image large = image(3, 24, 24, seed);
      assertThat(whole.refinement(large)).isEqualTo(plain.refinement(large));
    }
    assertThat(changed).isPositive();
  }

  /** A fine restorer sees what is between the pixels, and the canonical image itself first. */
  @Test
  void aFineRestorerSeesTwiceTheResolution() {
    UprightSettings s = SETTINGS.withRestorer("fine-2x3");
    UprightMapping<Rotation2> fine =
        UprightMapping.rotations(FittedUpright.random(s, 3), Resampling.of(Interpolation.BICUBIC));
    assertThat(fine.fitted().restorer().get("layer1.weight").shape()).containsExactly(3, 12, 3, 3);
    Image u = image(3, 16, 16, 1);
    Rotation2 g = Rotation2.ofDegrees(33);
    Map<String, FloatTensor> none = new LinkedHashMap<>();
    fine.fitted()
        .restorer()
        .forEach(
            (name, w) -> none.put(name, new FloatTensor(w.shape(), new float[w.values().length])));
    UprightMapping<Rotation2> idle =
        UprightMapping.rotations(
            new FittedUpright(s, fine.fitted().predictor(), none, Map.of()), fine.resampling());
    assertThat(idle.restored(u, g).data()).containsExactly(idle.action().act(g, u).data());
    assertThat(fine.restored(u, g).distance(fine.action().act(g, u))).isPositive();
  }

  /** With mirrors the pose is that of a predictor that sees both sides, and so are the images. */
  @Test
  void mirrorsCountForThePredictorAndTheClassifier() {
    FittedUpright f = FittedUpright.random(SETTINGS, 1);
    UprightMapping<Rotation2> both =
        UprightMapping.rotations(
            new FittedUpright(SETTINGS.withViews(2), f.predictor(), f.restorer(), Map.of()),
            Resampling.BILINEAR);
    UprightFrames frames =
        new UprightFrames(UprightMapping.rotations(f, Resampling.BILINEAR), 1, true);
    assertThat(frames.cost()).isEqualTo(2);
    Image u = image(3, 16, 16, 2);
    List<Image> asked = new ArrayList<>();
    float[] mean =
        frames.invariant(
                batch -> {
                  asked.addAll(batch);
                  return new float[][] {{0.9f, 0.1f}, {0.2f, 0.8f}};
                },
                Pool.MEAN)
            .scores(List.of(u))[0];
    Image upright = both.map(u).point();
    assertThat(asked.get(0).distance(upright)).isLessThan(1e-6);
    assertThat(asked.get(1).distance(upright.mirrored())).isLessThan(1e-6);
    assertThat(mean[0]).isCloseTo(0.55f, within(1e-6f));
    assertThat(both.onBothSides()).isSameAs(both);
  }

  /** A smooth image turned by any angle is given the same pose, up to interpolation. */
  @Test
  void smoothImagesKeepTheirPose() {
    FittedUpright f = FittedUpright.random(SETTINGS.withViews(4), 5);
    UprightMapping<Rotation2> upright = UprightMapping.rotations(f, Resampling.BILINEAR);
    for (int seed = 0; seed < 5; seed++) {
      Image u = smooth(33, seed);
      Rotation2 own = upright.map(u).element();
      if (upright.map(u).margin() < 0.01) {
        continue;
      }
      for (int angle = 7; angle < 360; angle += 31) {
        Rotation2 g = Rotation2.ofDegrees(angle);
        Rotation2 found = upright.map(upright.action().act(g, u)).element().times(g);
        assertThat(Math.abs(found.times(own.inverse()).degrees())).isLessThan(6);
      }
    }
  }
}
