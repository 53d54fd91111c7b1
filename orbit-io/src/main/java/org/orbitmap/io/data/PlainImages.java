package org.orbitmap.io.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.image.Image;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFit;

/**
 * Images without labels, each in a size of its own.
 *
 * @param files where they were read
 * @param images what is in them
 * @param scaled how many were larger than asked for
 */
public record PlainImages(List<Path> files, List<Image> images, int scaled) {
  public PlainImages {
    files = List.copyOf(files);
    images = List.copyOf(images);
  }

  /**
   * The images in a folder and below it, in alphabetical order, or one file.
   *
   * @param longest larger images are scaled down until their longer side is this
   * @param limit how many at most, evenly from all; 0 for all
   * @throws IOException that counts those that cannot be read and names the first of them
   */
  public static PlainImages read(Path folder, int longest, int limit) throws IOException {
    List<Path> all = LabelledFiles.below(folder, ImageFiles::isImage);
    if (all.isEmpty()) {
      throw new FormatException(folder, "images", "none");
    }
    int n = limit == 0 ? all.size() : Math.min(limit, all.size());
    List<Path> files =
        IntStream.range(0, n).mapToObj(i -> all.get((int) ((long) i * all.size() / n))).toList();
    record Read(Image image, boolean scaled) {}
    List<Read> read =
        LabelledFiles.read(
            LabelledFiles.name(folder),
            files,
            f -> {
              Image image = ImageFiles.read(f);
              int side = Math.max(image.height(), image.width());
              return side <= longest
                  ? new Read(image, false)
                  : new Read(
                      ImageFit.fit(
                          image,
                          part(image.height(), longest, side),
                          part(image.width(), longest, side)),
                      true);
            });
    return new PlainImages(
        files,
        read.stream().map(Read::image).toList(),
        (int) read.stream().filter(Read::scaled).count());
  }

  private static int part(int length, int longest, int side) {
    return Math.max(1, (int) Math.round((double) length * longest / side));
  }

  /** SHA-256 over the images: the same digest means the same images in the same order. */
  public String digest() {
    var sha = Digests.sha256();
    for (Image u : images) {
      String shape = "%d x %d x %d".formatted(u.channels(), u.height(), u.width());
      sha.update(Inventory.Item.of(shape, u.data().length, u.data()).digest());
    }
    return HexFormat.of().formatHex(sha.digest());
  }
}
