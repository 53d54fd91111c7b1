package org.orbitmap.io.data.source;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Download;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledImages;
import org.orbitmap.io.data.Split;

/**
 * RotMNIST's protocol, rebuilt from MNIST: 12,000 digits for training and 50,000 for testing out of
 * all 70,000, each rotated by a uniform random angle (bilinear, black outside). Choice and angles
 * are seeded. With a size of 29 x 29 the digits first get a black row and column at the bottom and
 * the right, so that the image has a pixel in its middle, as steerable networks are also published.
 */
public final class RotatedMnist implements DataSource {
  private static final Mnist MNIST = new Mnist();
  private static final long SEED = 2022;
  private static final int TRAIN = 12_000;
  private static final int ALL = 62_000;
  private static final int ODD = 29;

  @Override
  public String name() {
    return "rotmnist";
  }

  @Override
  public String home() {
    return MNIST.home();
  }

  @Override
  public boolean holds(Path folder) {
    return MNIST.holds(folder);
  }

  @Override
  public ImageSet read(Path folder, Split split, Choice choice) throws IOException {
    ImageSet digits = MNIST.read(folder, Split.ALL, Choice.ALL);
    SplittableRandom random = new SplittableRandom(SEED);
    int[] order = IntStream.range(0, digits.size()).toArray();
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int t = order[i];
      order[i] = order[j];
      order[j] = t;
    }
    double[] degrees = random.doubles(order.length, 0, 360).toArray();
    int from = split == Split.TEST ? TRAIN : 0;
    int to = Math.min(order.length, split == Split.TRAIN ? TRAIN : ALL);
    if (from >= to) {
      throw new FormatException(
          folder, "more than %,d digits".formatted(TRAIN), "%,d".formatted(order.length));
    }
    ImageSet chosen = digits.subset(Arrays.copyOfRange(order, from, to)).first(choice.most());
    ImageRotation action = new ImageRotation(Resampling.BILINEAR);
    boolean odd = choice.height() == ODD && choice.width() == ODD;
    int height = odd ? ODD : chosen.height();
    int width = odd ? ODD : chosen.width();
    byte[][] pixels = new byte[chosen.size()][];
    IntStream.range(0, pixels.length)
        .parallel()
        .forEach(
            i ->
                pixels[i] =
                    LabelledImages.bytes(
                        action.act(
                            Rotation2.ofDegrees(degrees[from + i]),
                            padded(chosen.image(i), height, width)),
                        1));
    return new ImageSet(name(), chosen.classes(), 1, height, width, pixels, chosen.labels());
  }

  /** Black below and at the right. */
  private static Image padded(Image u, int height, int width) {
    if (u.height() == height && u.width() == width) {
      return u;
    }
    Image out = Image.black(1, height, width);
    for (int row = 0; row < u.height(); row++) {
      System.arraycopy(u.data(), row * u.width(), out.data(), row * width, u.width());
    }
    return out;
  }

  @Override
  public List<Download> downloads() {
    return MNIST.downloads();
  }
}
