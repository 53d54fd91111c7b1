package org.orbitmap.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.reflect.ClassTag;

/**
 * Orbit mappings over tables of inputs.
 *
 * <pre>{@code
 * Dataset<Row> files = spark.read().format("binaryFile").load("photos/");
 * Dataset<Row> mapped = OrbitSpark.map(files, RowMapping.images(RotationMapping.disc()));
 * OrbitSpark.save(mapped, "canonical.parquet", 0.01); // at most 1 % unreadable
 * }</pre>
 *
 * <p>Each row keeps its columns and gets four more: {@code canonical} (in the form that the input
 * has, files as PNG or in their own format of clouds), {@code element} (what brought it there, so
 * that {@link #back} finds the way back), {@code margin}, and {@code error}: what cannot be read or
 * mapped becomes a row with an error, never a failed job.
 *
 * <p>The same functions in SQL, in a session with {@code
 * spark.sql.extensions=org.orbitmap.spark.OrbitExtensions}: {@code orbit_canonical(input, 'so2
 * bicubic')}, {@code orbit_element}, {@code orbit_margin} and {@code orbit_back(canonical, element,
 * 'so2 bicubic')}.
 */
public final class OrbitSpark {
  /** The column with the canonical form. */
  public static final String CANONICAL = "canonical";

  /** The column with the group element that leads to it. */
  public static final String ELEMENT = "element";

  /** The column with the margin. */
  public static final String MARGIN = "margin";

  /** The column with what was wrong; null if nothing. */
  public static final String ERROR = "error";

  private static final List<String> ADDED = List.of(CANONICAL, ELEMENT, MARGIN, ERROR);
  private static final String ALL = "orbit";

  private OrbitSpark() {}

  /**
   * Maps the inputs of a table: its column {@code content}, as {@code binaryFile} has it, or {@code
   * image}, as Spark's source of that name has it.
   *
   * @throws IllegalArgumentException if it has neither
   */
  public static Dataset<Row> map(Dataset<Row> rows, RowMapping mapping) {
    for (String name : List.of("content", "image")) {
      if (List.of(rows.columns()).contains(name)) {
        return map(rows, name, mapping);
      }
    }
    throw new IllegalArgumentException(
        "columns: expected content or image, or the name of the column with the inputs, found "
            + Arrays.toString(rows.columns()));
  }

  /**
   * Maps the inputs in a column of a table. If there is a column {@code path}, errors name it.
   *
   * @throws IllegalArgumentException if the column cannot hold inputs, or one of those to be added
   *     is there already
   */
  public static Dataset<Row> map(Dataset<Row> rows, String column, RowMapping mapping) {
    List<String> columns = List.of(rows.columns());
    for (String added : ADDED) {
      if (columns.contains(added)) {
        throw new IllegalArgumentException(
            "columns: expected none called %s, which is added, found %s".formatted(added, columns));
      }
    }
    DataType type = rows.schema().apply(column).dataType();
    StructType result =
        new StructType(
            new StructField[] {
              DataTypes.createStructField(CANONICAL, type, true),
              DataTypes.createStructField(ELEMENT, Elements.TYPE, true),
              DataTypes.createStructField(MARGIN, DataTypes.DoubleType, true),
              DataTypes.createStructField(ERROR, DataTypes.StringType, true)
            });
    // Sent once to each executor, and used once for each row whatever is selected of the result.
    Broadcast<Asked> sent = send(rows, new Asked(mapping.asked(type, RowMapping.Part.ALL)));
    UDF2<Object, String, Object> function =
        (value, path) -> sent.value().mapping().of(value, name(path));
    List<Column> kept = new ArrayList<>();
    columns.forEach(c -> kept.add(col("`" + c + "`")));
    kept.add(
        udf(function, result)
            .asNondeterministic()
            .apply(col("`" + column + "`"), path(columns))
            .as(ALL));
    List<Column> wanted = new ArrayList<>();
    columns.forEach(c -> wanted.add(col("`" + c + "`")));
    ADDED.forEach(a -> wanted.add(col(ALL + "." + a)));
    return rows.select(kept.toArray(Column[]::new)).select(wanted.toArray(Column[]::new));
  }

  /**
   * Takes what was made of canonical forms (masks, marks, the forms themselves) back to the poses
   * of the inputs.
   *
   * @param column what is taken back, with the elements in the column {@code element}; null where
   *     that is
   * @param mapping of the group that the elements are of; one in words says how images are read
   *     ({@code so2 nearest} for masks), others read them bilinearly
   * @param result the column to add
   */
  public static Dataset<Row> back(
      Dataset<Row> rows, String column, RowMapping mapping, String result) {
    DataType type = rows.schema().apply(column).dataType();
    Broadcast<Back> sent = send(rows, new Back(mapping.back(type)));
    UDF3<Object, Row, String, Object> function =
        (value, element, path) -> sent.value().mapping().of(value, element, name(path));
    return rows.withColumn(
        result,
        udf(function, type)
            .apply(col("`" + column + "`"), col(ELEMENT), path(List.of(rows.columns()))));
  }

  /**
   * Writes a mapped table as Parquet.
   *
   * @param errors the largest share of rows with an error, from 0 to 1
   * @throws IllegalStateException if there are more; the table is written all the same, with the
   *     errors in it
   */
  public static void save(Dataset<Row> mapped, String path, double errors) {
    if (!(errors >= 0 && errors <= 1)) {
      throw new IllegalArgumentException("errors: expected a share from 0 to 1, found " + errors);
    }
    Observation seen = new Observation("orbit");
    mapped
        .observe(seen, count(lit(1)).as("rows"), count(col(ERROR)).as("errors"))
        .write()
        .mode(SaveMode.ErrorIfExists)
        .parquet(path);
    Map<String, Object> counts;
    try {
      counts = seen.getAsJava();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    long all = (Long) counts.get("rows");
    long failed = (Long) counts.get("errors");
    if (failed > errors * all) {
      throw new IllegalStateException(
          "%s: expected at most %s %% of the rows with an error, found %,d of %,d; the column %s of"
                  .formatted(path, 100 * errors, failed, all, ERROR)
              + " the table says what they are");
    }
  }

  /** What is sent, in a class that Spark's serialiser knows by name. */
  private record Asked(RowMapping.Asked mapping) implements Serializable {}

  private record Back(RowMapping.Back mapping) implements Serializable {}

  private static <T> Broadcast<T> send(Dataset<Row> rows, T value) {
    @SuppressWarnings("unchecked") // it is the class of the value
    Class<T> type = (Class<T>) value.getClass();
    return rows.sparkSession().sparkContext().broadcast(value, ClassTag.apply(type));
  }

  private static Column path(List<String> columns) {
    return columns.contains("path") ? col("path") : lit("input");
  }

  /** A path as Spark writes it, such as {@code file:/a/b.png}, for messages. */
  static Path name(String path) {
    try {
      return Path.of(path == null ? "input" : path.replaceFirst("^file:/+", "/"));
    } catch (IllegalArgumentException e) {
      return Path.of("input");
    }
  }
}
