package org.orbitmap.image.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.group.C4;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.orbit.Canonical;

/** Weights as they are built, each step against what it is the adjoint of. */
class WeightsTest {
  private static final int HEIGHT = 5;
  private static final int WIDTH = 7;

  private static double[] random(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return random.doubles(n, -1, 1).toArray();
  }

  private static double dot(double[] w, double[] u) {
    double sum = 0;
    for (int i = 0; i < u.length; i++) {
      sum += w[i] * u[i];
    }
    return sum;
  }

  /** The sample at a pixel, 0 outside. */
  private static double at(double[] u, int x, int y) {
    return x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT ? 0 : u[y * WIDTH + x];
  }

  private static double bilinear(double[] u, double x, double y) {
    int i = (int) Math.floor(x);
    int j = (int) Math.floor(y);
    return (1 - (y - j)) * ((1 - (x - i)) * at(u, i, j) + (x - i) * at(u, i + 1, j))
        + (y - j) * ((1 - (x - i)) * at(u, i, j + 1) + (x - i) * at(u, i + 1, j + 1));
  }

  @Test
  void gradientsAreThoseOfTheBilinearModel() {
    double[] u = random(HEIGHT * WIDTH, 1);
    for (double[] p : new double[][] {{2.25, 1.5}, {0, 0}, {3, 2}, {5.75, 3.9}, {0.5, 3.25}}) {
      Weights w = new Weights(HEIGHT, WIDTH);
      w.addGradient(p[0], p[1]);
      int i = (int) p[0];
      int j = (int) p[1];
      assertThat(dot(w.re, u))
          .isEqualTo(bilinear(u, i + 1, p[1]) - bilinear(u, i, p[1]), within(1e-12));
      assertThat(dot(w.im, u))
          .isEqualTo(bilinear(u, p[0], j + 1) - bilinear(u, p[0], j), within(1e-12));
    }
    Weights corner = new Weights(HEIGHT, WIDTH); // the last pixel belongs to the last cell
    corner.addGradient(6, 4);
    assertThat(dot(corner.re, u)).isEqualTo(at(u, 6, 4) - at(u, 5, 4), within(1e-12));
    assertThat(dot(corner.im, u)).isEqualTo(at(u, 6, 4) - at(u, 6, 3), within(1e-12));
    Weights outside = new Weights(HEIGHT, WIDTH);
    for (double[] p : new double[][] {{-0.1, 2}, {6.1, 2}, {2, -0.1}, {2, 4.1}}) {
      outside.addGradient(p[0], p[1]);
    }
    assertThat(outside.re).containsOnly(0);
    assertThat(outside.im).containsOnly(0);
    Weights line = new Weights(1, WIDTH);
    line.addGradient(2, 0);
    assertThat(line.re).containsOnly(0);
  }

  @Test
  void differencesAreTakenAtTheNearestPixel() {
    double[] u = random(HEIGHT * WIDTH, 2);
    Weights forward = new Weights(HEIGHT, WIDTH);
    forward.addDifference(2.4, 1.3, 0);
    assertThat(dot(forward.re, u)).isEqualTo(at(u, 3, 1) - at(u, 2, 1), within(1e-12));
    assertThat(dot(forward.im, u)).isEqualTo(at(u, 2, 2) - at(u, 2, 1), within(1e-12));
    Weights central = new Weights(HEIGHT, WIDTH);
    central.addDifference(2.6, 1.7, -1);
    assertThat(dot(central.re, u)).isEqualTo((at(u, 4, 2) - at(u, 2, 2)) / 2, within(1e-12));
    assertThat(dot(central.im, u)).isEqualTo((at(u, 3, 3) - at(u, 3, 1)) / 2, within(1e-12));
    Weights rim = new Weights(HEIGHT, WIDTH);
    rim.addDifference(6, 1, 0);
    rim.addDifference(1, 4, 0);
    rim.addDifference(0, 1, -1);
    rim.addDifference(1, 0, -1);
    assertThat(rim.re).containsOnly(0);
    rim.addDifference(0, 0, 0);
    rim.addDifference(5, 3, -1);
    assertThat(dot(rim.re, u))
        .isEqualTo(at(u, 1, 0) - at(u, 0, 0) + (at(u, 6, 3) - at(u, 4, 3)) / 2, within(1e-12));
  }

