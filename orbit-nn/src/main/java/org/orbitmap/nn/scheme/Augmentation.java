package org.orbitmap.nn.scheme;

import java.util.random.RandomGenerator;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.Framing;

/**
 * The changes of training images that do not rotate them.
 *
 * @param crop pixels of black border added on every side before a random window of the old size is
 *     taken; 0 for none
 * @param flip whether every second image is mirrored left to right
 * @param verticalFlip whether every second image is mirrored top to bottom
 * @param jitter brightness, contrast and saturation are multiplied by factors in [1 - jitter, 1 +
 *     jitter]; 0 for none
 * @param area the least share of an image's area that is shown, scaled to the old size: the share
 *     is uniform in [area, 1], the proportions between 3:4 and 4:3 (random resized crop); 0 for
 *     none
 */
public record Augmentation(
    int crop, boolean flip, boolean verticalFlip, double jitter, double area) {
  private static final double WIDEST = 4.0 / 3;
  private static final int TRIES = 10;

  public Augmentation {
    if (!(area >= 0 && area <= 1)) {
      throw new IllegalArgumentException("area: expected a share in [0, 1], found " + area);
    }
    if (crop < 0) {
      throw new IllegalArgumentException("crop: expected 0 or more pixels, found " + crop);
    }
    if (!(jitter >= 0 && jitter < 1)) {
      throw new IllegalArgumentException("jitter: expected a number in [0, 1), found " + jitter);
    }
  }

  /** Without a random resized crop. */
  public Augmentation(int crop, boolean flip, boolean verticalFlip, double jitter) {
    this(crop, flip, verticalFlip, jitter, 0);
  }

  /** The same with a random resized crop of at least a share of the area. */
  public Augmentation area(double least) {
    return new Augmentation(crop, flip, verticalFlip, jitter, least);
  }

  /** Nothing is changed. */
  public static final Augmentation NONE = new Augmentation(0, false, false, 0);

  /**
   * A random part of an image: area and proportions are drawn up to ten times until such a part
   * fits; then its place. What never fits is the largest central part of allowed proportions.
   */
  Framing framing(RandomGenerator random) {
    return (width, height) -> {
      for (int k = 0; k < TRIES; k++) {
        double share = area < 1 ? random.nextDouble(area, 1) : 1;
        double ratio = Math.exp(random.nextDouble(-Math.log(WIDEST), Math.log(WIDEST)));
        long w = Math.round(Math.sqrt(share * width * height * ratio));
        long h = Math.round(Math.sqrt(share * width * height / ratio));
        if (w > 0 && h > 0 && w <= width && h <= height) {
          return new Framing.Window(
              random.nextInt((int) (width - w + 1)), random.nextInt((int) (height - h + 1)), w, h);
        }
      }
      double w = Math.min(width, height * WIDEST);
      double h = Math.min(height, width * WIDEST);
      return new Framing.Window((width - w) / 2, (height - h) / 2, w, h);
    };
  }

  /** A random window of the padded image, then colour jitter. */
  Image crop(Image image, RandomGenerator random) {
    if (crop == 0) {
      return jitter(image, random);
    }
    int dy = random.nextInt(-crop, crop + 1);
    int dx = random.nextInt(-crop, crop + 1);
    int h = image.height();
    int w = image.width();
    Image out = Image.black(image.channels(), h, w);
    int from = Math.max(0, -dx);
    int to = Math.min(w, w - dx);
    for (int c = 0; c < image.channels(); c++) {
      for (int y = Math.max(0, -dy); y < Math.min(h, h - dy) && to > from; y++) {
        System.arraycopy(
            image.data(),
            (c * h + y + dy) * w + from + dx,
            out.data(),
            (c * h + y) * w + from,
            to - from);
      }
    }
    return jitter(out, random);
  }

  /** The mirror images that are asked for, each with probability 1/2. */
  Image flip(Image image, RandomGenerator random) {
    Image flipped = flip && random.nextBoolean() ? image.mirrored() : image;
    return verticalFlip && random.nextBoolean() ? upsideDown(flipped) : flipped;
  }

  private static Image upsideDown(Image image) {
    int w = image.width();
    Image out = Image.black(image.channels(), image.height(), w);
    for (int row = 0; row < image.channels() * image.height(); row++) {
      int y = row % image.height();
      System.arraycopy(
          image.data(), row * w, out.data(), (row - y + image.height() - 1 - y) * w, w);
    }
    return out;
  }

  private Image jitter(Image image, RandomGenerator random) {
    if (jitter == 0) {
      return image;
    }
    float brightness = (float) (1 + jitter * random.nextDouble(-1, 1));
    float contrast = (float) (1 + jitter * random.nextDouble(-1, 1));
    float saturation = (float) (1 + jitter * random.nextDouble(-1, 1));
    int plane = image.plane();
    int channels = image.channels();
    double sum = 0;
    for (float v : image.data()) {
      sum += v;
    }
    float mean = (float) (sum / image.data().length);
    Image out = Image.black(channels, image.height(), image.width());
    for (int p = 0; p < plane; p++) {
      float grey = 0;
      for (int c = 0; c < channels; c++) {
        grey += image.data()[c * plane + p];
      }
      grey /= channels;
      for (int c = 0; c < channels; c++) {
        float v = image.data()[c * plane + p];
        v = grey + saturation * (v - grey);
        v = brightness * (mean + contrast * (v - mean));
        out.data()[c * plane + p] = Math.min(1, Math.max(0, v));
      }
    }
    return out;
  }
}
