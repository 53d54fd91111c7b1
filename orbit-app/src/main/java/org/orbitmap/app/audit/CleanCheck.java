package org.orbitmap.app.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.Text;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;

/**
 * Looks at a few inputs as they are before an audit: a model that is hardly ever right, or would be
 * far more often with other preprocessing, is probably not asked the way it was trained.
 */
public final class CleanCheck {
  private static final int ITEMS = 64;
  private static final int BATCH = 16;

  /** An accuracy from which on no other preprocessing could be far better. */
  private static final double GOOD = 0.85;

  private static final double FAR_HIGHER = 0.15;

  /**
   * With the deviation of all pixels, where {@link Preprocessing#CIFAR10} has that within images.
   */
  private static final Preprocessing CIFAR10_PIXELS =
      new Preprocessing(1, Preprocessing.CIFAR10.mean(), new double[] {0.247, 0.2435, 0.2616});

  private CleanCheck() {}

  /**
   * What is suspicious, in sentences; nothing for data without labels.
   *
   * @param options what was said of the model's input; null for a model that knows it
   */
  public static <X> List<String> warnings(DataSet<X> set, LoadedModel model, ModelOptions options) {
    if (!set.labelled()) {
      return List.of();
    }
    int n = Math.min(ITEMS, set.size());
    DataSet<X> few =
        set.subset(IntStream.range(0, n).map(k -> (int) ((long) k * set.size() / n)).toArray());
    int[] labels = IntStream.range(0, n).map(few::label).toArray();
    Classifier<X> classifier = model.classifier(few.shape());
    int[] answers = answers(classifier, few);
    double clean = accuracy(labels, answers);
    List<String> warnings = new ArrayList<>();
    if (clean < GOOD && options != null && few.shape() instanceof InputShape.Images shape) {
      @SuppressWarnings("unchecked") // the shape says so
      DataSet<Image> images = (DataSet<Image>) few;
      @SuppressWarnings("unchecked")
      Classifier<Image> seen = (Classifier<Image>) classifier;
      ModelInput<?> input =
          model
              .input()
              .orElseGet(
                  () ->
                      ModelInput.Images.free(
                          Layout.NCHW, shape.channels(), shape.height(), shape.width()));
      if (!input.spec().type().equals("uint8")) {
        preprocessing(images, seen, options.preprocessing(input), labels, clean)
            .ifPresent(warnings::add);
      }
    }
    if (warnings.isEmpty() && nearChance(labels, answers, clean)) {
      warnings.add(
          "%.0f %% of %d %s as they are have the right answer, which is near chance. Check the order of the classes (--labels) and what the model expects (--scale, --mean, --std)"
              .formatted(100 * clean, n, set.shape().kind()));
    }
    return warnings;
  }

  private static Optional<String> preprocessing(
      DataSet<Image> few,
      Classifier<Image> classifier,
      Preprocessing given,
      int[] labels,
      double clean) {
    int channels = few.shape().axes()[0];
    Map<String, Preprocessing> others = new LinkedHashMap<>();
    others.put("pixels in [0, 1]", Preprocessing.NONE);
    others.put("pixels from 0 to 255", Preprocessing.BYTES);
    others.put("pixels from -1 to 1", Preprocessing.CENTRED);
    if (channels == 3) {
      others.put("the mean of ImageNet", Preprocessing.IMAGENET);
      others.put("the mean of CIFAR-10", Preprocessing.CIFAR10);
      others.put("the mean and the deviation of CIFAR-10", CIFAR10_PIXELS);
    }
    String best = null;
    double most = clean + FAR_HIGHER;
    for (Map.Entry<String, Preprocessing> other : others.entrySet()) {
      Classifier<Image> instead = instead(classifier, given, other.getValue(), channels);
      double found = accuracy(labels, answers(instead, few));
      if (found > most) {
        most = found;
        best = other.getKey();
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    return Optional.of(
        "%.0f %% of %d images as they are have the right answer, but %.0f %% with %s: give %s"
            .formatted(100 * clean, labels.length, 100 * most, best, options(others.get(best))));
  }

  /** The options that say it. */
  private static String options(Preprocessing p) {
    return "--scale %s --mean %s --std %s"
        .formatted(Text.of(p.scale()), list(p.mean()), list(p.std()));
  }

  private static String list(double[] numbers) {
    return Arrays.stream(numbers).mapToObj(Text::of).collect(Collectors.joining(","));
  }

  /** A classifier that preprocesses in the given way, made to see what another way gives. */
  private static Classifier<Image> instead(
      Classifier<Image> classifier, Preprocessing given, Preprocessing other, int channels) {
    Preprocessing own = given.forChannels(channels);
    Preprocessing wanted = other.forChannels(channels);
    return batch -> {
      List<Image> changed = new ArrayList<>();
      for (Image u : batch) {
        float[] out = u.data().clone();
        for (int k = 0; k < out.length; k++) {
          int c = k / u.plane();
          double number = out[k] * wanted.gain(c) + wanted.black(c);
          out[k] = (float) ((number - own.black(c)) / own.gain(c));
        }
        changed.add(new Image(u.channels(), u.height(), u.width(), out));
      }
      return classifier.scores(changed);
    };
  }

  private static <X> int[] answers(Classifier<X> classifier, DataSet<X> set) {
    int[] answers = new int[set.size()];
    for (int from = 0; from < answers.length; from += BATCH) {
      int to = Math.min(from + BATCH, answers.length);
      float[][] scores = classifier.scores(IntStream.range(from, to).mapToObj(set::input).toList());
      for (int i = from; i < to; i++) {
        answers[i] = Scores.argmax(scores[i - from]);
      }
    }
    return answers;
  }

  private static double accuracy(int[] labels, int[] answers) {
    return IntStream.range(0, labels.length).filter(i -> labels[i] == answers[i]).count()
        / (double) labels.length;
  }

  /**
   * Whether so many right answers would be no surprise if labels and answers had nothing to do with
   * each other: the chance is then Σ p(label = c) p(answer = c), give or take two standard
   * deviations. One class alone cannot tell.
   */
  static boolean nearChance(int[] labels, int[] answers, double accuracy) {
    Map<Integer, Integer> labelled = new LinkedHashMap<>();
    Map<Integer, Integer> answered = new LinkedHashMap<>();
    for (int i = 0; i < labels.length; i++) {
      labelled.merge(labels[i], 1, Integer::sum);
      answered.merge(answers[i], 1, Integer::sum);
    }
    if (labelled.size() < 2) {
      return false;
    }
    double n = labels.length;
    double chance =
        labelled.entrySet().stream()
            .mapToDouble(e -> e.getValue() / n * (answered.getOrDefault(e.getKey(), 0) / n))
            .sum();
    return accuracy <= chance + 2 * Math.sqrt(chance * (1 - chance) / n);
  }
}
