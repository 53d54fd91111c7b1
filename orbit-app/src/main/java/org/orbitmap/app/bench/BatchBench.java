package org.orbitmap.app.bench;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.RotationMapping;

/**
 * A batch into an array that is used again, on one core and on all.
 *
 * @param speedup how many times the throughput of one thread
 * @param arithmetic the same of arithmetic that touches no memory, in the same seconds: what this
 *     machine gives at all
 */
public record BatchBench(
    String name,
    int images,
    int threads,
    double microsecondsPerItem,
    double speedup,
    double arithmetic) {
  /** One thread and all of them in turn, so that what else the machine does meets both. */
  public static BatchBench of(String name, List<Image> images, double seconds) {
    RotationMapping mapping = RotationMapping.disc();
    int count = images.size();
    float[] out = new float[count * images.get(0).data().length];
    ForkJoinPool alone = new ForkJoinPool(1); // parallel streams inside it have its one thread
    Callable<?> batch = () -> mapping.alignAll(images, out);
    Callable<?> sums = () -> IntStream.range(0, 512).parallel().mapToDouble(k -> sum(k)).sum();
    long[] least = new long[4];
    Arrays.fill(least, Long.MAX_VALUE);
    try {
      long start = System.nanoTime();
      do {
        least[0] = Math.min(least[0], nanoseconds(() -> alone.submit(batch).join()));
        least[1] = Math.min(least[1], nanoseconds(batch));
        least[2] = Math.min(least[2], nanoseconds(() -> alone.submit(sums).join()));
        least[3] = Math.min(least[3], nanoseconds(sums));
      } while (System.nanoTime() - start < seconds * 1e9);
    } finally {
      alone.shutdown();
    }
    return new BatchBench(
        name,
        count,
        ForkJoinPool.commonPool().getParallelism() + 1,
        least[1] / 1e3 / count,
        (double) least[0] / least[1],
        (double) least[2] / least[3]);
  }

  private static long nanoseconds(Callable<?> work) {
    try {
      long start = System.nanoTime();
      Object result = work.call();
      long took = System.nanoTime() - start;
      if (result == null) { // looked at, so that the work is done
        throw new IllegalStateException("a benchmark gave no result");
      }
      return took;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** About 10 µs of additions and multiplications, eight at once, as many as a core can do. */
  private static double sum(double seed) {
    double a = seed;
    double b = seed + 1;
    double c = seed + 2;
    double d = seed + 3;
    double e = seed + 4;
    double f = seed + 5;
    double g = seed + 6;
    double h = seed + 7;
    for (int i = 0; i < 4000; i++) {
      a = a * 0.999 + 1;
      b = b * 0.999 + 1;
      c = c * 0.999 + 1;
      d = d * 0.999 + 1;
      e = e * 0.999 + 1;
      f = f * 0.999 + 1;
      g = g * 0.999 + 1;
      h = h * 0.999 + 1;
    }
    return a + b + c + d + e + f + g + h;
  }
}
