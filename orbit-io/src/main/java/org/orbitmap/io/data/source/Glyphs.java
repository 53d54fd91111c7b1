package org.orbitmap.io.data.source;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;

/**
 * A generated data set of drawn digits and letters, 28 x 28 grey, white on black. Strokes are drawn
 * from skeletons, with jitter in pen, size, slant and place: nothing is read or downloaded, and no
 * fonts are needed.
 *
 * <p>The sixteen signs stay different when rotated, so that 6 and 9, or 2 and Z, are not both
 * there.
 */
public final class Glyphs implements DataSource {
  /** The signs, in the order of their labels. */
  public static final List<String> CLASSES =
      List.of("0", "2", "3", "4", "5", "6", "7", "8", "A", "B", "E", "F", "G", "K", "R", "T");

  /** Rows and columns. */
  public static final int SIDE = 28;

  /**
   * Strokes of each sign in a unit box, y downwards: each number list is x, y, x, y, …; strokes are
   * separated by a bar.
   */
  private static final String[] SKELETONS = {
    ".5 0 .2 .15 .1 .5 .2 .85 .5 1 .8 .85 .9 .5 .8 .15 .5 0",
    ".1 .25 .25 .05 .55 0 .85 .15 .85 .35 .6 .6 .1 1 .9 1",
    ".1 .1 .45 0 .8 .12 .8 .35 .45 .47 .85 .6 .85 .85 .5 1 .1 .9",
    ".65 1 .65 0 .05 .68 .95 .68",
    ".85 0 .2 0 .15 .45 .5 .37 .85 .52 .85 .82 .5 1 .1 .9",
    ".75 0 .35 .2 .12 .6 .2 .9 .5 1 .8 .88 .85 .65 .6 .5 .3 .55 .14 .7",
    ".1 0 .9 0 .4 1|.3 .5 .75 .5",
    ".5 .46 .2 .35 .2 .12 .5 0 .8 .12 .8 .35 .5 .46 .15 .62 .15 .88 .5 1 .85 .88 .85 .62 .5 .46",
    ".05 1 .5 0 .95 1|.22 .62 .78 .62",
    ".15 0 .15 1 .6 1 .88 .87 .88 .62 .6 .48 .15 .48|.15 0 .55 0 .8 .1 .8 .36 .6 .48",
    ".88 0 .15 0 .15 1 .88 1|.15 .5 .75 .5",
    ".88 0 .15 0 .15 1|.15 .47 .7 .47",
    ".88 .2 .6 0 .3 .07 .1 .35 .1 .68 .3 .95 .62 1 .9 .85 .9 .55 .55 .55",
    ".15 0 .15 1|.9 0 .15 .58|.42 .38 .92 1",
    ".15 1 .15 0 .6 0 .85 .12 .85 .38 .6 .5 .15 .5|.5 .5 .92 1",
    ".05 0 .95 0|.5 0 .5 1",
  };

  private static final double[][][] STROKES =
      Arrays.stream(SKELETONS)
          .map(
              s ->
                  Arrays.stream(s.split("\\|", -1))
                      .map(
                          line ->
                              Arrays.stream(line.trim().split(" ", -1))
                                  .mapToDouble(Double::parseDouble)
                                  .toArray())
                      .toArray(double[][]::new))
          .toArray(double[][][]::new);

  private static final int TRAIN = 4000;
  private static final int TEST = 1000;

  @Override
  public String name() {
    return "glyphs";
  }

  @Override
  public boolean isGenerated() {
    return true;
  }

  @Override
  public boolean holds(Path folder) {
    return false;
  }

  @Override
  public ImageSet read(Path folder, Split split, Choice choice) {
    return switch (split) {
      case TRAIN -> generate(TRAIN, 1);
      case TEST -> generate(TEST, 2);
      case ALL -> generate(TRAIN, 1).concat(generate(TEST, 2));
    };
  }

  /**
   * Draws a set; the same arguments give the same bytes.
   *
   * @param size how many images; the classes take turns
   * @param seed of the jitter
   */
  public static ImageSet generate(int size, long seed) {
    byte[][] pixels = new byte[size][];
    int[] labels = new int[size];
    SplittableRandom root = new SplittableRandom(seed);
    SplittableRandom[] generators = new SplittableRandom[size];
    for (int i = 0; i < size; i++) {
      generators[i] = root.split();
    }
    IntStream.range(0, size)
        .parallel()
        .forEach(
            i -> {
              labels[i] = i % CLASSES.size();
              pixels[i] = draw(STROKES[labels[i]], generators[i]);
            });
    return new ImageSet("glyphs", CLASSES, 1, SIDE, SIDE, pixels, labels);
  }

  private static byte[] draw(double[][] strokes, RandomGenerator random) {
    double height = 18 * random.nextDouble(0.85, 1.05);
    double width = 13 * random.nextDouble(0.8, 1.15);
    double slant = random.nextDouble(-0.15, 0.15);
    double angle = Math.toRadians(random.nextDouble(-8, 8));
    double cos = Math.cos(angle);
    double sin = Math.sin(angle);
    double cx = (SIDE - 1) / 2.0 + random.nextDouble(-1.2, 1.2);
    double cy = (SIDE - 1) / 2.0 + random.nextDouble(-1.2, 1.2);
    double half = random.nextDouble(0.8, 1.4);
    double ink = random.nextDouble(0.8, 1.0);
    double[][] placed = new double[strokes.length][];
    for (int s = 0; s < strokes.length; s++) {
      placed[s] = new double[strokes[s].length];
      for (int k = 0; k < placed[s].length; k += 2) {
        double y = (strokes[s][k + 1] - 0.5 + random.nextDouble(-0.02, 0.02)) * height;
        double x = (strokes[s][k] - 0.5 + random.nextDouble(-0.03, 0.03)) * width - slant * y;
        placed[s][k] = cx + cos * x - sin * y;
        placed[s][k + 1] = cy + sin * x + cos * y;
      }
    }
    byte[] out = new byte[SIDE * SIDE];
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < SIDE; x++) {
        double d = Double.POSITIVE_INFINITY;
        for (double[] line : placed) {
          for (int k = 0; k + 3 < line.length; k += 2) {
            d = Math.min(d, distance(x, y, line, k));
          }
        }
        // Anti-aliased: full inside the pen, falling to nothing over one pixel.
        double value = Math.min(1, Math.max(0, half - d + 0.5)) * ink;
        out[y * SIDE + x] = (byte) Math.round(255 * value);
      }
    }
    return out;
  }

  /** From a point to the segment that starts at position k of a line. */
  private static double distance(double x, double y, double[] line, int k) {
    double dx = line[k + 2] - line[k];
    double dy = line[k + 3] - line[k + 1];
    double length = dx * dx + dy * dy;
    double t = length == 0 ? 0 : ((x - line[k]) * dx + (y - line[k + 1]) * dy) / length;
    t = Math.min(1, Math.max(0, t));
    return Math.hypot(x - line[k] - t * dx, y - line[k + 1] - t * dy);
  }
}
