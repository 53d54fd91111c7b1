package org.orbitmap.app.report;

import java.util.List;
import java.util.Objects;
import org.orbitmap.image.Image;

/**
 * Images with a line of text each, such as the worst items of an evaluation.
 *
 * @param title the heading over it
 * @param note a sentence that says what was chosen
 * @param items the images
 */
public record Gallery(String title, String note, List<Item> items) {
  public Gallery {
    items = List.copyOf(items);
  }

  /**
   * One image.
   *
   * @param image with 1 or 3 channels
   * @param headline what was predicted
   * @param detail where it failed, what was true
   */
  public record Item(Image image, String headline, String detail) {
    public Item {
      Objects.requireNonNull(image, "image");
    }
  }
}
