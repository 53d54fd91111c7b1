package org.orbitmap.benchmarks;

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
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.CloudPose;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.orbit.Canonical;

/**
 * Centre, rotate and scale a cloud.
 *
 * <p>Run with {@code ./orbit jmh CloudBenchmark}; {@code -prof gc} shows what is allocated.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@Threads(1)
public class CloudBenchmark {
  /** The number of points. */
  @Param({"1024", "1000000"})
  public int points;

  private PointCloud cloud;
  private float[] out;
  private CloudMapping mapping;

  /** Makes a lopsided cloud. */
  @Setup
  public void setup() {
    SplittableRandom random = new SplittableRandom(1);
    float[] c = new float[3 * points];
    for (int i = 0; i < c.length; i++) {
      double u = random.nextDouble();
      c[i] = (float) ((1 + i % 3) * u * u);
    }
    cloud = new PointCloud(3, c);
    out = new float[c.length];
    mapping = CloudMapping.of(SimilarityGroup.similarities(3));
  }

  /** What {@code orbit bench} calls cloud-POINTS: into an array that is used again. */
  @Benchmark
  public CloudPose align() {
    return mapping.align(cloud, out);
  }

  /** The same with a new cloud as the result. */
  @Benchmark
  public Canonical<Similarity, PointCloud> map() {
    return mapping.map(cloud);
  }
}
