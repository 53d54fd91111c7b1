package org.orbitmap.spark;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.group.Similarity;
import org.orbitmap.image.Placement;

/**
 * Group elements as rows, by the names that they have in the manifests of {@code orbit map}, and
 * back. Of images: {@code angleDegrees}, {@code mirrored}, {@code scale} and {@code shift}; of
 * clouds: {@code scale}, {@code rotation} (row by row) and {@code translation}. What a group does
 * not have is null.
 */
final class Elements {
  private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType, false);

  /** The type of an element. */
  static final StructType TYPE =
      new StructType(
          new StructField[] {
            DataTypes.createStructField("angleDegrees", DataTypes.DoubleType, true),
            DataTypes.createStructField("mirrored", DataTypes.BooleanType, true),
            DataTypes.createStructField("scale", DataTypes.DoubleType, true),
            DataTypes.createStructField("shift", NUMBERS, true),
            DataTypes.createStructField("rotation", NUMBERS, true),
            DataTypes.createStructField("translation", NUMBERS, true)
          });

  private Elements() {}

  /** The row of an element; null for one of a group that has no such fields. */
  static Row row(Object element) {
    if (element instanceof Rotation2 g) {
      return RowFactory.create(g.degrees(), null, null, null, null, null);
    }
    if (element instanceof QuarterTurn g) {
      return RowFactory.create(90.0 * g.turns(), null, null, null, null, null);
    }
    if (element instanceof Orthogonal2 g) {
      return RowFactory.create(g.rotation().degrees(), g.mirrored(), null, null, null, null);
    }
    if (element instanceof Similarity2 g) {
      double[] shift = {g.x(), g.y()};
      return RowFactory.create(g.rotation().degrees(), null, g.scale(), shift, null, null);
    }
    if (element instanceof Similarity g) {
      return RowFactory.create(null, null, g.scale(), null, g.rotation(), g.translation());
    }
    return null;
  }

  /**
   * Where the element of a row puts an image of a size.
   *
   * @throws IllegalArgumentException if it is none of images
   */
  static Placement placement(Row element, int height, int width) {
    if (element.isNullAt(0)) {
      throw new IllegalArgumentException("element: expected that of an image, found " + element);
    }
    Rotation2 rotation = Rotation2.ofDegrees(element.getDouble(0));
    if (!element.isNullAt(3)) {
      List<Double> shift = element.getList(3);
      return Placement.of(
          new Similarity2(rotation, element.getDouble(2), shift.get(0), shift.get(1)),
          height,
          width);
    }
    return element.isNullAt(1)
        ? Placement.of(rotation, height, width)
        : Placement.of(new Orthogonal2(rotation, element.getBoolean(1)), height, width);
  }

  /**
   * The element of clouds in a row.
   *
   * @throws IllegalArgumentException if it is none of clouds
   */
  static Similarity similarity(Row element) {
    if (element.isNullAt(4) || element.isNullAt(5)) {
      throw new IllegalArgumentException("element: expected that of a cloud, found " + element);
    }
    return new Similarity(element.getDouble(2), numbers(element, 4), numbers(element, 5));
  }

  private static double[] numbers(Row row, int field) {
    return row.<Double>getList(field).stream().mapToDouble(v -> v).toArray();
  }
}
