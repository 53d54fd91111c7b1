package org.orbitmap.app.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.orbitmap.cloud.Box;
import org.orbitmap.group.Similarity;
import org.orbitmap.image.Placement;

/**
 * Boxes and points in JSON, taken back from canonical poses. In images: {@code {"boxes": [{"left",
 * "top", "right", "bottom"}], "points": [{"x", "y"}]}}, in pixels; of clouds: {@code {"boxes":
 * [{"low", "high"}], "points": [[x, y, z]]}}, or boxes as they come out of here: {@code size} with
 * {@code scale}, {@code rotation} and {@code translation}. Every other field stays.
 */
final class BoxFields {
  private BoxFields() {}

  /**
   * In the input a box stands at an angle: it gets its {@code corners}, and left to bottom become
   * those of the upright box around them.
   */
  static Map<String, Object> toInput(Map<String, Object> document, Placement placement) {
    return each(
        document,
        box -> {
          Placement.Box canonical =
              new Placement.Box(
                  number(box, "left"),
                  number(box, "top"),
                  number(box, "right"),
                  number(box, "bottom"));
          List<Placement.Point> corners = placement.toInput(canonical);
          Placement.Box around = Placement.Box.around(corners);
          box.put("left", around.left());
          box.put("top", around.top());
          box.put("right", around.right());
          box.put("bottom", around.bottom());
          box.put("corners", corners.stream().map(p -> List.of(p.x(), p.y())).toList());
          return box;
        },
        point -> {
          Map<String, Object> fields = fields(point);
          Placement.Point at =
              placement.toInput(new Placement.Point(number(fields, "x"), number(fields, "y")));
          fields.put("x", at.x());
          fields.put("y", at.y());
          return fields;
        });
  }

  /** A box of a cloud keeps its size along its own axes and gets a pose, and its corners. */
  static Map<String, Object> moved(Map<String, Object> document, Similarity g) {
    return each(
        document,
        fields -> {
          Box box =
              fields.containsKey("low")
                  ? Box.between(numbers(fields, "low"), numbers(fields, "high"))
                  : new Box(numbers(fields, "size"), PoseFields.similarity(fields));
          Similarity pose = g.after(box.pose());
          fields.remove("low");
          fields.remove("high");
          fields.put("size", box.size());
          fields.putAll(PoseFields.of(pose));
          fields.put("corners", new Box(box.size(), pose).corners());
          return fields;
        },
        point -> g.apply(numbers(point)));
  }

  private static Map<String, Object> each(
      Map<String, Object> document,
      UnaryOperator<Map<String, Object>> box,
      UnaryOperator<Object> point) {
    if (!document.containsKey("boxes") && !document.containsKey("points")) {
      throw new IllegalArgumentException(
          "expected the fields boxes or points, found " + document.keySet());
    }
    Map<String, Object> moved = new LinkedHashMap<>(document);
    moved.computeIfPresent("boxes", (k, all) -> list(all, b -> box.apply(fields(b))));
    moved.computeIfPresent("points", (k, all) -> list(all, point));
    return moved;
  }

  private static List<Object> list(Object all, UnaryOperator<Object> one) {
    if (!(all instanceof List<?> list)) {
      throw new IllegalArgumentException("expected an array, found " + all);
    }
    List<Object> moved = new ArrayList<>();
    list.forEach(o -> moved.add(one.apply(o)));
    return moved;
  }

  private static Map<String, Object> fields(Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("expected an object, found " + value);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    map.forEach((k, v) -> fields.put((String) k, v));
    return fields;
  }

  private static double number(Map<String, Object> fields, String name) {
    if (!fields.containsKey(name)) {
      throw new IllegalArgumentException("expected " + name + ", found " + fields.keySet());
    }
    return PoseFields.number(fields.get(name));
  }

  private static double[] numbers(Map<String, Object> fields, String name) {
    if (!fields.containsKey(name)) {
      throw new IllegalArgumentException("expected " + name + ", found " + fields.keySet());
    }
    return numbers(fields.get(name));
  }

  private static double[] numbers(Object value) {
    if (!(value instanceof List<?> list)) {
      throw new IllegalArgumentException("expected an array of numbers, found " + value);
    }
    return list.stream().mapToDouble(PoseFields::number).toArray();
  }
}