  @Test
  void valuesAreInterpolated() {
    double[] u = random(HEIGHT * WIDTH, 3);
    for (double[] p : new double[][] {{2.25, 1.5}, {-0.5, 2.5}, {6.5, 4.25}, {3, -0.75}, {9, 9}}) {
      Weights w = new Weights(HEIGHT, WIDTH);
      w.addValue(p[0], p[1], 2, -3);
      assertThat(dot(w.re, u)).isEqualTo(2 * bilinear(u, p[0], p[1]), within(1e-12));
      assertThat(dot(w.im, u)).isEqualTo(-3 * bilinear(u, p[0], p[1]), within(1e-12));
    }
  }

  /** ⟨B*W, u⟩ = ⟨W, Bu⟩. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aBlurIsAdjoint(boolean repeat) {
    double[] g = {0.1, 0.2, 0.4, 0.25, 0.05};
    double[] u = random(HEIGHT * WIDTH, 4);
    Weights w = new Weights(HEIGHT, WIDTH);
    w.re = random(HEIGHT * WIDTH, 5);
    w.im = random(HEIGHT * WIDTH, 6);
    double[] blurred = new double[u.length];
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        for (int k = -2; k <= 2; k++) {
          for (int l = -2; l <= 2; l++) {
            int i = repeat ? Math.max(0, Math.min(WIDTH - 1, x + k)) : x + k;
            int j = repeat ? Math.max(0, Math.min(HEIGHT - 1, y + l)) : y + l;
            blurred[y * WIDTH + x] += g[k + 2] * g[l + 2] * at(u, i, j);
          }
        }
      }
    }
    double re = dot(w.re, blurred);
    double im = dot(w.im, blurred);
    w.blur(g, repeat);
    assertThat(dot(w.re, u)).isEqualTo(re, within(1e-12));
    assertThat(dot(w.im, u)).isEqualTo(im, within(1e-12));
  }

  @Test
  void circlesStandAboutTheCentre() {
    List<double[]> points = new ArrayList<>();
    new Weights(HEIGHT, WIDTH)
        .circles(4, new double[] {0.25, 0.5}, (x, y) -> points.add(new double[] {x, y}));
    assertThat(points).hasSize(8);
    double r = Math.sqrt(0.5);
    for (int k = 0; k < 8; k++) {
      double size = k < 4 ? 1 : 2; // shares of the shorter side less one, 4
      double x = k % 4 == 0 || k % 4 == 3 ? r : -r;
      double y = k % 4 < 2 ? r : -r;
      assertThat(points.get(k))
          .containsExactly(new double[] {3 + size * x, 2 + size * y}, within(1e-12));
    }
  }

  @Test
  void aQuarterTurnMovesEveryWeight() {
    Weights w = new Weights(2, 3);
    w.re = new double[] {1, 2, 3, 4, 5, 6};
    w.im = new double[] {7, 8, 9, 10, 11, 12};
    Weights turned = w.quarterTurned();
    assertThat(turned.height).isEqualTo(3);
    assertThat(turned.re).containsExactly(9, 12, 8, 11, 7, 10);
    assertThat(turned.im).containsExactly(-3, -6, -2, -5, -1, -4);
    w.symmetrise();
    assertThat(w.re).containsExactly(-2.5, -1.5, -0.5, 0.5, 1.5, 2.5);
    assertThat(w.im).containsExactly(-2.5, -1.5, -0.5, 0.5, 1.5, 2.5);
  }

  /** Of a ramp they sum the gradient at all their points. */
  @ParameterizedTest
  @CsvSource({"PAPER", "CENTRAL", "FORWARD"})
  void rulesSumTheGradientOfARamp(String rule) {
    int points = 720;
    Weights w = new Weights(80, 84);
    BuiltInRule.valueOf(rule).build(w);
    double[] x = new double[80 * 84];
    double[] y = new double[80 * 84];
    for (int i = 0; i < x.length; i++) {
      x[i] = i % 84;
      y[i] = Math.floorDiv(i, 84);
    }
    assertThat(dot(w.re, x)).isEqualTo(points, within(1e-6));
    assertThat(dot(w.re, y)).isEqualTo(0, within(1e-6));
    assertThat(dot(w.im, x)).isEqualTo(0, within(1e-6));
    assertThat(dot(w.im, y)).isEqualTo(points, within(1e-6));
  }

