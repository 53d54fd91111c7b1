package org.orbitmap.nn.scheme;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.train.Augmentation;

/**
 * A way to train: how a training image is changed before the network sees it, and the loss. A new
 * scheme is one small class; adversarial schemes choose their images in {@link #loss}.
 */
public interface Scheme {
  /** The name users choose it by. */
  String name();

  /** A changed copy of a training image. */
  Image augment(Image image, Augmentation plain, RandomGenerator random);

  /** A changed copy of a validation image; as it is unless the scheme says otherwise. */
  default Image validate(Image image, RandomGenerator random) {
    return image;
  }

  /** The loss of a batch of raw images; cross-entropy unless the scheme says otherwise. */
  default Tensor loss(Model model, Tensor images, Tensor labels, RandomGenerator random) {
    return torch.cross_entropy(model.logits(images, true), labels);
  }

  /** All schemes. */
  static List<Scheme> all() {
    return List.of(new Standard(), new Rotated(), new RotatedCombined());
  }

  /** The scheme with this name. */
  static Scheme named(String name) {
    return all().stream()
        .filter(s -> s.name().equalsIgnoreCase(name.trim()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "scheme: expected one of %s, found %s"
                        .formatted(all().stream().map(Scheme::name).toList(), name)));
  }

  /** Std: crop and flip. */
  final class Standard implements Scheme {
    @Override
    public String name() {
      return "std";
    }

    @Override
    public Image augment(Image image, Augmentation plain, RandomGenerator random) {
      return plain.flip(plain.crop(image, random), random);
    }
  }

  /** RA: crop, a uniform random rotation (nearest, black outside), flip; validation rotated too. */
  final class Rotated implements Scheme {
    @Override
    public String name() {
      return "ra";
    }

    @Override
    public Image augment(Image image, Augmentation plain, RandomGenerator random) {
      return plain.flip(validate(plain.crop(image, random), random), random);
    }

    @Override
    public Image validate(Image image, RandomGenerator random) {
      return turn(image, Interpolation.NEAREST, random);
    }
  }

  /**
   * RA-combined: a rotation with nearest, one with bilinear, one with bicubic interpolation, each
   * with probability 1/4, then flip and crop.
   */
  final class RotatedCombined implements Scheme {
    @Override
    public String name() {
      return "ra-combined";
    }

    @Override
    public Image augment(Image image, Augmentation plain, RandomGenerator random) {
      return plain.crop(plain.flip(validate(image, random), random), random);
    }

    @Override
    public Image validate(Image image, RandomGenerator random) {
      Image rotated = image;
      for (Interpolation i : Arrays.asList(Interpolation.values())) {
        if (random.nextDouble() < 0.25) {
          rotated = turn(rotated, i, random);
        }
      }
      return rotated;
    }
  }

  private static Image turn(Image image, Interpolation interpolation, RandomGenerator random) {
    return new ImageRotation(Resampling.of(interpolation))
        .act(Rotation2.ofDegrees(random.nextDouble(-180, 180)), image);
  }
}
