package org.orbitmap.io.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Labelled;
import org.orbitmap.io.Digests;
import org.orbitmap.model.InputShape;

/**
 * Labelled clouds in space, in memory.
 *
 * @param name what users call it, such as {@code modelnet40}
 * @param classes the names of the labels 0, 1, 2, …; none if all labels are {@link
 *     Labelled#UNKNOWN}
 * @param clouds all with the same number of points
 * @param labels the class of each cloud; the array is not copied
 */
public record CloudSet(String name, List<String> classes, List<PointCloud> clouds, int[] labels)
    implements DataSet<PointCloud> {
  public CloudSet {
    Objects.requireNonNull(name, "name");
    classes = List.copyOf(classes);
    clouds = List.copyOf(clouds);
    if (clouds.isEmpty() || clouds.size() != labels.length) {
      throw new IllegalArgumentException(
          "%s: expected clouds with one label each, found %d clouds and %d labels"
              .formatted(name, clouds.size(), labels.length));
    }
    for (int i = 0; i < labels.length; i++) {
      PointCloud cloud = clouds.get(i);
      if (cloud.dimension() != 3 || cloud.size() != clouds.get(0).size()) {
        throw new IllegalArgumentException(
            "%s: expected clouds of %d points in space, found %s at number %d"
                .formatted(name, clouds.get(0).size(), cloud, i));
      }
      if (labels[i] >= classes.size() || (labels[i] == Labelled.UNKNOWN) != classes.isEmpty()) {
        throw new IllegalArgumentException(
            "%s: expected labels in 0..%d, found %d at cloud %d"
                .formatted(name, classes.size() - 1, labels[i], i));
      }
    }
  }

  /**
   * A set of clouds as what it is.
   *
   * @throws IllegalArgumentException if it is one of another kind
   */
  public static CloudSet of(DataSet<?> set) {
    if (set instanceof CloudSet clouds) {
      return clouds;
    }
    throw new IllegalArgumentException(
        "%s: expected clouds, found %s".formatted(set.name(), set.shape()));
  }

  @Override
  public int size() {
    return labels.length;
  }

  /** The number of points of each cloud. */
  public int points() {
    return clouds.get(0).size();
  }

  @Override
  public InputShape<PointCloud> shape() {
    return new InputShape.Clouds(points());
  }

  @Override
  public PointCloud input(int i) {
    return clouds.get(i);
  }

  @Override
  public int label(int i) {
    return labels[i];
  }

  @Override
  public CloudSet subset(int[] indices) {
    return new CloudSet(
        name,
        classes,
        IntStream.of(indices).mapToObj(clouds::get).toList(),
        IntStream.of(indices).map(i -> labels[i]).toArray());
  }

  @Override
  public String digest() {
    MessageDigest sha = Digests.sha256();
    sha.update(String.join("\n", classes).getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < labels.length; i++) {
      float[] x = clouds.get(i).coordinates();
      ByteBuffer b = ByteBuffer.allocate(4 + 4 * x.length).putInt(labels[i]);
      b.asFloatBuffer().put(x);
      sha.update(b.array());
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  @Override
  public String toString() {
    return "CloudSet[%s: %,d clouds of %,d points in %d classes]"
        .formatted(name, size(), points(), classes.size());
  }
}