  /**
   * Circles, gradients or differences at their points, and the blur; the released one is cut off.
   */
  @ParameterizedTest
  @CsvSource({"PAPER, 360, 6", "RELEASED, 300, 2", "CENTRAL, 360, 6", "FORWARD, 360, 6"})
  void rulesAreMadeOfTheirSteps(String rule, int points, int reach) {
    Weights found = new Weights(20, 24);
    BuiltInRule.valueOf(rule).build(found);
    double[] g = new double[2 * reach + 1];
    double sum = 0;
    for (int k = -reach; k <= reach; k++) {
      g[k + reach] = Math.exp(-k * k / 4.5);
      sum += g[k + reach];
    }
    for (int k = 0; k < g.length; k++) {
      g[k] /= sum;
    }
    boolean released = rule.equals("RELEASED");
    double larger = released ? Math.sqrt(2) : 1;
    Weights expected = new Weights(20, 24);
    expected.circles(
        points,
        new double[] {0.05 * larger, 0.4 * larger},
        switch (rule) {
          case "CENTRAL" -> (x, y) -> expected.addDifference(x, y, -1);
          case "FORWARD" -> (x, y) -> expected.addDifference(x, y, 0);
          default -> expected::addGradient;
        });
    expected.blur(g, !released);
    assertThat(found.re).containsExactly(expected.re, within(1e-12));
    assertThat(found.im).containsExactly(expected.im, within(1e-12));
  }

