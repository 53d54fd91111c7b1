package org.orbitmap.app.map;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.group.Similarity;
import org.orbitmap.image.Placement;

/** Group elements as fields of JSON documents, and back: the same for commands and the server. */
public final class PoseFields {
  private PoseFields() {}

  /** The fields of an element; of one that is not known here, its text. */
  public static Map<String, Object> of(Object element) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (element instanceof Rotation2 g) {
      fields.put("angleDegrees", g.degrees());
    } else if (element instanceof QuarterTurn g) {
      fields.put("angleDegrees", 90.0 * g.turns());
    } else if (element instanceof Orthogonal2 g) {
      fields.put("angleDegrees", g.rotation().degrees());
      fields.put("mirrored", g.mirrored());
    } else if (element instanceof Similarity2 g) {
      fields.put("angleDegrees", g.rotation().degrees());
      fields.put("scale", g.scale());
      fields.put("shift", List.of(g.x(), g.y()));
    } else if (element instanceof Similarity g) {
      fields.put("scale", g.scale());
      fields.put("rotation", rows(g));
      fields.put("translation", g.translation());
    } else {
      fields.put("element", element.toString());
    }
    return fields;
  }

  private static double[][] rows(Similarity g) {
    int d = g.dimension();
    double[][] rows = new double[d][d];
    for (int i = 0; i < d * d; i++) {
      rows[i / d][i % d] = g.rotation()[i];
    }
    return rows;
  }

  /**
   * The placement of an image of a size by the element in the fields.
   *
   * @throws IllegalArgumentException if there is no element of images
   */
  static Placement placement(Map<String, Object> fields, int height, int width) {
    if (!(fields.get("angleDegrees") instanceof Number degrees)) {
      throw new IllegalArgumentException(
          "pose: expected the rotation of an image (angleDegrees), found " + fields.keySet());
    }
    Rotation2 rotation = Rotation2.ofDegrees(degrees.doubleValue());
    if (fields.get("shift") instanceof List<?> shift) {
      double scale = number(fields.get("scale"));
      return Placement.of(
          new Similarity2(rotation, scale, number(shift.get(0)), number(shift.get(1))),
          height,
          width);
    }
    if (fields.get("mirrored") instanceof Boolean mirrored) {
      return Placement.of(new Orthogonal2(rotation, mirrored), height, width);
    }
    return Placement.of(rotation, height, width);
  }

  /**
   * The element of clouds in fields that were read from JSON.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Similarity similarity(Map<?, ?> fields) {
    if (!(fields.get("rotation") instanceof List<?> rows)
        || !(fields.get("translation") instanceof List<?> translation)) {
      throw new IllegalArgumentException(
          "pose: expected the similarity of a cloud (scale, rotation, translation), found "
              + fields.keySet());
    }
    double[] rotation =
        rows.stream()
            .flatMap(row -> row instanceof List<?> r ? r.stream() : List.of(row).stream())
            .mapToDouble(PoseFields::number)
            .toArray();
    double[] t = translation.stream().mapToDouble(PoseFields::number).toArray();
    return new Similarity(number(fields.get("scale")), rotation, t);
  }

  /** A number of JSON. */
  static double number(Object value) {
    if (!(value instanceof Number n) || !Double.isFinite(n.doubleValue())) {
      throw new IllegalArgumentException("expected a number, found " + value);
    }
    return n.doubleValue();
  }
}
