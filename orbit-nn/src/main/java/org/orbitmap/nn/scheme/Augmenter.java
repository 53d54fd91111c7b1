package org.orbitmap.nn.scheme;

import java.util.random.RandomGenerator;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.image.Framing;
import org.orbitmap.io.image.ImageFit;
import org.orbitmap.io.photo.PhotoSet;
import org.orbitmap.model.InputShape;

/**
 * How training inputs of a kind can be changed: the pieces that schemes put together.
 *
 * @param <X> the inputs
 */
public interface Augmenter<X> {
  /** An input of a set as it is, or a random part of it. */
  default X take(DataSet<X> data, int i, RandomGenerator random) {
    return data.input(i);
  }

  /** A random part; images in other colours, clouds in another size and place. */
  X crop(X x, RandomGenerator random);

  /** A mirror image, if asked for. */
  X flip(X x, RandomGenerator random);

  /**
   * A random element of the group applied: SO(2) on images, SO(3) on clouds.
   *
   * @param how images are read between pixels
   */
  X rotate(X x, Interpolation how, RandomGenerator random);

  /**
   * The changes of a configuration for inputs of a kind.
   *
   * @throws IllegalArgumentException if it asks for what these inputs do not have
   */
  @SuppressWarnings("unchecked") // the shape tells the type of its inputs
  static <X> Augmenter<X> of(InputShape<X> shape, Augmentation plain, CloudAugmentation clouds) {
    if (shape instanceof InputShape.Images) {
      if (!clouds.equals(CloudAugmentation.NONE)) {
        throw new IllegalArgumentException(
            "cloud-augmentation: expected scale 1, no shift and no dropout for images, found "
                + clouds);
      }
      return (Augmenter<X>) new OfImages(plain);
    }
    if (!plain.equals(Augmentation.NONE)) {
      throw new IllegalArgumentException(
          "augmentation: expected crop 0, no flips, jitter 0 and area 0 for %s, found %s"
              .formatted(shape.kind(), plain));
    }
    if (shape instanceof InputShape.Clouds) {
      return (Augmenter<X>) new OfClouds(clouds);
    }
    throw new IllegalArgumentException(
        "augmentation: expected images or clouds, found " + shape.kind());
  }

  /** Images: crop, jitter, flips, rotations that show black outside. */
  record OfImages(Augmentation plain) implements Augmenter<Image> {
    @Override
    public Image take(DataSet<Image> data, int i, RandomGenerator random) {
      if (plain.area() == 0) {
        return data.input(i);
      }
      Framing framing = plain.framing(random);
      return data instanceof PhotoSet photos
          ? photos.input(i, framing)
          : ImageFit.fit(data.input(i), framing);
    }

    @Override
    public Image crop(Image x, RandomGenerator random) {
      return plain.crop(x, random);
    }

    @Override
    public Image flip(Image x, RandomGenerator random) {
      return plain.flip(x, random);
    }

    @Override
    public Image rotate(Image x, Interpolation how, RandomGenerator random) {
      return new ImageRotation(Resampling.of(how))
          .act(Rotation2.ofDegrees(random.nextDouble(-180, 180)), x);
    }
  }

  /** Clouds: dropout of points, scale, shift, Haar-random rotations about the origin. */
  record OfClouds(CloudAugmentation plain) implements Augmenter<PointCloud> {
    private static final SimilarityGroup ROTATIONS = SimilarityGroup.so(3);

    @Override
    public PointCloud crop(PointCloud x, RandomGenerator random) {
      return plain.equals(CloudAugmentation.NONE) ? x : plain.change(x, random);
    }

    @Override
    public PointCloud flip(PointCloud x, RandomGenerator random) {
      return x;
    }

    @Override
    public PointCloud rotate(PointCloud x, Interpolation how, RandomGenerator random) {
      return new CloudAction(ROTATIONS).act(ROTATIONS.sample(random), x);
    }
  }
}
