package org.orbitmap.image.mapping;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.orbitmap.eval.Progress;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.orbit.OrbitMapping;

/**
 * How still a rule keeps the canonical pose when the image is rotated (paper, appendix C).
 *
 * <p>Each grey image is rotated by 0°, step, 2·step, …; the canonical orientation of every copy is
 * compared with that of the others. A perfect rule has a standard deviation of 0°.
 *
 * <p>Gaussian noise on every rotated copy changes the response c by ⟨W, noise⟩, which is a Gaussian
 * with covariance σ²·(Re W, Im W)(Re W, Im W)ᵀ: it is drawn as such, two numbers instead of one a
 * pixel.
 *
 * @param stepDegrees the step between two copies, as in {@link AngleSweep#degrees}
 * @param interpolation how the copies are rotated, black outside
 * @param seed of the noise
 */
public record Stability(double stepDegrees, Interpolation interpolation, long seed)
    implements Serializable {
  public Stability {
    AngleSweep.degrees(stepDegrees);
  }

  /**
   * The outcome for one rule and one level of noise.
   *
   * @param mapping the rule's name
   * @param noiseVariance σ² of the noise on every pixel
   * @param stdDegrees for every image the standard deviation of its canonical orientation
   */
  public record Result(String mapping, double noiseVariance, double[] stdDegrees)
      implements Serializable {
    /** The mean over the images. */
    public double meanStdDegrees() {
      double sum = 0;
      for (double s : stdDegrees) {
        sum += s;
      }
      return sum / stdDegrees.length;
    }

    /** The share of images with a standard deviation below so many degrees, from 0 to 1. */
    public double under(double degrees) {
      int count = 0;
      for (double s : stdDegrees) {
        count += s < degrees ? 1 : 0;
      }
      return (double) count / stdDegrees.length;
    }
  }

  /**
   * Measures rules on images, each in its own size; colour images are averaged to grey first.
   *
   * @return one result for each rule and level of noise, in the order given
   */
  public List<Result> measure(
      List<Image> images, List<PoseRule> rules, double[] noiseVariances, Progress progress) {
    if (images.isEmpty()) {
      throw new IllegalArgumentException("stability: expected at least one image, found none");
    }
    Map<Size, List<Integer>> sizes = new LinkedHashMap<>();
    for (int i = 0; i < images.size(); i++) {
      Size size = new Size(images.get(i).height(), images.get(i).width());
      sizes.computeIfAbsent(size, s -> new ArrayList<>()).add(i);
    }
    double[][][] std = new double[rules.size()][noiseVariances.length][images.size()];
    AtomicLong done = new AtomicLong();
    for (List<Integer> same : sizes.values()) {
      Image first = images.get(same.get(0));
      Plan plan = plan(first, rules);
      // both the rotation and the functional are linear: many small images share one table
      boolean fold = first.plane() <= LARGEST_TABLE && same.size() >= first.plane() / 16;
      Responses responses = fold ? folded(plan, first) : rotating(plan, first);
      int block = fold ? BLOCK : 1;
      IntStream.range(0, (same.size() + block - 1) / block)
          .parallel()
          .forEach(
              b -> {
                List<Integer> some =
                    same.subList(b * block, Math.min(same.size(), (b + 1) * block));
                double[][] found =
                    responses.of(some.stream().map(i -> images.get(i).grey()).toList());
                for (int i = 0; i < found.length; i++) {
                  spread(found[i], some.get(i), rules, plan, noiseVariances, std);
                }
                progress.update(done.addAndGet(some.size()), images.size());
              });
    }
    List<Result> results = new ArrayList<>();
    for (int r = 0; r < rules.size(); r++) {
      for (int v = 0; v < noiseVariances.length; v++) {
        results.add(new Result(rules.get(r).name(), noiseVariances[v], std[r][v]));
      }
    }
    return results;
  }

  /**
   * Measures any mapping of rotations on images as they are: every copy is rotated and mapped, and
   * noise is drawn for each of its pixels. Slower than rules, whose response is linear.
   *
   * @return one result for each level of noise
   */
  public List<Result> measure(
      List<Image> images,
      OrbitMapping<Rotation2, Image> mapping,
      double[] noiseVariances,
      Progress progress) {
    if (images.isEmpty()) {
      throw new IllegalArgumentException("stability: expected at least one image, found none");
    }
    double[] degrees = AngleSweep.degrees(stepDegrees);
    ImageRotation rotation = new ImageRotation(Resampling.of(interpolation));
    double[][] std = new double[noiseVariances.length][images.size()];
    AtomicLong done = new AtomicLong();
    IntStream.range(0, images.size())
        .parallel()
        .forEach(
            i -> {
              SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + i);
              for (int v = 0; v < noiseVariances.length; v++) {
                double[] xs = new double[degrees.length];
                double[] ys = new double[degrees.length];
                for (int k = 0; k < degrees.length; k++) {
                  Rotation2 g = Rotation2.ofDegrees(degrees[k]);
                  Image copy = rotation.act(g, images.get(i));
                  double sigma = Math.sqrt(noiseVariances[v]);
                  for (int p = 0; sigma > 0 && p < copy.data().length; p++) {
                    copy.data()[p] += (float) (sigma * random.nextGaussian());
                  }
                  Rotation2 own = mapping.map(copy).element().times(g);
                  xs[k] = own.cos();
                  ys[k] = own.sin();
                }
                std[v][i] = Math.toDegrees(circularStd(xs, ys));
              }
              progress.update(done.incrementAndGet(), images.size());
            });
    return IntStream.range(0, noiseVariances.length)
        .mapToObj(v -> new Result(mapping.name(), noiseVariances[v], std[v]))
        .toList();
  }

  private record Size(int height, int width) {}

  private static final int BLOCK = 16;
  private static final int LARGEST_TABLE = 2048;

  /**
   * What is computed for every image.
   *
   * <p>The copy rotated by α + 90° is a quarter turn of the copy rotated by α, pixel by pixel, so
   * only the angles below 90° are rotated; the other three quarters are seen through rotated weight
   * maps. A rule that is exact under quarter turns answers them with the same orientation: one map
   * is enough for it.
   *
   * @param turns the angles that are rotated
   * @param quarters how many quarters of the circle they stand for, 4 or 1
   * @param maps all weight maps
   * @param first for each rule its first map; it has one or {@code quarters} of them
   */
  private record Plan(List<Rotation2> turns, int quarters, List<WeightMap> maps, int[] first) {
    int columns() {
      return maps.size() * turns.size();
    }
  }

  private Plan plan(Image image, List<PoseRule> rules) {
    double[] degrees = AngleSweep.degrees(stepDegrees);
    int quarters = image.height() == image.width() && degrees.length % 4 == 0 ? 4 : 1;
    List<WeightMap> maps = new ArrayList<>();
    int[] first = new int[rules.size()];
    for (int r = 0; r < first.length; r++) {
      first[r] = maps.size();
      WeightMap map = rules.get(r).weights(image.height(), image.width());
      maps.add(map);
      for (int q = 1; q < quarters && !rules.get(r).exactQuarterTurns(); q++) {
        map = map.afterQuarterTurn();
        maps.add(map);
      }
    }
    List<Rotation2> turns =
        Arrays.stream(degrees, 0, degrees.length / quarters)
            .mapToObj(Rotation2::ofDegrees)
            .toList();
    return new Plan(turns, quarters, List.copyOf(maps), first);
  }

  /**
   * The responses of all maps to all rotated copies of some grey images: for each image real and
   * imaginary parts, turn by turn, map by map.
   */
  private interface Responses {
    double[][] of(List<Image> images);
  }

  /** Turns each image and applies the maps: any size, no preparation. */
  private Responses rotating(Plan plan, Image like) {
    ImageRotation rotation = new ImageRotation(Resampling.of(interpolation));
    return images -> {
      double[][] found = new double[images.size()][2 * plan.columns()];
      Image copy = Image.black(1, like.height(), like.width());
      for (int i = 0; i < found.length; i++) {
        for (int k = 0; k < plan.turns.size(); k++) {
          rotation.rotate(images.get(i), plan.turns.get(k), copy.data());
          for (int m = 0; m < plan.maps.size(); m++) {
            Pose pose = plan.maps.get(m).pose(copy);
            int column = 2 * (m * plan.turns.size() + k);
            found[i][column] = pose.response() * pose.rotation().cos();
            found[i][column + 1] = pose.response() * pose.rotation().sin();
          }
        }
      }
      return found;
    };
  }

  /** Turns every unit image once; then a response is a product of a matrix with an image. */
  private Responses folded(Plan plan, Image like) {
    int n = like.plane();
    Image units = Image.black(n, like.height(), like.width());
    for (int p = 0; p < n; p++) {
      units.data()[p * n + p] = 1;
    }
    ImageRotation rotation = new ImageRotation(Resampling.of(interpolation));
    double[][] table = new double[n][2 * plan.columns()];
    double[][] re = plan.maps.stream().map(WeightMap::re).toArray(double[][]::new);
    double[][] im = plan.maps.stream().map(WeightMap::im).toArray(double[][]::new);
    IntStream.range(0, plan.turns.size())
        .parallel()
        .forEach(
            k -> {
              float[] rotated = new float[n * n];
              rotation.rotate(units, plan.turns.get(k), rotated);
              for (int p = 0; p < n; p++) {
                for (int z = 0; z < n; z++) {
                  double u = rotated[p * n + z];
                  for (int m = 0; u != 0 && m < re.length; m++) {
                    int column = 2 * (m * plan.turns.size() + k);
                    table[p][column] += u * re[m][z];
                    table[p][column + 1] += u * im[m][z];
                  }
                }
              }
            });
    return images -> {
      double[][] found = new double[images.size()][2 * plan.columns()];
      for (int p = 0; p < n; p++) {
        double[] row = table[p];
        for (int i = 0; i < found.length; i++) {
          double u = images.get(i).data()[p];
          double[] sum = found[i];
          for (int c = 0; c < sum.length; c++) {
            sum[c] += u * row[c];
          }
        }
      }
      return found;
    };
  }

  /** The standard deviations of one image, from its responses. */
  private void spread(
      double[] responses,
      int index,
      List<PoseRule> rules,
      Plan plan,
      double[] variances,
      double[][][] std) {
    int n = plan.turns.size();
    double[] xs = new double[n * plan.quarters];
    double[] ys = new double[n * plan.quarters];
    SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + index);
    for (int r = 0; r < rules.size(); r++) {
      boolean exact = rules.get(r).exactQuarterTurns();
      for (int v = 0; v < variances.length; v++) {
        double sigma = Math.sqrt(variances[v]);
        for (int q = 0; q < plan.quarters; q++) {
          int m = plan.first[r] + (exact ? 0 : q);
          Rotation2 quarter = Rotation2.ofDegrees(exact ? 0 : 90 * q);
          for (int k = 0; k < n; k++) {
            double a = responses[2 * (m * n + k)];
            double b = responses[2 * (m * n + k) + 1];
            if (sigma > 0) {
              double[] noise = plan.maps.get(m).noise(random.nextGaussian(), random.nextGaussian());
              a += sigma * noise[0];
              b += sigma * noise[1];
            }
            // rotated by α the response is c·e^{-iα}: undo it to get the canonical orientation
            double length = Math.sqrt(a * a + b * b);
            Rotation2 undo = plan.turns.get(k);
            double x = length == 0 ? 1 : (a * undo.cos() - b * undo.sin()) / length;
            double y = length == 0 ? 0 : (a * undo.sin() + b * undo.cos()) / length;
            xs[q * n + k] = x * quarter.cos() - y * quarter.sin();
            ys[q * n + k] = x * quarter.sin() + y * quarter.cos();
          }
        }
        std[r][v][index] = Math.toDegrees(circularStd(xs, ys));
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
