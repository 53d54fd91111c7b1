package org.orbitmap.io.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.image.ImageFiles;

/** Images in folders, one folder for each class, or listed with their labels. */
public final class FolderImages {
  private FolderImages() {}

  /**
   * An image file and its class.
   *
   * @param file the image
   * @param label the class
   */
  record Entry(Path file, int label) {}

  /**
   * Reads {@code folder/class/image.png}; the classes are the folders in alphabetical order.
   *
   * @param chosen which of the images
   * @param size images become the central square, averaged to size x size; 0 leaves them as they
   *     are, and then all must have the same size
   * @param limit how many images at most, as evenly over the classes as they allow; the others are
   *     not read
   */
  public static ImageSet read(String name, Path folder, Predicate<Path> chosen, int size, int limit)
      throws IOException {
    Map<String, List<Path>> classes = classes(folder);
    return read(name, List.copyOf(classes.keySet()), folder, chosen, size, limit);
  }

  /**
   * The same for given classes, of which some may have no folder.
   *
   * @throws FormatException if there is a folder of another class
   */
  static ImageSet read(
      String name, List<String> names, Path folder, Predicate<Path> chosen, int size, int limit)
      throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (Map.Entry<String, List<Path>> c : classes(folder).entrySet()) {
      int label = names.indexOf(c.getKey());
      if (label < 0) {
        throw new FormatException(
            folder.resolve(c.getKey()), "one of the classes " + names, "none");
      }
      if (c.getValue().isEmpty()) {
        throw new FormatException(
            folder.resolve(c.getKey()), "at least one image in the folder of every class", "none");
      }
      c.getValue().stream().filter(chosen).forEach(f -> entries.add(new Entry(f, label)));
    }
    return read(name, names, entries, size, limit);
  }

  /** The image files in each sub-folder, in alphabetical order. */
  static Map<String, List<Path>> classes(Path folder) throws IOException {
    return LabelledFiles.classes(folder, ImageFiles::isImage, "images");
  }

  /**
   * Reads listed images, in parallel; at most so many, as evenly over the classes as they allow.
   */
  static ImageSet read(String name, List<String> classes, List<Entry> listed, int size, int limit)
      throws IOException {
    if (listed.isEmpty()) {
      throw new IllegalArgumentException(name + ": expected images, found none");
    }
    int[] all = listed.stream().mapToInt(Entry::label).toArray();
    List<Entry> entries =
        IntStream.of(LabelledFiles.evenly(all, limit)).mapToObj(listed::get).toList();
    List<Image> images =
        LabelledFiles.read(
            name,
            entries.stream().map(Entry::file).toList(),
            file -> {
              Image image = ImageFiles.read(file);
              return size > 0 ? square(image, size) : image;
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
  static byte[] bytes(Image image, int channels) {
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

  /** The central square, each new pixel the average of the area that it covers. */
  public static Image square(Image image, int size) {
    return fit(image, size, size);
  }

  /**
   * The largest central part of the proportions that are asked for, each new pixel the average of
   * the area that it covers.
   */
  public static Image fit(Image image, int height, int width) {
    boolean tall = (long) image.height() * width > (long) image.width() * height;
    double rows = tall ? (double) image.width() * height / width : image.height();
    double columns = tall ? image.width() : (double) image.height() * width / height;
    double top = (image.height() - rows) / 2;
    double left = (image.width() - columns) / 2;
    double step = tall ? columns / width : rows / height;
    Image out = Image.black(image.channels(), height, width);
    for (int c = 0; c < image.channels(); c++) {
      for (int i = 0; i < height; i++) {
        for (int j = 0; j < width; j++) {
          out.data()[(c * height + i) * width + j] =
              (float) average(image, c, top + i * step, left + j * step, step);
        }
      }
    }
    return out;
  }

  private static double average(Image image, int c, double y0, double x0, double step) {
    double sum = 0;
    double area = 0;
    for (int y = (int) y0; y < Math.min(image.height(), Math.ceil(y0 + step - 1e-9)); y++) {
      double dy = Math.min(y + 1, y0 + step) - Math.max(y, y0);
      for (int x = (int) x0; x < Math.min(image.width(), Math.ceil(x0 + step - 1e-9)); x++) {
        double a = dy * (Math.min(x + 1, x0 + step) - Math.max(x, x0));
        sum += a * image.at(c, y, x);
        area += a;
      }
    }
    return sum / area;
  }
}
