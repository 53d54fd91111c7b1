package org.orbitmap.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.orbitmap.eval.Robustness.Settings;
import org.orbitmap.eval.Robustness.TrueClass;
import org.orbitmap.eval.Sweep.Pose;
import org.orbitmap.group.Shifts;
import org.orbitmap.orbit.GroupAction;

class RobustnessTest {
  private static final Settings ONE = new Settings(1, 4, TrueClass.NONE);

  /** Inputs are numbers, the true class is whether they are negative, zero-ish or positive. */
  private static final Classifier<Double> SIGN =
      batch -> {
        float[][] scores = new float[batch.size()][];
        for (int i = 0; i < scores.length; i++) {
          double x = batch.get(i);
          scores[i] = new float[] {(float) -x, 0.5f, (float) x};
        }
        return scores;
      };

  private static Sweep<Double> shifts(double... values) {
    return Sweep.of("shift", "", GroupAction.of(new Shifts(), (a, x) -> x + a), values, a -> a);
  }

  @Test
  void countsAsTheDefinitionsSay() {
    List<Labelled<Double>> data =
        List.of(
            new Labelled<>(-3.0, 0), // right everywhere
            new Labelled<>(-1.0, 0), // wrong at +1 (becomes 0) and +2
            new Labelled<>(5.0, 2), // right everywhere
            new Labelled<>(0.0, 2)); // wrong at 0, right at +1 and +2
    Robustness r = Robustness.measure(SIGN, data, shifts(0, 1, 2), ONE, Progress.OFF);
    assertThat(r.accuracy()).isEqualTo(new Accuracy(0.75, 9 / 12.0, 0.5));
    assertThat(r.poses())
        .extracting(Robustness.PoseAccuracy::accuracy)
        .containsExactly(0.75, 0.75, 0.75);
    assertThat(r.poses()).extracting(Robustness.PoseAccuracy::label).containsExactly("0", "1", "2");
    assertThat(r.misses(0)).isEmpty();
    assertThat(r.failingPose(0)).isEmpty();
    assertThat(r.misses(1))
        .containsExactly(new Robustness.Miss(1, 1, 0, 1), new Robustness.Miss(1, 2, 0, 2));
    assertThat(r.failingPose(1)).hasValue(1);
    assertThat(r.failingPose(3)).hasValue(0);
    assertThat(r.perClass())
        .containsExactly(
            new Robustness.ClassAccuracy(0, 2, new Accuracy(1, 4 / 6.0, 0.5)),
            new Robustness.ClassAccuracy(1, 0, new Accuracy(0, 0, 0)),
            new Robustness.ClassAccuracy(2, 2, new Accuracy(0.5, 5 / 6.0, 0.5)));
    assertThat(r.classAccuracy().clean()).isEqualTo(0.75);
    assertThat(r.classAccuracy().average()).isCloseTo(0.75, within(1e-15));
    assertThat(r.classAccuracy().worst()).isEqualTo(0.5);
    assertThat(r.sweep()).isEqualTo("shift");
    assertThat(r.unit()).isEmpty();
    assertThat(r.classes()).isEqualTo(3);
    assertThat(r.kept()).isEqualTo(TrueClass.NONE);
    assertThat(r.cleanPrediction(2)).isEqualTo(2);
    assertThat(r)
        .hasToString(
            "clean 75.0 %, average 75.0 %, worst 50.0 %, "
                + "label kept 66.7 %, all kept 50.0 % (shift, 4 items, 3 poses)");
    assertThat(r.cleanConfusion()).isDeepEqualTo(new long[][] {{2, 0, 0}, {0, 0, 0}, {0, 1, 1}});
    assertThat(r.confusion()).isDeepEqualTo(new long[][] {{4, 1, 1}, {0, 0, 0}, {0, 1, 5}});
    assertThat(r.hasTrueClass()).isFalse();
    assertThatThrownBy(() -> r.trueClass(0, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void costsAddUp() {
    Robustness.Cost cost = new Robustness.Cost(2, 3, 4).plus(new Robustness.Cost(3, 1, 2));
    assertThat(cost).isEqualTo(new Robustness.Cost(5, 4, 4));
    assertThat(cost.classifierShare()).isEqualTo(0.2);
    assertThat(Settings.defaults().batch()).isEqualTo(64);
    assertThat(Settings.defaults().trueClass()).isEqualTo(TrueClass.NONE);
  }

  @Test
  void agreementComparesWithTheAnswerOnTheItemAsItIs() {
    List<Double> inputs = List.of(-3.0, -1.0, 5.0, 0.0);
    // the answers: 000, 012, 222, 122
    Robustness r =
        Robustness.measure(SIGN, Labelled.unknown(inputs), shifts(0, 1, 2), ONE, Progress.OFF);
    assertThat(r.agreement().labelKept()).isEqualTo(8 / 12.0);
    assertThat(r.agreement().allKept()).isEqualTo(2 / 4.0);
    double change = 0;
    for (double x : inputs) {
      double[] p = Scores.softmax(SIGN.scores(List.of(x))[0]);
      for (double y : new double[] {x, x + 1, x + 2}) {
        double[] q = Scores.softmax(SIGN.scores(List.of(y))[0]);
        for (int c = 0; c < 3; c++) {
          change += Math.abs(p[c] - q[c]) / 2 / 12;
        }
      }
    }
    assertThat(r.agreement().probabilityChange()).isCloseTo(change, within(1e-7));
    assertThat(r.changes(0)).isEmpty();
    assertThat(r.changes(1)).containsExactly(1, 2);
    assertThat(r.probabilityChange(1, 0)).isZero();
    assertThat(r.probabilityChange(1, 2)).isGreaterThan(r.probabilityChange(1, 1));
    assertThat(r.poses()).extracting(Robustness.PoseAccuracy::kept).containsExactly(1.0, 0.5, 0.5);
  }

  /** A wrong classifier can be perfectly invariant, and only its answers count. */
  @Test
  void agreementIsNotAccuracy() {
    Classifier<Double> constant =
        batch -> batch.stream().map(x -> new float[] {0.2f, 0.8f}).toArray(float[][]::new);
    Robustness r =
        Robustness.measure(
            constant, List.of(new Labelled<>(1.0, 0)), shifts(1, 2), ONE, Progress.OFF);
    assertThat(r.accuracy()).isEqualTo(new Accuracy(0, 0, 0));
    assertThat(r.agreement()).isEqualTo(new Agreement(1, 1, 0));
  }

  @Test
  void withoutLabelsThereIsNoAccuracy() {
    Settings scores = ONE.withTrueClass(TrueClass.SCORE);
    Robustness r =
        Robustness.measure(
            SIGN, Labelled.unknown(List.of(2.0, 3.0)), shifts(0, -5), scores, Progress.OFF);
    assertThat(r.labelled()).isFalse();
    assertThat(r.label(0)).isEqualTo(Labelled.UNKNOWN);
    assertThat(r.perClass()).isEmpty();
    assertThat(r.poses()).allSatisfy(p -> assertThat(p.accuracy()).isNaN());
    assertThat(r.trueClass(0, 1)).as("the score of the class answered at 0").isEqualTo(-3);
    assertThat(r).hasToString("label kept 50.0 %, all kept 0.0 % (shift, 2 items, 2 poses)");
    for (ThrowingCallable needsLabels :
        List.<ThrowingCallable>of(
            r::accuracy,
            r::classAccuracy,
            () -> r.misses(0),
            () -> r.failingPose(0),
            r::confusion,
            r::cleanConfusion)) {
      assertThatThrownBy(needsLabels)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("found items without labels");
    }
    assertThatThrownBy(
            () ->
                Robustness.measure(
                    SIGN,
                    List.of(new Labelled<>(1.0, 2), new Labelled<>(1.0, Labelled.UNKNOWN)),
                    shifts(0),
                    ONE,
                    Progress.OFF))
        .hasMessage("labels: expected one for each of 2 items or for none, found 1");
    assertThatThrownBy(() -> new Labelled<>(1.0, -2)).hasMessageContaining("found -2");
  }

  /** The probabilities of infinite scores are numbers. */
  @Test
  void infiniteScoresHaveProbabilities() {
    float inf = Float.POSITIVE_INFINITY;
    assertThat(Scores.softmax(new float[] {inf, 1, inf})).containsExactly(0.5, 0, 0.5);
    assertThat(Scores.softmax(new float[] {-inf, 1})).containsExactly(0, 1);
    assertThat(Scores.softmax(new float[] {-inf, -inf})).containsExactly(0.5, 0.5);
    assertThat(Scores.totalVariation(new double[] {1, 0}, new double[] {0, 1})).isEqualTo(1);
    assertThatThrownBy(() -> Scores.totalVariation(new double[1], new double[2]))
        .hasMessageContaining("found 1 and 2");
  }

  /** The clean pose and the inputs are needed by every block of poses; they are asked for once. */
  @Test
  void theCleanPoseIsAskedForOnce() {
    for (double first : new double[] {0, 1}) {
      AtomicInteger calls = new AtomicInteger();
      Classifier<Double> counting =
          batch -> {
            calls.incrementAndGet();
            return SIGN.scores(batch);
          };
      Sweep<Double> sweep = shifts(first, 2, 3, 4, 5, 6, 7);
      Settings settings = new Settings(4, 2, TrueClass.NONE);
      List<Labelled<Double>> data = Labelled.unknown(List.of(1.0, 2.0, 3.0));
      Robustness.measure(counting, data, sweep, settings, Progress.OFF);
      assertThat(calls.get()).isEqualTo(2 * (first == 0 ? 7 : 8));
    }
  }

  /** The mean over classes weighs a rare class as much as a frequent one. */
  @Test
  void classAccuracyIsOverTheWholeSet() {
    List<Labelled<Double>> data = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      data.add(new Labelled<>(4.0, 2));
    }
    data.add(new Labelled<>(4.0, 0));
    Robustness r = Robustness.measure(SIGN, data, Sweep.clean(), ONE, Progress.OFF);
    assertThat(r.accuracy().clean()).isEqualTo(0.9);
    assertThat(r.classAccuracy().clean()).isEqualTo(0.5);
  }

  @Test
  void cleanIsMeasuredApartWhenNoPoseIsTheIdentity() {
    List<Labelled<Double>> data = List.of(new Labelled<>(-1.0, 0));
    Robustness r = Robustness.measure(SIGN, data, shifts(1, 2), ONE, Progress.OFF);
    assertThat(r.accuracy()).isEqualTo(new Accuracy(1, 0, 0));
    assertThat(r.cleanPrediction(0)).isZero();
  }

  @Test
  void keepsTheScoreOfTheTrueClass() {
    List<Labelled<Double>> data = List.of(new Labelled<>(2.0, 2));
    Settings scores = ONE.withTrueClass(TrueClass.SCORE);
    Robustness raw = Robustness.measure(SIGN, data, shifts(0, 1), scores, Progress.OFF);
    assertThat(raw.trueClass(0, 0)).isEqualTo(2);
    assertThat(raw.trueClass(0, 1)).isEqualTo(3);
    Robustness soft =
        Robustness.measure(
            SIGN, data, shifts(0), ONE.withTrueClass(TrueClass.SOFTMAX), Progress.OFF);
    double expected = Math.exp(2) / (Math.exp(-2) + Math.exp(0.5) + Math.exp(2));
    assertThat((double) soft.trueClass(0, 0)).isCloseTo(expected, within(1e-6));
  }

  /** Bit for bit, also for a classifier whose answer depends on what shares the batch. */
  @Test
  void anyNumberOfThreadsGivesTheSameResult() {
    Classifier<Double> moody =
        batch -> {
          double mean = batch.stream().mapToDouble(x -> x).average().orElseThrow();
          float[][] scores = new float[batch.size()][];
          for (int i = 0; i < scores.length; i++) {
            double x = batch.get(i) - 0.3 * mean;
            scores[i] =
                new float[] {(float) Math.sin(x), (float) Math.cos(x), (float) Math.tanh(x)};
          }
          return scores;
        };
    SplittableRandom random = new SplittableRandom(3);
    List<Labelled<Double>> data = new ArrayList<>();
    for (int i = 0; i < 131; i++) {
      data.add(new Labelled<>(random.nextDouble(-4, 4), random.nextInt(3)));
    }
    Sweep<Double> sweep = shifts(random.doubles(37, -3, 3).toArray());
    for (int batch : new int[] {1, 7, 64, 500}) {
      Settings settings = new Settings(1, batch, TrueClass.SOFTMAX);
      Robustness sequential = Robustness.measure(moody, data, sweep, settings, Progress.OFF);
      for (int threads : new int[] {2, 3, 8}) {
        Robustness parallel =
            Robustness.measure(moody, data, sweep, settings.withThreads(threads), Progress.OFF);
        assertThat(parallel).isEqualTo(sequential);
        assertThat(parallel.accuracy()).isEqualTo(sequential.accuracy());
      }
    }
    assertThat(Robustness.measure(moody, data, sweep, ONE.withBatch(1), Progress.OFF))
        .isNotEqualTo(Robustness.measure(moody, data, sweep, ONE.withBatch(64), Progress.OFF));
  }

  /** Never more transformed inputs in memory than threads × batch, and items are loaded lazily. */
  @Test
  void memoryIsBounded() {
    AtomicInteger alive = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger loads = new AtomicInteger();
    List<Pose<Double>> poses = new ArrayList<>();
    for (int p = 0; p < 20; p++) {
      poses.add(
          new Pose<>(
              "p" + p,
              p,
              x -> {
                most.accumulateAndGet(alive.incrementAndGet(), Math::max);
                return x + 0.5; // marks what a pose made
              }));
    }
    Classifier<Double> counting =
        batch -> {
          float[][] scores = SIGN.scores(batch);
          alive.addAndGet(-(int) batch.stream().filter(x -> x != Math.rint(x)).count());
          return scores;
        };
    List<Labelled<Double>> lazy =
        new AbstractList<>() {
          @Override
          public Labelled<Double> get(int i) {
            loads.incrementAndGet();
            return new Labelled<>(1.0 * i, 2);
          }

          @Override
          public int size() {
            return 1000;
          }
        };
    Sweep<Double> sweep = new Sweep<>("poses", "", poses);
    Robustness.measure(counting, lazy, sweep, new Settings(3, 10, TrueClass.NONE), Progress.OFF);
    assertThat(most.get()).isBetween(10, 30);
    assertThat(loads.get()).isEqualTo(1000);
  }

  @Test
  void progressCountsEveryItemInEveryPose() {
    AtomicLong last = new AtomicLong();
    AtomicLong total = new AtomicLong();
    List<Labelled<Double>> data = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      data.add(new Labelled<>(1.0, 2));
    }
    Robustness.measure(
        SIGN,
        data,
        shifts(0, 1, 2),
        ONE.withThreads(2),
        (done, of) -> {
          last.accumulateAndGet(done, Math::max);
          total.set(of);
        });
    assertThat(last.get()).isEqualTo(150);
    assertThat(total.get()).isEqualTo(150);
  }

  @Test
  void badInputIsNamed() {
    List<Labelled<Double>> data = List.of(new Labelled<>(1.0, 2), new Labelled<>(1.0, 7));
    for (int threads : new int[] {1, 2}) {
      Settings settings = new Settings(threads, 1, TrueClass.NONE);
      assertThatThrownBy(() -> Robustness.measure(SIGN, data, shifts(0), settings, Progress.OFF))
          .hasMessageContaining("item 1: expected a label below the 3 classes")
          .hasMessageContaining("found 7");
      assertThatThrownBy(
              () ->
                  Robustness.measure(
                      b -> new float[][] {{0, 0, 0, 0, 0, 0, 0, Float.NaN}},
                      data,
                      shifts(0, 90),
                      settings,
                      Progress.OFF))
          .hasMessageContaining("NaN score for item");
      assertThatThrownBy(
              () ->
                  Robustness.measure(b -> new float[0][], data, shifts(0), settings, Progress.OFF))
          .hasMessageContaining("expected 1 rows of scores, found 0");
      assertThatThrownBy(
              () ->
                  Robustness.<Double>measure(
                      b -> {
                        throw new IllegalStateException("engine broke");
                      },
                      data,
                      shifts(0),
                      settings,
                      Progress.OFF))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("engine broke");
    }
    assertThatThrownBy(() -> Robustness.measure(SIGN, List.of(), shifts(0), ONE, Progress.OFF))
        .hasMessageContaining("at least one item");
    assertThatThrownBy(() -> new Sweep<Double>("", "", List.of()))
        .hasMessageContaining("at least one pose");
    assertThatThrownBy(() -> new Settings(0, 1, TrueClass.NONE)).hasMessageContaining("found 0");
  }

  @Test
  void statisticsOverRuns() {
    assertThat(Statistic.of(0.5)).isEqualTo(new Statistic(0.5, 0, 1));
    Statistic s = Statistic.of(1, 2, 3, 4);
    assertThat(s.mean()).isEqualTo(2.5);
    assertThat(s.std()).isCloseTo(Math.sqrt(5 / 3.0), within(1e-15));
    assertThatThrownBy(Statistic::of).hasMessageContaining("at least one run");
  }
}
