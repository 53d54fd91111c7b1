package org.orbitmap.app.audit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Scores;
import org.orbitmap.io.Digests;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;

/**
 * Inputs that have no label but what a model says of them as they are: its accuracy over a sweep is
 * how often its answer stays.
 *
 * @param labels the model's answers
 * @param classes the names of all answers that it can give
 */
public record OwnAnswers<X>(
    String name, List<String> classes, InputShape<X> shape, List<X> inputs, int[] labels)
    implements DataSet<X> {

  /** Asks a model. */
  public static <X> OwnAnswers<X> of(
      String name, List<String> classes, InputShape<X> shape, List<X> inputs, Classifier<X> model) {
    int[] labels = Arrays.stream(model.scores(inputs)).mapToInt(Scores::argmax).toArray();
    return new OwnAnswers<>(name, classes, shape, List.copyOf(inputs), labels);
  }

  @Override
  public int size() {
    return labels.length;
  }

  @Override
  public X input(int i) {
    return inputs.get(i);
  }

  @Override
  public int label(int i) {
    return labels[i];
  }

  @Override
  public OwnAnswers<X> subset(int[] indices) {
    return new OwnAnswers<>(
        name,
        classes,
        shape,
        IntStream.of(indices).mapToObj(inputs::get).toList(),
        IntStream.of(indices).map(i -> labels[i]).toArray());
  }

  @Override
  public String digest() {
    float[] all = shape.pack(name, inputs);
    ByteBuffer bytes = ByteBuffer.allocate(4 * (all.length + labels.length));
    IntStream.of(labels).forEach(bytes::putInt);
    bytes.asFloatBuffer().put(all);
    return HexFormat.of().formatHex(Digests.sha256().digest(bytes.array()));
  }
}
