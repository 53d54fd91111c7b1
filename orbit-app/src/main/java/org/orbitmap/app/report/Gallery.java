package org.orbitmap.app.report;

import java.util.List;
import java.util.Objects;
import org.orbitmap.image.Image;

/**
 * Pictures with a line of text each, such as the worst items of an evaluation.
 *
 * @param title the heading over it
 * @param note a sentence that says what was chosen
 * @param items the pictures
 */
public record Gallery(String title, String note, List<Item> items) {
  public Gallery {
    items = List.copyOf(items);
  }

  /**
   * One picture.
   *
   * @param picture with 1 or 3 channels
   * @param headline what was predicted
   * @param detail where it failed, what was true
   */
  public record Item(Image picture, String headline, String detail) {
    public Item {
      Objects.requireNonNull(picture, "picture");
    }
  }
}
