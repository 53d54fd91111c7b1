package org.orbitmap.io.data;

import java.io.IOException;
import java.util.List;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.data.LabelledFiles.Entry;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFit;

/** Image files that are listed with their labels. */
public final class LabelledImages {
  private LabelledImages() {}

  /**
   * Reads listed images, in parallel; those that the choice leaves out are not read.
   *
   * @param classes the names of the labels
   * @param choice without a size, all images must have the same size
   */
  public static ImageSet read(String name, List<String> classes, List<Entry> listed, Choice choice)
      throws IOException {
    if (listed.isEmpty()) {
      throw new IllegalArgumentException(name + ": expected images, found none");
    }
    List<Entry> entries = LabelledFiles.evenly(listed, choice.most());
    List<Image> images =
        LabelledFiles.read(
            name,
            entries.stream().map(Entry::file).toList(),
            file -> {
              Image image = ImageFiles.read(file);
              return choice.hasSize()
                  ? ImageFit.fit(image, choice.height(), choice.width())
                  : image;
            });
    int channels = images.stream().anyMatch(u -> u.channels() == 3) ? 3 : 1;
    int h = images.get(0).height();
    int w = images.get(0).width();
    byte[][] pixels = new byte[images.size()][];
    int[] labels = new int[images.size()];
    for (int i = 0; i < pixels.length; i++) {
      Image image = images.get(i);
      if (image.height() != h || image.width() != w) {
        throw new FormatException(
            entries.get(i).file(),
            "%d x %d pixels as in %s".formatted(w, h, entries.get(0).file()),
            "%d x %d. Give a size, and all are cropped and scaled to it"
                .formatted(image.width(), image.height()));
      }
      pixels[i] = bytes(image, channels);
      labels[i] = entries.get(i).label();
      images.set(i, null);
    }
    return new ImageSet(name, classes, channels, h, w, pixels, labels);
  }

  /** Eight bits a sample; a grey image in a set of colour images gets equal channels. */
  public static byte[] bytes(Image image, int channels) {
    int plane = image.plane();
    byte[] out = new byte[channels * plane];
    for (int c = 0; c < channels; c++) {
      int from = Math.min(c, image.channels() - 1) * plane;
      for (int p = 0; p < plane; p++) {
        out[c * plane + p] = (byte) ImageFiles.toByte(image.data()[from + p]);
      }
    }
    return out;
  }
}
