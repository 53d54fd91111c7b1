package org.orbitmap.io.image;

import java.util.List;
import java.util.Objects;
import org.orbitmap.image.Image;

/**
 * An image as it was read, and what became of things that an {@link Image} cannot hold.
 *
 * @param image the samples, in [0, 1]
 * @param bits how finely the samples were read: 8, or 16 for files with more than 8 bits
 * @param remarks what was left out or changed, a phrase each, such as {@code the first of 3 pages}
 */
public record ReadImage(Image image, int bits, List<String> remarks) {
  public ReadImage {
    Objects.requireNonNull(image, "image");
    remarks = List.copyOf(remarks);
  }
}
