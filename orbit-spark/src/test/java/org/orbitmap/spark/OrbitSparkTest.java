package org.orbitmap.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Similarity;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.QuarterTurnMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/** Tables are mapped as their inputs are, one by one. */
class OrbitSparkTest {
  private static final RotationMapping DISC =
      new RotationMapping(PoseRule.DISC, Resampling.of(Interpolation.BICUBIC));
  private static final StructType IMAGE =
      new StructType()
          .add("origin", DataTypes.StringType)
          .add("height", DataTypes.IntegerType)
          .add("width", DataTypes.IntegerType)
          .add("nChannels", DataTypes.IntegerType)
          .add("mode", DataTypes.IntegerType)
          .add("data", DataTypes.BinaryType);

  private static SparkSession spark;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.log.level", "ERROR")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.extensions", OrbitExtensions.class.getName())
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Image image(int channels, int height, int width, long seed) {
    Random random = new Random(seed);
    Image image = Image.black(channels, height, width);
    for (int i = 0; i < image.data().length; i++) {
      image.data()[i] = random.nextInt(256) / 255f;
    }
    return image;
  }

  private static Dataset<Row> table(String column, DataType type, Object... values) {
    StructType schema =
        new StructType(
            new StructField[] {
              DataTypes.createStructField("id", DataTypes.IntegerType, false),
              DataTypes.createStructField(column, type, true)
            });
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      rows.add(RowFactory.create(i, values[i]));
    }
    return spark.createDataFrame(rows, schema);
  }

  private Dataset<Row> files() {
    return spark.read().format("binaryFile").load(folder.resolve("in").toString()).orderBy("path");
  }

  @Test
  void filesBecomeCanonicalFilesAndUnreadableOnesErrors() throws IOException {
    for (int i = 0; i < 5; i++) {
      ImageFiles.writePng(folder.resolve("in/%d.png".formatted(i)), image(3, 9 + i, 8, i));
    }
    Files.write(folder.resolve("in/5.png"), ImageFiles.png(image(1, 8, 8, 5), 16));
    Files.writeString(folder.resolve("in/6.png"), "no image");
    Files.writeString(folder.resolve("in/7.ppm"), "P3 2 2 255 1 2 3 4 5 6 7 8 9 10 11 12");
    Dataset<Row> mapped = OrbitSpark.map(files(), RowMapping.images(DISC));
    assertThat(mapped.columns())
        .containsExactly(
            "path",
            "modificationTime",
            "length",
            "content",
            "canonical",
            "element",
            "margin",
            "error");
    List<Row> rows = mapped.collectAsList();
    assertThat(rows).hasSize(8);
    for (Row row : rows) {
      Path file = Path.of(row.<String>getAs("path").replace("file:", ""));
      if (file.endsWith("6.png")) {
        assertThat(row.<String>getAs("error")).contains("6.png").contains("expected an image");
        assertThat(row.isNullAt(4)).isTrue();
        assertThat(row.isNullAt(5)).isTrue();
        continue;
      }
      assertThat(row.<String>getAs("error")).isNull();
      Canonical<Rotation2, Image> c = DISC.map(ImageFiles.read(file));
      assertThat(row.<byte[]>getAs("canonical"))
          .isEqualTo(ImageFiles.png(c.point(), file.endsWith("5.png") ? 16 : 8));
      assertThat(row.<Row>getAs("element").<Double>getAs("angleDegrees"))
          .isEqualTo(c.element().degrees());
      assertThat(row.<Double>getAs("margin")).isEqualTo(c.margin());
    }
  }

  @Test
  void parquetInParquetOutAndBackAgain() throws IOException {
    for (int i = 0; i < 3; i++) {
      ImageFiles.writePng(folder.resolve("in/%d.png".formatted(i)), image(3, 8, 8, i));
    }
    files().write().parquet(folder.resolve("in.parquet").toString());
    Dataset<Row> read = spark.read().parquet(folder.resolve("in.parquet").toString());
    RowMapping quarters = RowMapping.images(new QuarterTurnMapping(PoseRule.DISC));
    String out = folder.resolve("out.parquet").toString();
    OrbitSpark.save(OrbitSpark.map(read, quarters), out, 0);
    Dataset<Row> mapped = spark.read().parquet(out);
    List<Row> back = OrbitSpark.back(mapped, "canonical", quarters, "back").collectAsList();
    assertThat(back).hasSize(3);
    assertThat(back.stream().map(r -> r.<Row>getAs("element").<Double>getAs("angleDegrees")))
        .anyMatch(angle -> angle != 0);
    for (Row row : back) {
      assertThat(row.<byte[]>getAs("back")).isEqualTo(row.<byte[]>getAs("content")); // exact
    }
  }

  @Test
  void aLimitHoldsTheShareOfErrors() throws IOException {
    ImageFiles.writePng(folder.resolve("in/a.png"), image(1, 8, 8, 1));
    Files.writeString(folder.resolve("in/b.png"), "no image");
    Dataset<Row> mapped = OrbitSpark.map(files(), RowMapping.named(""));
    OrbitSpark.save(mapped, folder.resolve("half.parquet").toString(), 0.5);
    String out = folder.resolve("less.parquet").toString();
    assertThatThrownBy(() -> OrbitSpark.save(mapped, out, 0.49))
        .hasMessageContaining("at most 49.0 %")
        .hasMessageContaining("1 of 2");
    assertThat(spark.read().parquet(out).count()).isEqualTo(2);
  }

  @Test
  void arraysStayArrays() {
    Image x = image(3, 6, 7, 3);
    Double[][][] doubles = new Double[3][6][7];
    Float[][] grey = new Float[6][7];
    for (int i = 0; i < x.data().length; i++) {
      doubles[i / 42][i % 42 / 7][i % 7] = (double) x.data()[i];
      if (i < 42) {
        grey[i / 7][i % 7] = x.data()[i];
      }
    }
    DataType rows = new ArrayType(new ArrayType(DataTypes.FloatType, false), false);
    Row flat =
        OrbitSpark.map(table("x", rows, (Object) grey), "x", RowMapping.images(DISC))
            .collectAsList()
            .get(0);
    Image one = Image.black(1, 6, 7);
    System.arraycopy(x.data(), 0, one.data(), 0, 42);
    assertThat(numbers(flat.getList(2))).containsExactly(floats(DISC.map(one).point().data()));

    DataType planes =
        new ArrayType(new ArrayType(new ArrayType(DataTypes.DoubleType, false), false), false);
    Row deep =
        OrbitSpark.map(table("x", planes, (Object) doubles), "x", RowMapping.images(DISC))
            .collectAsList()
            .get(0);
    assertThat(numbers(deep.getList(2))).containsExactly(floats(DISC.map(x).point().data()));
  }

  private static Double[] floats(float[] data) {
    Double[] all = new Double[data.length];
    Arrays.setAll(all, i -> (double) data[i]);
    return all;
  }

  private static List<Double> numbers(List<?> nested) {
    List<Double> all = new ArrayList<>();
    for (Object o : nested) {
      if (o instanceof scala.collection.Seq<?> seq) {
        all.addAll(numbers(new ArrayList<>(scala.jdk.javaapi.CollectionConverters.asJava(seq))));
      } else {
        all.add(((Number) o).doubleValue());
      }
    }
    return all;
  }

  @Test
  void sparksOwnImagesStayWhatTheyAre() {
    Image x = image(3, 5, 4, 4);
    byte[] bgr = new byte[60];
    for (int p = 0; p < 20; p++) {
      for (int c = 0; c < 3; c++) {
        bgr[3 * p + 2 - c] = (byte) ImageFiles.toByte(x.data()[20 * c + p]);
      }
    }
    Dataset<Row> rows =
        table(
            "image",
            IMAGE,
            RowFactory.create("a.png", 5, 4, 3, 16, bgr),
            RowFactory.create("b.png", -1, -1, -1, -1, new byte[0]), // as Spark marks bad files
            null);
    List<Row> mapped = OrbitSpark.map(rows, RowMapping.images(DISC)).orderBy("id").collectAsList();
    Row canonical = mapped.get(0).getAs("canonical");
    assertThat(canonical.schema().fieldNames()).isEqualTo(IMAGE.fieldNames());
    Image expected = DISC.map(x).point();
    byte[] found = canonical.getAs("data");
    for (int p = 0; p < 20; p++) {
      for (int c = 0; c < 3; c++) {
        assertThat(found[3 * p + 2 - c] & 255)
            .isEqualTo(ImageFiles.toByte(expected.data()[20 * c + p]));
      }
    }
    assertThat(mapped.get(1).<String>getAs("error")).contains("-1 x -1");
    assertThat(mapped.get(2).<String>getAs("error")).contains("found null");
  }

  @Test
  void cloudsAreMappedInArraysAndFiles() throws IOException {
    Random random = new Random(5);
    Float[][] points = new Float[20][3];
    float[] flat = new float[60];
    for (int i = 0; i < 60; i++) {
      flat[i] = (float) random.nextGaussian() * (1 + i % 3);
      points[i / 3][i % 3] = flat[i];
    }
    PointCloud cloud = new PointCloud(3, flat);
    OrbitMapping<?, PointCloud> sim3 = MappingSpec.defaults().mapping(new InputShape.Clouds(20));
    DataType type = new ArrayType(new ArrayType(DataTypes.FloatType, false), false);
    RowMapping mapping = RowMapping.named("sim3");
    Dataset<Row> mapped = OrbitSpark.map(table("x", type, (Object) points), "x", mapping);
    Row row = OrbitSpark.back(mapped, "canonical", mapping, "back").collectAsList().get(0);
    Canonical<?, PointCloud> c = sim3.map(cloud);
    assertThat(numbers(row.getList(2))).containsExactly(floats(c.point().coordinates()));
    Row element = row.getAs("element");
    assertThat(element.<Double>getAs("scale")).isEqualTo(((Similarity) c.element()).scale());
    List<Double> back = numbers(row.getList(row.fieldIndex("back")));
    for (int i = 0; i < 60; i++) {
      assertThat(back.get(i)).isCloseTo(flat[i], within(1e-5));
    }

    CloudFiles.write(folder.resolve("in/a.ply"), cloud);
    CloudFiles.write(folder.resolve("expected.ply"), c.point());
    Row file = OrbitSpark.map(files(), RowMapping.clouds(sim3)).collectAsList().get(0);
    assertThat(file.<String>getAs("error")).isNull();
    assertThat(file.<byte[]>getAs("canonical"))
        .isEqualTo(Files.readAllBytes(folder.resolve("expected.ply")));
  }

  @Test
  void sqlKnowsTheFunctions() throws IOException {
    for (int i = 0; i < 3; i++) {
      ImageFiles.writePng(folder.resolve("in/%d.png".formatted(i)), image(3, 8, 8, i));
    }
    Files.writeString(folder.resolve("in/3.png"), "no image");
    files().createOrReplaceTempView("files");
    List<Row> rows =
        spark
            .sql(
                "SELECT content, orbit_canonical(content, 'so2 bicubic'), orbit_element(content),"
                    + " orbit_margin(content, 'so2'),"
                    + " orbit_back(orbit_canonical(content, 'c4'), orbit_element(content, 'c4'))"
                    + " FROM files ORDER BY path")
            .collectAsList();
    for (Row row : rows.subList(0, 3)) {
      Image x = ImageFiles.decode(Path.of("x"), row.<byte[]>getAs(0), 1000);
      Canonical<Rotation2, Image> c = DISC.map(x);
      assertThat(row.<byte[]>getAs(1)).isEqualTo(ImageFiles.png(c.point()));
      assertThat(row.getStruct(2).getDouble(0)).isEqualTo(c.element().degrees());
      assertThat(row.getDouble(3)).isEqualTo(c.margin());
      assertThat(row.<byte[]>getAs(4)).isEqualTo(row.<byte[]>getAs(0));
    }
    for (int i = 1; i < 5; i++) {
      assertThat(rows.get(3).isNullAt(i)).isTrue();
    }
    assertThatThrownBy(() -> spark.sql("SELECT orbit_margin(path) FROM files"))
        .hasMessageContaining("expected a column of binary");
    assertThatThrownBy(() -> spark.sql("SELECT orbit_margin(content, 'so5') FROM files"))
        .hasMessageContaining("so5");
    assertThatThrownBy(() -> spark.sql("SELECT orbit_margin(content, path) FROM files"))
        .hasMessageContaining("the same for all rows");
  }

  @Test
  void whatCannotBeMappedIsRefusedAtOnce() {
    Dataset<Row> names = table("name", DataTypes.StringType, "a");
    RowMapping so2 = RowMapping.named("so2");
    assertThatThrownBy(() -> OrbitSpark.map(names, so2)).hasMessageContaining("content or image");
    assertThatThrownBy(() -> OrbitSpark.map(names, "name", so2)).hasMessageContaining("string");
    assertThatThrownBy(() -> OrbitSpark.map(table("error", DataTypes.BinaryType), "error", so2))
        .hasMessageContaining("error");
    assertThatThrownBy(() -> RowMapping.named("sim3 images")).hasMessageContaining("one of images");
    assertThatThrownBy(() -> RowMapping.named("sim2 paper"))
        .hasMessageContaining("group: expected one of");
  }
}
