package org.orbitmap.io.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.eval.Labelled;
import org.orbitmap.io.Digests;
import org.orbitmap.model.InputShape;

/**
 * The inputs of a set with other labels.
 *
 * @param set the inputs
 * @param classes the names of the labels; none if all labels are {@link Labelled#UNKNOWN}
 * @param labels one for each input; the array is not copied
 */
record Relabelled<X>(DataSet<X> set, List<String> classes, int[] labels) implements DataSet<X> {
  Relabelled {
    classes = List.copyOf(classes);
    if (labels.length != set.size()) {
      throw new IllegalArgumentException(
          "%s: expected %d labels, found %d".formatted(set.name(), set.size(), labels.length));
    }
    for (int label : labels) {
      if (label >= classes.size() || (label == Labelled.UNKNOWN) != classes.isEmpty()) {
        throw new IllegalArgumentException(
            "%s: expected labels in 0..%d, found %d"
                .formatted(set.name(), classes.size() - 1, label));
      }
    }
  }

  @Override
  public String name() {
    return set.name();
  }

  @Override
  public int size() {
    return set.size();
  }

  @Override
  public InputShape<X> shape() {
    return set.shape();
  }

  @Override
  public X input(int i) {
    return set.input(i);
  }

  @Override
  public int label(int i) {
    return labels[i];
  }

  @Override
  public DataSet<X> subset(int[] indices) {
    return new Relabelled<>(
        set.subset(indices), classes, IntStream.of(indices).map(i -> labels[i]).toArray());
  }

  @Override
  public String digest() {
    MessageDigest sha = Digests.sha256();
    sha.update((set.digest() + "\n" + String.join("\n", classes)).getBytes(StandardCharsets.UTF_8));
    ByteBuffer bytes = ByteBuffer.allocate(4 * labels.length);
    bytes.asIntBuffer().put(labels);
    return HexFormat.of().formatHex(sha.digest(bytes.array()));
  }
}
