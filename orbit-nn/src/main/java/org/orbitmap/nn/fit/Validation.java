package org.orbitmap.nn.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.nn.train.Sampler;

/**
 * How well a predictor finds the upright pose of inputs that it has not seen. Each comes in a pose
 * of its own, is brought to its canonical pose and then to the one that the predictor says: as the
 * mapping does it.
 */
final class Validation<X, G> {
  /** How many inputs give a figure between two epochs. */
  private static final int QUICK = 1000;

  private static final int BATCH = 250;
  private static final long EPOCH = -3;

  private final DataSet<X> data;
  private final Examples<X, G> examples;
  private final long seed;

  Validation(DataSet<X> data, Examples<X, G> examples, long seed) {
    this.data = data;
    this.examples = examples;
    this.seed = seed;
  }

  /** On some of the inputs. */
  PoseErrors quick(PredictorTask<X, G> predictor) {
    return PoseErrors.of(answers(predictor, Math.min(QUICK, data.size())), PoseErrors.CHANCE);
  }

  /** On all of them. */
  List<PoseErrors.Answer<G>> all(PredictorTask<X, G> predictor) {
    return answers(predictor, data.size());
  }

  private List<PoseErrors.Answer<G>> answers(PredictorTask<X, G> predictor, int count) {
    int length = examples.shape().length();
    float[] buffer = new float[Math.min(BATCH, count) * length];
    List<PoseErrors.Answer<G>> all = new ArrayList<>();
    for (int start = 0; start < count; start += BATCH) {
      int first = start;
      int n = Math.min(BATCH, count - start);
      List<Examples.Posed<X, G>> posed =
          IntStream.range(0, n).parallel().mapToObj(i -> posed(first + i)).toList();
      for (int i = 0; i < n; i++) {
        examples.shape().copy(posed.get(i).input(), buffer, i * length);
      }
      float[] rows = predictor.scores(buffer, n);
      int each = rows.length / n;
      for (int i = 0; i < n; i++) {
        float[] scores = Arrays.copyOfRange(rows, i * each, (i + 1) * each);
        G said = examples.said(scores);
        all.add(
            new PoseErrors.Answer<>(
                first + i,
                said,
                examples.errorDegrees(posed.get(i).upright(), said),
                examples.near(scores, said)));
      }
    }
    return all;
  }

  /** A validation input in its canonical pose; always the same. */
  Examples.Posed<X, G> posed(int index) {
    return examples.mapped(data.input(index), Sampler.random(seed, EPOCH, index));
  }
}
