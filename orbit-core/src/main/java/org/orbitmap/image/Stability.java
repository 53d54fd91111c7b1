package org.orbitmap.image;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.orbitmap.eval.Progress;
import org.orbitmap.group.Rotation2;

/**
 * How still a rule keeps the canonical pose when the picture is turned (paper, appendix C).
 *
 * <p>Each grey picture is turned by 0°, step, 2·step, …; the canonical orientation of every copy is
 * compared with that of the others. A perfect rule has a standard deviation of 0°.
 *
 * <p>Gaussian noise on every turned copy changes the response c by ⟨W, noise⟩, which is a Gaussian
 * with covariance σ²·(Re W, Im W)(Re W, Im W)ᵀ: it is drawn as such, two numbers instead of one a
 * pixel.
 *
 * @param stepDegrees the step between two copies; must divide 360
 * @param interpolation how the copies are turned, black outside
 * @param seed of the noise
 */
public record Stability(double stepDegrees, Interpolation interpolation, long seed) {
  public Stability {
    double copies = 360 / stepDegrees;
    if (!(stepDegrees > 0) || Math.abs(copies - Math.rint(copies)) > 1e-9) {
      throw new IllegalArgumentException(
          "step: expected degrees that divide 360, found " + stepDegrees);
    }
  }

  /**
   * The outcome for one rule and one level of noise.
   *
   * @param mapping the rule's name
   * @param noiseVariance σ² of the noise on every pixel
   * @param stdDegrees for every picture the standard deviation of its canonical orientation
   */
  public record Result(String mapping, double noiseVariance, double[] stdDegrees) {
    /** The mean over the pictures. */
    public double meanStdDegrees() {
      double sum = 0;
      for (double s : stdDegrees) {
        sum += s;
      }
      return sum / stdDegrees.length;
    }

    /** The share of pictures with a standard deviation below so many degrees, from 0 to 1. */
    public double under(double degrees) {
      int count = 0;
      for (double s : stdDegrees) {
        count += s < degrees ? 1 : 0;
      }
      return (double) count / stdDegrees.length;
    }
  }

  /**
   * Measures rules on pictures; colour pictures are averaged to grey first.
   *
   * @return one result for each rule and level of noise, in the order given
   */
  public List<Result> measure(
      List<Image> images, List<PoseRule> rules, double[] noiseVariances, Progress progress) {
    if (images.isEmpty()) {
      throw new IllegalArgumentException("stability: expected at least one image, found none");
    }
    Image first = images.get(0);
    for (Image image : images) {
      if (image.height() != first.height() || image.width() != first.width()) {
        throw new IllegalArgumentException(
            "stability: expected images of one size, found %s and %s".formatted(first, image));
      }
    }
    double[][][] std = new double[rules.size()][noiseVariances.length][images.size()];
    WeightMap[][] turned = turnedMaps(first, rules);
    AtomicLong done = new AtomicLong();
    IntStream.range(0, images.size())
        .parallel()
        .forEach(
            n -> {
              measureOne(images.get(n), n, rules, turned, noiseVariances, std);
              progress.update(done.incrementAndGet(), images.size());
            });
    List<Result> results = new ArrayList<>();
    for (int r = 0; r < rules.size(); r++) {
      for (int v = 0; v < noiseVariances.length; v++) {
        results.add(new Result(rules.get(r).name(), noiseVariances[v], std[r][v]));
      }
    }
    return results;
  }

  /** For each rule its map and what it gives for the picture turned by 90°, 180° and 270°. */
  private static WeightMap[][] turnedMaps(Image first, List<PoseRule> rules) {
    WeightMap[][] maps = new WeightMap[rules.size()][4];
    for (int r = 0; r < maps.length; r++) {
      maps[r][0] = rules.get(r).weights(first.height(), first.width());
      for (int q = 1; q < 4 && first.height() == first.width(); q++) {
        maps[r][q] = maps[r][q - 1].afterQuarterTurn();
      }
    }
    return maps;
  }

  private void measureOne(
      Image image,
      int index,
      List<PoseRule> rules,
      WeightMap[][] turnedMaps,
      double[] variances,
      double[][][] std) {
    Image grey = image.grey();
    float[] turned = new float[grey.data().length];
    Image copy = new Image(1, grey.height(), grey.width(), turned);
    ImageRotation rotation = new ImageRotation(Resampling.of(interpolation));
    int copies = (int) Math.rint(360 / stepDegrees);
    // the copy turned by α + 90° is a quarter turn of the copy turned by α, pixel by pixel
    int distinct = grey.height() == grey.width() && copies % 4 == 0 ? copies / 4 : copies;
    double[][][] xs = new double[rules.size()][variances.length][copies];
    double[][][] ys = new double[rules.size()][variances.length][copies];
    SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + index);
    for (int k = 0; k < distinct; k++) {
      rotation.rotate(grey, Rotation2.ofDegrees(k * stepDegrees), turned);
      for (int r = 0; r < rules.size(); r++) {
        PoseRule rule = rules.get(r);
        WeightMap map = turnedMaps[r][0];
        Pose first = map.pose(copy);
        for (int q = 0; q < copies / distinct; q++) {
          Pose pose = first;
          // an exact rule responds to a quarter turn with -i·c, so its orientation is the same
          double undone = k * stepDegrees;
          if (q > 0 && !rule.exactQuarterTurns()) {
            pose = turnedMaps[r][q].pose(copy);
            undone += 90 * q;
          }
          Rotation2 orientation = pose.rotation().times(Rotation2.ofDegrees(undone));
          for (int v = 0; v < variances.length; v++) {
            double a = pose.response() * orientation.cos();
            double b = pose.response() * orientation.sin();
            if (variances[v] > 0) {
              double[] noise = map.noise(random.nextGaussian(), random.nextGaussian());
              a += Math.sqrt(variances[v]) * noise[0];
              b += Math.sqrt(variances[v]) * noise[1];
            }
            double length = Math.sqrt(a * a + b * b);
            xs[r][v][q * distinct + k] = length == 0 ? 1 : a / length;
            ys[r][v][q * distinct + k] = length == 0 ? 0 : b / length;
          }
        }
      }
    }
    for (int r = 0; r < rules.size(); r++) {
      for (int v = 0; v < variances.length; v++) {
        std[r][v][index] = Math.toDegrees(circularStd(xs[r][v], ys[r][v]));
      }
    }
  }

  /** The standard deviation of directions about their circular mean, taken on the circle. */
  static double circularStd(double[] xs, double[] ys) {
    double x = 0;
    double y = 0;
    for (int i = 0; i < xs.length; i++) {
      x += xs[i];
      y += ys[i];
    }
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < xs.length; i++) {
      double d = Math.atan2(x * ys[i] - y * xs[i], x * xs[i] + y * ys[i]);
      sum += d;
      squares += d * d;
    }
    double mean = sum / xs.length;
    return Math.sqrt(Math.max(0, squares / xs.length - mean * mean));
  }
}