  /** A rule that was never built: lying and standing images have one rule, which is odd. */
  @Test
  void standingImagesHaveTheWeightsOfLyingOnes() {
    PoseRule sobel =
        PoseRule.kernels(
            new double[][] {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}},
            new double[][] {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}});
    WeightMap lying = sobel.weights(10, 14);
    WeightMap standing = sobel.weights(14, 10);
    assertThat(lying.quarterTurnDefect(standing)).isZero();
    assertThat(sobel.weights(9, 9).quarterTurnDefect(sobel.weights(9, 9))).isZero();
    for (WeightMap map : List.of(lying, standing)) {
      for (int i = 0; i < 140; i++) {
        assertThat(map.re()[i]).isEqualTo(-map.re()[139 - i]);
        assertThat(map.im()[i]).isEqualTo(-map.im()[139 - i]);
      }
    }
    assertThat(sobel.weights(10, 14)).isSameAs(lying);
  }

  /** The second response, seen from the direction of the first, decides on which side it is. */
  @Test
  void mirrorImagesAreToldByTheSecondHarmonic() {
    OrthogonalMapping mapping = new OrthogonalMapping(PoseRule.DISC, Resampling.BILINEAR);
    SplittableRandom random = new SplittableRandom(3);
    for (int trial = 0; trial < 20; trial++) {
      Image u = Image.black(1, 9, 9);
      for (int i = 0; i < 81; i++) {
        u.data()[i] = random.nextFloat();
      }
      Pose c = PoseRule.DISC.weights(9, 9).pose(u);
      Pose d = PoseRule.SECOND_HARMONIC.weights(9, 9).pose(u);
      double angle = Math.atan2(c.rotation().sin(), c.rotation().cos());
      double second = Math.atan2(d.rotation().sin(), d.rotation().cos());
      double odd = d.response() * Math.sin(second - 2 * angle);
      double bound = Math.abs(odd) / (d.norm() + Math.PI * d.response() * c.norm() / c.response());
      OrthogonalMapping.OrthogonalPose found = mapping.pose(u);
      assertThat(found.element().mirrored()).isEqualTo(odd < 0);
      assertThat(found.margin()).isEqualTo(Math.min(c.margin(), bound), within(1e-9));
      assertThat(mapping.pose(u.mirrored()).element().mirrored()).isEqualTo(odd >= 0);
    }
    assertThat(mapping.pose(Image.black(1, 9, 9)).margin()).isZero();
  }

  /** Mass is the mean over the channels of what differs from the background. */
  @Test
  void massIsWhatDiffersFromTheBackground() {
    Image grey = Image.black(1, 9, 9);
    grey.data()[20] = 1;
    grey.data()[41] = 0.5f;
    Image colour = Image.black(2, 9, 9);
    Image bright = Image.black(2, 9, 9);
    for (int i = 0; i < 162; i++) {
      colour.data()[i] = grey.data()[i % 81];
      bright.data()[i] = 0.25f + grey.data()[i % 81];
    }
    var expected = new SimilarityMapping(Resampling.BILINEAR).map(grey);
    var found = new SimilarityMapping(Resampling.BILINEAR).map(colour);
    assertThat(found.element()).isEqualTo(expected.element());
    assertThat(found.margin()).isEqualTo(expected.margin());
    assertThat(
            new SimilarityMapping(Resampling.BILINEAR.with(Fill.constant(0.25f)))
                .map(bright)
                .element())
        .isEqualTo(expected.element());
    colour.data()[20] = 3; // the mean of 3 and 1, instead of 1
    grey.data()[20] = 2;
    assertThat(new SimilarityMapping(Resampling.BILINEAR).map(colour).element())
        .isEqualTo(new SimilarityMapping(Resampling.BILINEAR).map(grey).element());
  }

  /** (x + iy)(1 - |z|²/R²), and its square with a sum of 0. */
  @Test
  void discsAreTheirFormulas() {
    Weights first = new Weights(5, 8);
    BuiltInRule.DISC.build(first);
    Weights second = new Weights(5, 8);
    BuiltInRule.SECOND_HARMONIC.build(second);
    double sum = 0; // not 0 where the centre is a pixel along one axis alone
    double windows = 0;
    for (int i = 0; i < 40; i++) {
      double x = i % 8 - 3.5;
      double y = Math.floorDiv(i, 8) - 2;
      double window = Math.max(0, 1 - (x * x + y * y) / 6.25);
      sum += (x * x - y * y) * window;
      windows += window;
    }
    for (int i = 0; i < 40; i++) {
      double x = i % 8 - 3.5;
      double y = Math.floorDiv(i, 8) - 2;
      double window = Math.max(0, 1 - (x * x + y * y) / 6.25);
      assertThat(first.re[i]).isEqualTo(x * window, within(1e-12));
      assertThat(first.im[i]).isEqualTo(y * window, within(1e-12));
      assertThat(second.re[i]).isEqualTo((x * x - y * y - sum / windows) * window, within(1e-12));
      assertThat(second.im[i]).isEqualTo(2 * x * y * window, within(1e-12));
    }
  }

  /** All four turns have one canonical image, whose response points to the right. */
  @ParameterizedTest
  @CsvSource({"2, 2, 2", "5, 5, 9", "4, 6, 9", "6, 4, 2", "3, 3, 2"})
  void quarterTurnsAreUndone(int height, int width, int levels) {
    QuarterTurnMapping mapping = new QuarterTurnMapping(PoseRule.DISC);
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 60; trial++) {
      Image u = Image.black(2, height, width);
      for (int i = 0; i < u.data().length; i++) {
        u.data()[i] = random.nextInt(levels);
      }
      Canonical<?, Image> canonical = null;
      for (int turns = 0; turns < 4; turns++) {
        Canonical<QuarterTurn, Image> c = mapping.map(mapping.action().act(C4.turn(turns), u));
        assertThat(mapping.action().act(c.element(), mapping.action().act(C4.turn(turns), u)))
            .isEqualTo(c.point());
        canonical = canonical == null ? c : canonical;
        assertThat(c.point()).isEqualTo(canonical.point());
        assertThat(c.margin()).isEqualTo(canonical.margin());
      }
      Image point = canonical.point();
      Pose pose = PoseRule.DISC.weights(point.height(), point.width()).pose(point);
      double cos = pose.rotation().cos();
      double sin = Math.abs(pose.rotation().sin());
      assertThat(cos).isGreaterThanOrEqualTo(sin - 1e-9);
      assertThat(canonical.margin())
          .isEqualTo(pose.margin() * (cos - sin) / Math.sqrt(2), within(1e-9));
    }
  }

  /** Each image of a batch has the answer of its own frames, and mirror images count with them. */
  @ParameterizedTest
  @EnumSource(Pool.class)
  void framesOfABatchStayApart(Pool pool) {
    Classifier<Image> net =
        batch ->
            batch.stream()
                .map(u -> new float[] {3 * u.at(0, 1, 2), u.at(0, 3, 3), 2 * u.at(0, 2, 5)})
                .toArray(float[][]::new);
    SplittableRandom random = new SplittableRandom(2);
    List<Image> batch = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      Image u = Image.black(1, 8, 8);
      for (int i = 0; i < 64; i++) {
        u.data()[i] = random.nextFloat();
      }
      batch.add(u);
    }
    for (boolean mirrors : new boolean[] {false, true}) {
      Frames frames = new Frames(RotationMapping.disc(), 3, mirrors);
      assertThat(frames.cost()).isEqualTo(mirrors ? 6 : 3);
      float[][] found = frames.invariant(net, pool).scores(batch);
      for (int k = 0; k < batch.size(); k++) {
        float[][] rows = net.scores(frames.of(batch.get(k)));
        List<float[]> each = new ArrayList<>();
        for (int f = 0; f < 3; f++) {
          float[] row = rows[f];
          if (mirrors) {
            double[] p = Scores.probabilities(rows[f]);
            double[] q = Scores.probabilities(rows[f + 3]);
            row = new float[3];
            for (int c = 0; c < 3; c++) {
              row[c] = (float) ((p[c] + q[c]) / 2);
            }
          }
          each.add(row);
        }
        float[] expected = Frames.pool(each, List.of(1 / 3.0, 1 / 3.0, 1 / 3.0), pool);
        assertThat(found[k]).containsExactly(expected, within(1e-6f));
      }
    }
  }
}
