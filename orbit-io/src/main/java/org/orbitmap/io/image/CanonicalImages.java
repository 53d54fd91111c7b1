package org.orbitmap.io.image;

import java.awt.image.BufferedImage;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.orbitmap.image.Image;
import org.orbitmap.orbit.OrbitMapping;

/**
 * An orbit mapping as a step of a pipeline of JDK images: each becomes its canonical image, with 8
 * bits a sample.
 *
 * @param mapping the mapping, such as {@code RotationMapping.disc()}
 */
public record CanonicalImages(OrbitMapping<?, Image> mapping)
    implements UnaryOperator<BufferedImage> {
  public CanonicalImages {
    Objects.requireNonNull(mapping, "mapping");
  }

  @Override
  public BufferedImage apply(BufferedImage image) {
    return ImageFiles.toBufferedImage(mapping.map(ImageFiles.of(image)).point());
  }
}
