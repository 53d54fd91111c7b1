package org.orbitmap.testkit;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;

/** How far two values are apart, for whatever a mapping or a network may take or return. */
public final class Values {
  private static final int SHOWN = 8;
  private static final String LABEL = "label";

  /** What an array prints of itself, such as {@code [F@1b6d3586}. */
  private static final Pattern ARRAY = Pattern.compile("\\[+[A-Z][\\w.$;]*@[0-9a-f]+");

  private Values() {}

  /**
   * The largest absolute difference of two numbers, arrays, images, clouds, collections or records
   * of such; for anything else (a class name, an enum) and for the component {@code label} of a
   * record, 0 if they are equal and 1 if not. Values of different type or shape, and any NaN, are
   * infinitely far apart.
   */
  public static double distance(Object a, Object b) {
    double d = raw(a, b);
    return Double.isNaN(d) ? Double.POSITIVE_INFINITY : d;
  }

  private static double raw(Object a, Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return gap(x.doubleValue(), y.doubleValue());
    }
    if (a instanceof double[] x && b instanceof double[] y) {
      return x.length == y.length ? arrays(x, y) : Double.POSITIVE_INFINITY;
    }
    if (a instanceof float[] x && b instanceof float[] y) {
      return x.length == y.length ? arrays(x, y) : Double.POSITIVE_INFINITY;
    }
    if (a instanceof int[] x && b instanceof int[] y) {
      return distance(
          Arrays.stream(x).asDoubleStream().toArray(), Arrays.stream(y).asDoubleStream().toArray());
    }
    if (a instanceof long[] x && b instanceof long[] y) {
      return distance(
          Arrays.stream(x).asDoubleStream().toArray(), Arrays.stream(y).asDoubleStream().toArray());
    }
    if (a instanceof Image x && b instanceof Image y) {
      return x.sameShape(y) ? arrays(x.data(), y.data()) : Double.POSITIVE_INFINITY;
    }
    if (a instanceof PointCloud x && b instanceof PointCloud y) {
      return x.dimension() == y.dimension()
          ? distance(x.coordinates(), y.coordinates())
          : Double.POSITIVE_INFINITY;
    }
    if (a instanceof Object[] x && b instanceof Object[] y) {
      return distance(Arrays.asList(x), Arrays.asList(y));
    }
    if (a instanceof Collection<?> x && b instanceof Collection<?> y && x.size() == y.size()) {
      double worst = 0;
      Iterator<?> other = y.iterator();
      for (Object item : x) {
        worst = Math.max(worst, distance(item, other.next()));
      }
      return worst;
    }
    if (a instanceof Record && b instanceof Record && a.getClass() == b.getClass()) {
      return Arrays.stream(a.getClass().getRecordComponents())
          .mapToDouble(
              c ->
                  c.getName().equals(LABEL)
                      ? labels(get(c, a), get(c, b))
                      : distance(get(c, a), get(c, b)))
          .max()
          .orElse(0);
    }
    boolean single =
        a != null && b != null && a.getClass() == b.getClass() && !(a instanceof Collection);
    return single || Objects.deepEquals(a, b) ? labels(a, b) : Double.POSITIVE_INFINITY;
  }

  /** The discrete metric. */
  private static double labels(Object a, Object b) {
    return Objects.deepEquals(a, b) ? 0 : 1;
  }

  /**
   * The label that an output of a classifier says: of scores the place of the largest, of a record
   * its component {@code label} if it has one, of anything else the value itself.
   */
  public static Object label(Object output) {
    if (output instanceof float[] scores && scores.length > 0) {
      return Scores.argmax(scores);
    }
    if (output instanceof double[] scores && scores.length > 0) {
      int best = 0;
      for (int c = 1; c < scores.length; c++) {
        best = scores[c] > scores[best] ? c : best;
      }
      return best;
    }
    if (output instanceof Record) {
      for (RecordComponent c : output.getClass().getRecordComponents()) {
        if (c.getName().equals(LABEL)) {
          return get(c, output);
        }
      }
    }
    return output;
  }

  private static Object get(RecordComponent component, Object from) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(from);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "cannot read %s of %s".formatted(component, from.getClass()), e);
    }
  }

  private static double arrays(double[] a, double[] b) {
    double worst = 0;
    for (int i = 0; i < a.length; i++) {
      worst = Math.max(worst, gap(a[i], b[i]));
    }
    return worst;
  }

  private static double arrays(float[] a, float[] b) {
    double worst = 0;
    for (int i = 0; i < a.length; i++) {
      worst = Math.max(worst, gap(a[i], b[i]));
    }
    return worst;
  }

  /** |a - b|, NaN if one is NaN, 0 for equal infinities. */
  private static double gap(double a, double b) {
    return a == b ? 0 : Math.abs(a - b);
  }

  /** A short text for messages: long arrays are cut. */
  public static String show(Object value) {
    if (value instanceof double[] x) {
      String head = Arrays.toString(Arrays.copyOf(x, Math.min(x.length, SHOWN)));
      return x.length > SHOWN ? head + " … " + x.length + " in all" : head;
    }
    if (value instanceof float[] x) {
      String head = Arrays.toString(Arrays.copyOf(x, Math.min(x.length, SHOWN)));
      return x.length > SHOWN ? head + " … " + x.length + " in all" : head;
    }
    if (value instanceof Image image) {
      return image + " " + show(image.data());
    }
    if (value instanceof PointCloud cloud) {
      return cloud + " " + show(cloud.coordinates());
    }
    if (value instanceof Object[] x) {
      return Arrays.stream(x).limit(SHOWN).map(Values::show).toList().toString();
    }
    if (value instanceof int[] x) {
      return show(Arrays.stream(x).boxed().toArray());
    }
    if (value instanceof Record && ARRAY.matcher(value.toString()).find()) {
      return Arrays.stream(value.getClass().getRecordComponents())
          .map(c -> c.getName() + "=" + show(get(c, value)))
          .collect(Collectors.joining(", ", value.getClass().getSimpleName() + "[", "]"));
    }
    return String.valueOf(value);
  }
}
