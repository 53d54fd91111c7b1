package org.orbitmap.app.report;

import java.util.List;
import java.util.Locale;

/** What the figures are drawn with. */
final class SvgMarks {
  /** Letters of a name in the legend. */
  private static final int LONGEST = 54;

  private SvgMarks() {}

  static void label(Html svg, String colour, String anchor, double x, double y, String text) {
    svg.element("text", text, "x", x, "y", y, "fill", colour, "text-anchor", anchor);
  }

  static void line(Html svg, String colour, double x0, double y0, double x1, double y1) {
    svg.empty("line", "x1", x0, "y1", y0, "x2", x1, "y2", y1, "stroke", colour);
  }

  static void to(StringBuilder d, double x, double y) {
    d.append(d.isEmpty() ? 'M' : 'L').append(Html.number(x)).append(' ').append(Html.number(y));
  }

  static String shorten(String name, int most) {
    return name.length() <= most ? name : name.substring(0, most - 1) + "…";
  }

  /** Names beside a stroke of their colour, two to a row if they are short. */
  static void legend(Html svg, Palette ink, List<Series> series, double x, double y, double step) {
    int columns = columns(series, step);
    for (int i = 0; i < series.size(); i++) {
      double x0 = x + step * (i % columns);
      double y0 = y + 20 * (i / columns);
      svg.empty(
          "line",
          "x1",
          x0,
          "y1",
          y0 - 4,
          "x2",
          x0 + 24,
          "y2",
          y0 - 4,
          "stroke",
          ink.series(i),
          "stroke-width",
          "2.5",
          "stroke-dasharray",
          Palette.dash(i));
      label(svg, ink.text(), "start", x0 + 30, y0, shorten(series.get(i).name(), LONGEST));
    }
  }

  static int legendHeight(List<Series> series, double step) {
    int columns = columns(series, step);
    return 20 * ((series.size() + columns - 1) / columns);
  }

  private static int columns(List<Series> series, double step) {
    double room = (step - 36) / 6.6; // letters of 12 pixels, on average
    return series.stream().allMatch(s -> s.name().length() <= room) ? 2 : 1;
  }

  /** Round numbers in [lo, hi], about five of them. */
  static double[] ticks(double lo, double hi) {
    double raw = (hi - lo) / 5;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = power;
    for (double m : new double[] {1, 2, 5, 10}) {
      step = m * power;
      if (step >= raw * 0.99) {
        break;
      }
    }
    double first = Math.ceil(lo / step - 1e-9) * step;
    int n = (int) Math.floor((hi - first) / step + 1e-9) + 1;
    double[] ticks = new double[Math.max(0, n)];
    for (int i = 0; i < n; i++) {
      ticks[i] = first + i * step;
    }
    return ticks;
  }

  /** Every 45 degrees. */
  static double[] degrees(double hi) {
    double[] ticks = new double[(int) (hi / 45) + 1];
    for (int i = 0; i < ticks.length; i++) {
      ticks[i] = 45.0 * i;
    }
    return ticks;
  }

  /** A number as short as it can be said. */
  static String say(double v) {
    if (v == 0) {
      return "0";
    }
    double a = Math.abs(v);
    if (a >= 1e6 || a < 1e-3) {
      return String.format(Locale.ROOT, "%.1e", v);
    }
    String s = String.format(Locale.ROOT, a >= 100 ? "%.0f" : "%.3f", v);
    return s.contains(".") ? s.replaceAll("\\.?0+$", "") : s;
  }

  /** A plotting area with axes. */
  record Frame(
      double left,
      double top,
      double width,
      double height,
      double xMin,
      double xMax,
      double yMin,
      double yMax) {
    double x(double v) {
      return left + width * (v - xMin) / (xMax - xMin);
    }

    double y(double v) {
      return top + height * (1 - (v - yMin) / (yMax - yMin));
    }

    void draw(Html svg, Palette ink, String xLabel, String yLabel, double[] xTicks) {
      for (double v : ticks(yMin, yMax)) {
        line(svg, ink.grid(), left, y(v), left + width, y(v));
        label(svg, ink.soft(), "end", left - 8, y(v) + 4, say(v));
      }
      for (double v : xTicks) {
        line(svg, ink.soft(), x(v), top + height, x(v), top + height + 4);
        label(svg, ink.soft(), "middle", x(v), top + height + 18, say(v));
      }
      line(svg, ink.soft(), left, top + height, left + width, top + height);
      label(svg, ink.text(), "middle", left + width / 2, top + height + 36, xLabel);
      double mid = top + height / 2;
      svg.element(
          "text",
          yLabel,
          "x",
          14.0,
          "y",
          mid,
          "fill",
          ink.text(),
          "text-anchor",
          "middle",
          "transform",
          "rotate(-90 14 " + Html.number(mid) + ")");
    }
  }
}
