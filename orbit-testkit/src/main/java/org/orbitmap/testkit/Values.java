package org.orbitmap.testkit;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;

/** How far two values are apart, for whatever a mapping or a network may take or return. */
public final class Values {
  private static final int SHOWN = 8;

  private Values() {}

  /**
   * The largest absolute difference of two numbers, arrays, images, clouds, or collections of such;
   * for anything else (a class name, an enum) 0 if they are equal and infinity if not. Values of
   * different shape, and any NaN, are infinitely far apart.
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
    return Objects.deepEquals(a, b) ? 0 : Double.POSITIVE_INFINITY;
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
    return String.valueOf(value);
  }
}
