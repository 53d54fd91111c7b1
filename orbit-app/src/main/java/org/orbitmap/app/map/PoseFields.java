package org.orbitmap.app.map;

import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.group.Similarity;

/** Group elements as fields of JSON documents: the same for commands and the server. */
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
      fields.put("shift", new double[] {g.x(), g.y()});
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
}
