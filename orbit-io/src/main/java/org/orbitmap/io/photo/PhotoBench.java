package org.orbitmap.io.photo;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.orbitmap.io.data.LabelledFiles.Entry;
import org.orbitmap.io.image.Framing;
import org.orbitmap.io.image.PhotoReader;

/** How fast photographs are read on this machine. */
public final class PhotoBench {
  private static final int WIDTH = 500;
  private static final int HEIGHT = 375;
  private static final int FILES = 32;

  private PhotoBench() {}

  /**
   * Rates of reading JPEG files of 500 x 375 as 224 x 224, in photographs for each second of one
   * core's time.
   *
   * @param centre the central part
   * @param part random parts of at least 8 % of the area
   * @param fast whether by the fast library
   */
  public record Rates(double centre, double part, boolean fast) {}

  /**
   * Measures, on one thread, by the time that the processor spent on it.
   *
   * @param folder where some files are written for it
   * @param seconds for each figure
   */
  public static Rates run(Path folder, double seconds) throws IOException {
    List<Entry> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      Path file = folder.resolve(i + ".jpg");
      ImageIO.write(photograph(i), "jpg", file.toFile());
      files.add(new Entry(file, 0));
    }
    PhotoSet set = new PhotoSet("bench", List.of("all"), files, 224, 224);
    Framing centre = Framing.centre(224, 224);
    SplittableRandom random = new SplittableRandom(1);
    Framing part =
        (w, h) -> {
          double side = Math.sqrt(random.nextDouble(0.08, 1)) * Math.min(w, h);
          return new Framing.Window(
              random.nextDouble() * (w - side), random.nextDouble() * (h - side), side, side);
        };
    rate(set, centre, seconds / 2); // until the code is compiled
    Rates rates =
        new Rates(rate(set, centre, seconds), rate(set, part, seconds), PhotoReader.isFast());
    for (Entry e : files) {
      Files.delete(e.file());
    }
    return rates;
  }

  private static double rate(PhotoSet set, Framing framing, double seconds) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    int read = 0;
    double spent = 0;
    while (spent < seconds) {
      set.input(read % set.size(), framing);
      read++;
      spent = (threads.getCurrentThreadCpuTime() - start) / 1e9;
    }
    return read / spent;
  }

  /** Waves, edges and noise: it compresses like a photograph, to some 60 kB. */
  private static BufferedImage photograph(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    double fx = random.nextDouble(0.01, 0.1);
    double fy = random.nextDouble(0.01, 0.1);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        double wave = Math.sin(fx * x) * Math.cos(fy * y) + ((x / 37 + y / 29) % 2 == 0 ? 0.4 : 0);
        int level = (int) (110 + 70 * wave + random.nextInt(-12, 13));
        int r = Math.max(0, Math.min(255, level));
        int g = Math.max(0, Math.min(255, level + x / 10 - 20));
        int b = Math.max(0, Math.min(255, 200 - level + y / 10));
        image.setRGB(x, y, r << 16 | g << 8 | b);
      }
    }
    return image;
  }
}
