package org.orbitmap.nn.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.Image;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.layer.BatchAction;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/** The adversarial schemes find what brute force finds, and lead where their formulas say. */
class AdversarialTest {
  private static final InputShape.Images SHAPE = new InputShape.Images(1, 16, 16);
  private static final int N = 12;
  private static final int CLASSES = 3;

  private static Model<Image> model(String network, MappingConfig mapping) {
    Architecture a =
        new Architecture(Networks.named(network), 0.0625, false, Map.of(), SHAPE, CLASSES);
    return Model.of(
            new Model.Description(
                a, List.of("a", "b", "c"), new float[] {0.5f}, new float[] {0.3f}, mapping),
            5)
        .taking(SHAPE);
  }

  private static float[] noise() {
    float[] values = new float[N * SHAPE.length()];
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble();
    }
    return values;
  }

  private static Tensor labels() {
    int[] labels = new int[N];
    for (int i = 0; i < N; i++) {
      labels[i] = i % CLASSES;
    }
    return Tensors.ofLabels(labels, N);
  }

  /** Candidate by candidate, in Java, with the model as a classifier. */
  private static float[] byForce(Model<Image> model, float[] x, Attack attack, boolean kl) {
    BatchAction action = BatchAction.of(SHAPE, attack.group(), attack.interpolation());
    int length = SHAPE.length();
    float[] worst = new float[x.length];
    double[][] most = new double[N][];
    List<float[]> moved = new ArrayList<>();
    NativeScope.inference(
        () -> {
          Tensor all = action.sample(attack.candidates() * N, new SplittableRandom(21));
          for (int k = 0; k < attack.candidates(); k++) {
            Tensor part = all.narrow(0, (long) k * N, N);
            moved.add(Tensors.toArray(action.act(part, Tensors.of(x, SHAPE.batch(N)))));
          }
          return true;
        });
    float[][] natural = model.scores(images(x));
    for (float[] candidate : moved) {
      float[][] scores = model.scores(images(candidate));
      for (int i = 0; i < N; i++) {
        float[] p = scores[i];
        int label = i % CLASSES;
        double divergence = 0;
        boolean wrong = false;
        for (int c = 0; c < CLASSES; c++) {
          divergence += natural[i][c] * Math.log((double) natural[i][c] / p[c]);
          wrong |= p[c] > p[label];
        }
        double[] harm =
            kl ? new double[] {0, divergence} : new double[] {wrong ? 1 : 0, -Math.log(p[label])};
        if (most[i] == null
            || harm[0] > most[i][0]
            || (harm[0] == most[i][0] && harm[1] > most[i][1])) {
          most[i] = harm;
          System.arraycopy(candidate, i * length, worst, i * length, length);
        }
      }
    }
    return worst;
  }

  private static List<Image> images(float[] x) {
    return IntStream.range(0, N).mapToObj(i -> SHAPE.input(x, i * SHAPE.length())).toList();
  }

  private static float[] found(Model<Image> model, float[] x, Attack attack, boolean kl) {
    return NativeScope.scoped(
        () -> {
          TrainingStep step =
              new TrainingStep(
                  model, Tensors.of(x, SHAPE.batch(N)), labels(), attack, new SplittableRandom(21));
          return Tensors.toArray(
              kl ? AdversarialKl.divergent(step) : Adversarial.misclassified(step));
        });
  }

  @BeforeAll
  static void oneThread() {
    Engine.threads(1); // so small a network: more threads only wait for each other
  }

  @AfterAll
  static void asBefore() {
    Engine.threads(0);
  }

  /** Also with many candidates, which take several passes, and behind a mapping. */
  @Test
  void theWorstCandidateIsFound() {
    float[] x = noise();
    for (MappingConfig mapping :
        List.of(MappingConfig.NONE, MappingConfig.NONE.when(Use.TRAIN_AND_TEST))) {
      Model<Image> model = model("resnet18", mapping);
      for (boolean kl : new boolean[] {false, true}) {
        for (Attack attack : List.of(Attack.PAPER, Attack.PAPER.candidates(120).group("o2"))) {
          assertThat(found(model, x, attack, kl))
              .as("%s, %s, kl %s", mapping, attack, kl)
              .containsExactly(byForce(model, x, attack, kl), Offset.offset(1e-5f));
        }
      }
    }
  }

  /** A mapping that is for testing only is not there while the scheme searches. */
  @Test
  void aMappingForTestingIsLeftOut() {
    float[] x = noise();
    Attack attack = Attack.PAPER;
    float[] plain = found(model("resnet18", MappingConfig.NONE), x, attack, false);
    assertThat(found(model("resnet18", MappingConfig.NONE.when(Use.TEST)), x, attack, false))
        .isEqualTo(plain);
    assertThat(
            found(model("resnet18", MappingConfig.NONE.when(Use.TRAIN_AND_TEST)), x, attack, false))
        .isNotEqualTo(plain);
  }

  /** A misclassified candidate is preferred, even if another has a higher cross-entropy. */
  @Test
  void misclassifiedComesFirst() {
    // class 0 is right: the first is right with a high cross-entropy, the second wrong with a low
    double[] harm =
        NativeScope.scoped(
            () -> {
              float[] p = {0.34f, 0.33f, 0.33f, 0.48f, 0.5f, 0.02f};
              Tensor label = Tensors.ofLabels(new int[] {0}, 1);
              return Tensors.toDoubles(Adversarial.harm(Tensors.of(p, 2, 1, 3).log(), label));
            });
    assertThat(harm[1]).isGreaterThan(harm[0]);
    assertThat(-Math.log(0.48)).isLessThan(-Math.log(0.34));
  }

  /** The search leaves weights, statistics and gradients alone. */
  @Test
  void theSearchChangesNothing() {
    Model<Image> model = model("resnet18", MappingConfig.NONE);
    var before = model.tensors();
    found(model, noise(), Attack.PAPER, false);
    assertThat(model.tensors()).isEqualTo(before);
    assertThat(model.weights().parameters().values().stream().noneMatch(t -> t.grad().defined()))
        .isTrue();
  }

  /** The losses are what the formulas say, of the logits that the search leads to. */
  @Test
  void lossesAreTheirFormulas() {
    Model<Image> model = model("convnet", MappingConfig.NONE);
    Attack attack = new Attack(4, "so2", Attack.PAPER.interpolation(), 8, 0.5);
    float[] x = noise();
    float[] moved = found(model, x, attack, false);
    float[] divergent = found(model, x, attack, true);
    double[] expected =
        NativeScope.inference(
            () -> {
              Tensor natural = model.logits(Tensors.of(x, SHAPE.batch(N)));
              Tensor worst = model.logits(Tensors.of(moved, SHAPE.batch(N)));
              Tensor far = model.logits(Tensors.of(divergent, SHAPE.batch(N)));
              double onWorst = torch.cross_entropy(worst, labels()).item_float();
              double squares = 0;
              double kl = 0;
              float[] a = Tensors.toArray(natural);
              float[] b = Tensors.toArray(worst);
              float[] p = Tensors.toArray(torch.softmax(natural, 1));
              float[] q = Tensors.toArray(torch.softmax(far, 1));
              for (int i = 0; i < a.length; i++) {
                squares += (a[i] - b[i]) * (a[i] - b[i]) / N;
                kl += p[i] * Math.log((double) p[i] / q[i]) / N;
              }
              return new double[] {
                onWorst,
                onWorst + torch.cross_entropy(natural, labels()).item_float(),
                onWorst + 0.5 * squares,
                torch.cross_entropy(far, labels()).item_float() + 8 * kl
              };
            });
    String[] names = {"adv", "mixed", "adv-alp", "adv-kl"};
    for (int k = 0; k < names.length; k++) {
      Scheme scheme = Schemes.named(names[k]);
      double loss =
          NativeScope.scoped(
              () -> {
                TrainingStep step =
                    new TrainingStep(
                        model,
                        Tensors.of(x, SHAPE.batch(N)),
                        labels(),
                        attack,
                        new SplittableRandom(21));
                Tensor l = scheme.loss(step);
                l.backward();
                return (double) l.item_float();
              });
      assertThat(loss).as(names[k]).isCloseTo(expected[k], Offset.offset(1e-4));
    }
  }
}
