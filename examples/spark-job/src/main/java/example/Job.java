package example;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.spark.OrbitSpark;
import org.orbitmap.spark.RowMapping;

/**
 * Brings images to one pose: {@code spark-submit … Job photos/ canonical.parquet}. With {@code
 * synthetic N} instead, maps N images that are made on the way and tells how much memory the driver
 * holds after each tenth of them.
 */
public final class Job {
  private static final int SIDE = 32;

  private Job() {}

  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .appName("orbit-example")
            .config("spark.sql.extensions", "org.orbitmap.spark.OrbitExtensions")
            .getOrCreate();
    try {
      if (args[0].equals("synthetic")) {
        synthetic(spark, Long.parseLong(args[1]));
      } else {
        files(spark, args[0], args[1]);
      }
    } finally {
      spark.stop();
    }
  }

  private static void files(SparkSession spark, String in, String out) {
    Dataset<Row> files = spark.read().format("binaryFile").load(in);
    OrbitSpark.save(OrbitSpark.map(files, RowMapping.images(RotationMapping.disc())), out, 0.1);
    spark.read().parquet(out).createOrReplaceTempView("mapped");
    // The canonical image is upright already: SQL agrees.
    Row row =
        spark
            .sql(
                "SELECT count(*), count(error), max(abs(orbit_element(canonical).angleDegrees))"
                    + " FROM mapped")
            .first();
    System.out.printf("files: %d, errors: %d%n", row.getLong(0), row.getLong(1));
    System.out.println("still rotated by at most 10 degrees: " + (row.getDouble(2) <= 10));
  }

  private static void synthetic(SparkSession spark, long count) {
    List<Long> heap = new ArrayList<>();
    for (int tenth = 0; tenth < 10; tenth++) {
      Dataset<Row> made =
          spark
              .range(tenth * count / 10, (tenth + 1) * count / 10, 1, 8)
              .map((MapFunction<Long, byte[]>) Job::image, Encoders.BINARY())
              .toDF("content");
      double margin =
          OrbitSpark.map(made, RowMapping.images(RotationMapping.disc()))
              .agg(avg(col("margin")))
              .first()
              .getDouble(0);
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      heap.add((runtime.totalMemory() - runtime.freeMemory()) >> 20);
      System.out.printf(
          "%,d images, mean margin %.4f, driver's heap %d MB%n",
          (tenth + 1) * count / 10, margin, heap.get(tenth));
    }
  }

  /** An image of its own for every number. */
  private static byte[] image(long number) {
    Image image = Image.black(3, SIDE, SIDE);
    for (int i = 0; i < image.data().length; i++) {
      long mixed = (number * 3072 + i) * 0x9E3779B97F4A7C15L;
      image.data()[i] = ((mixed >>> 40) & 255) / 255f;
    }
    return ImageFiles.png(image);
  }
}
