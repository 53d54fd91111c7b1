package org.orbitmap.nn.network;

import java.util.Arrays;
import java.util.Locale;

/**
 * Which network, for which images.
 *
 * @param kind the family
 * @param width factor on the channels of the hidden layers; 1 as published
 * @param tiPooling whether the features are the maximum over the four quarter turns of the image
 *     (TI-pooling)
 * @param channels of the images
 * @param height of the images
 * @param columns of the images
 * @param classes the number of outputs
 */
public record Architecture(
    Kind kind,
    double width,
    boolean tiPooling,
    int channels,
    int height,
    int columns,
    int classes) {
  /** The networks of the paper. */
  public enum Kind {
    /** One linear layer on the pixels. */
    LINEAR,
    /** Five convolutions and a linear layer, no batch normalisation. */
    CONVNET,
    /** ResNet-18 with a 3 x 3 stem and no stem pooling, for small images. */
    RESNET18,
    /** ResNet-50 with the ImageNet stem. */
    RESNET50;

    /** The name users write. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The network with this name. */
    public static Kind named(String name) {
      return Arrays.stream(values())
          .filter(k -> k.id().equalsIgnoreCase(name.trim()))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "network: expected linear, convnet, resnet18 or resnet50, found " + name));
    }
  }

  public Architecture {
    if (classes < 2) {
      throw new IllegalArgumentException("network: expected at least 2 classes, found " + classes);
    }
    if (!(width > 0 && width <= 16)) {
      throw new IllegalArgumentException(
          "network: expected a width factor in (0, 16], found " + width);
    }
    if (tiPooling && height != columns) {
      throw new IllegalArgumentException(
          "TI-pooling: expected square images, found %d x %d".formatted(height, columns));
    }
    int least =
        switch (kind) {
          case LINEAR -> 1;
          case CONVNET -> 9;
          case RESNET18 -> 8;
          case RESNET50 -> 32;
        };
    if (Math.min(height, columns) < least) {
      throw new IllegalArgumentException(
          "%s: expected images of at least %d x %d, found %d x %d"
              .formatted(kind.id(), least, least, height, columns));
    }
  }
}
