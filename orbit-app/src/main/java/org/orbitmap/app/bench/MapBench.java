package org.orbitmap.app.bench;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.image.ImageFiles;

/**
 * {@code orbit map} of folders, whole commands with their start, in turn with a Python script that
 * does the same with OpenCV on one core; the least of several rounds counts.
 */
public final class MapBench {
  private static final String SCRIPT = "map_opencv.py";

  /** A folder of images, all of one kind. */
  private record Kind(String name, String ending, int files, int height, int width) {}

  private static final List<Kind> KINDS =
      List.of(new Kind("png-32", "png", 6000, 32, 32), new Kind("jpeg-256", "jpg", 1200, 370, 256));

  private MapBench() {}

  /**
   * Measures.
   *
   * @param folder where files are written, and deleted
   * @param python one with OpenCV; empty for none
   */
  public static List<Figure> run(Path folder, int rounds, Optional<Path> python, Progress progress)
      throws IOException {
    List<Figure> figures = new ArrayList<>();
    int done = 0;
    for (Kind kind : KINDS) {
      Path in = Files.createDirectories(folder.resolve(kind.name));
      for (int i = 0; i < kind.files; i++) {
        Path file = in.resolve("%05d.%s".formatted(i, kind.ending));
        BufferedImage image = photograph(kind, i);
        if (kind.ending.equals("png")) {
          Files.write(file, ImageFiles.png(ImageFiles.of(image)));
        } else {
          ImageIO.write(image, kind.ending, file.toFile());
        }
      }
      // Each run has a folder of its own, and all are deleted in the end: a file system takes long
      // for new files where others were just deleted.
      Supplier<List<String>> orbit =
          () ->
              Timed.orbit(
                  "map",
                  in.toString(),
                  "--out",
                  fresh(folder),
                  "--interpolation",
                  "bicubic",
                  "--format",
                  "png",
                  "-q");
      boolean cores = Timed.onOneCore(List.of()).isPresent();
      Timed all = Timed.NONE;
      Timed one = Timed.NONE;
      Timed rival = Timed.NONE;
      for (int r = 0; r < rounds; r++) {
        all = all.least(Timed.of(orbit.get()));
        if (cores) {
          one = one.least(Timed.of(Timed.onOneCore(orbit.get()).orElseThrow()));
        }
        if (python.isPresent()) {
          List<String> script = Timed.python(python.get(), SCRIPT, in.toString(), fresh(folder));
          rival = rival.least(Timed.of(Timed.onOneCore(script).orElse(script)));
        }
        progress.update(++done, (long) KINDS.size() * rounds);
      }
      figures.addAll(figures(kind, all, cores ? one : null, rival, python.isPresent()));
    }
    return figures;
  }

  private static List<Figure> figures(
      Kind kind, Timed all, Timed one, Timed rival, boolean compared) {
    List<Figure> figures = new ArrayList<>();
    String name = kind.name;
    figures.add(new Figure(name + "-orbit", kind.files / all.seconds(), "files/s"));
    figures.add(new Figure(name + "-orbit-cpu", kind.files / all.processor(), "files/s of a core"));
    if (one != null) {
      figures.add(new Figure(name + "-orbit-one-core", kind.files / one.seconds(), "files/s"));
      figures.add(
          new Figure(name + "-cores", one.seconds() / all.seconds(), "times as fast as on one"));
    }
    if (compared) {
      figures.add(new Figure(name + "-opencv", kind.files / rival.seconds(), "files/s"));
      figures.add(
          new Figure(name + "-opencv-cpu", kind.files / rival.processor(), "files/s of a core"));
      figures.add(
          new Figure(name + "-over-opencv", rival.seconds() / all.seconds(), "times its rate"));
      figures.add(
          new Figure(
              name + "-over-opencv-cpu",
              rival.processor() / all.processor(),
              "times its rate for each core"));
    }
    return figures;
  }

  /** A folder that is not there yet. */
  private static String fresh(Path folder) {
    return folder.resolve("out-" + UUID.randomUUID()).toString();
  }

  /** Removes a folder with all that is in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Waves with noise, like a photograph for a codec. */
  private static BufferedImage photograph(Kind kind, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BufferedImage image = new BufferedImage(kind.width, kind.height, BufferedImage.TYPE_3BYTE_BGR);
    double fx = 8 * random.nextDouble() / kind.width;
    double fy = 8 * random.nextDouble() / kind.height;
    double turn = random.nextDouble(6);
    for (int y = 0; y < kind.height; y++) {
      for (int x = 0; x < kind.width; x++) {
        double wave = Math.sin(fx * x + turn) * Math.cos(fy * y - turn);
        int noise = random.nextInt(-8, 9);
        int r = (int) (128 + 90 * wave) + noise;
        int g = (int) (118 + 60 * wave + 40.0 * x / kind.width) + noise;
        int b = (int) (150 - 80 * wave - 40.0 * y / kind.height) + noise;
        image.setRGB(x, y, r << 16 | g << 8 | b);
      }
    }
    return image;
  }
}
