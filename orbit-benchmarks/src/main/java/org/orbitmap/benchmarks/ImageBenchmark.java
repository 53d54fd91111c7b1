package org.orbitmap.benchmarks;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.orbit.Canonical;

/**
 * Pose and resampling of a colour image, and a plain double loop as the rival.
 *
 * <p>Run with {@code ./orbit jmh ImageBenchmark}; {@code -prof gc} shows what is allocated.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@Threads(1)
public class ImageBenchmark {
  /** Pixels in a row and in a column. */
  @Param({"32", "224"})
  public int side;

  /** How the canonical image is computed. */
  @Param({"bilinear", "bicubic"})
  public String interpolation;

  private Image image;
  private RotationMapping mapping;
  private float[] out;
  private float[] batch;

  /** Makes an image of noise. */
  @Setup
  public void setup() {
    SplittableRandom random = new SplittableRandom(1);
    float[] data = new float[3 * side * side];
    batch = new float[64 * data.length];
    for (int i = 0; i < data.length; i++) {
      data[i] = (float) random.nextDouble();
    }
    image = new Image(3, side, side, data);
    out = new float[data.length];
    Interpolation kind = Interpolation.named(interpolation.toLowerCase(Locale.ROOT));
    mapping = RotationMapping.disc().with(Resampling.of(kind));
  }

  /** What {@code orbit bench} calls image-SIDE-INTERPOLATION. */
  @Benchmark
  public Canonical<Rotation2, Image> map() {
    return mapping.map(image);
  }

  /** The pose alone. */
  @Benchmark
  public Pose pose() {
    return mapping.pose(image);
  }

  /** A batch of 64 on all cores: images are independent. */
  @Benchmark
  public List<Canonical<Rotation2, Image>> batch64() {
    return mapping.mapAll(Collections.nCopies(64, image));
  }

  /** The same into an array that is used again. */
  @Benchmark
  public List<Pose> batch64Reused() {
    return mapping.alignAll(Collections.nCopies(64, image), batch);
  }

  /** The rival: bilinear rotation alone, every tap checked, in double precision. */
  @Benchmark
  public float[] plainBilinear() {
    double centre = (side - 1) / 2.0;
    double cos = Math.cos(0.7);
    double sin = Math.sin(0.7);
    float[] in = image.data();
    for (int i = 0; i < side; i++) {
      for (int j = 0; j < side; j++) {
        double x = cos * (j - centre) - sin * (i - centre) + centre;
        double y = sin * (j - centre) + cos * (i - centre) + centre;
        int left = (int) Math.floor(x);
        int top = (int) Math.floor(y);
        for (int c = 0; c < 3; c++) {
          double value = 0;
          for (int v = top; v <= top + 1; v++) {
            for (int u = left; u <= left + 1; u++) {
              if (u >= 0 && v >= 0 && u < side && v < side) {
                double weight = (1 - Math.abs(x - u)) * (1 - Math.abs(y - v));
                value += weight * in[(c * side + v) * side + u];
              }
            }
          }
          out[(c * side + i) * side + j] = (float) value;
        }
      }
    }
    return out;
  }
}
