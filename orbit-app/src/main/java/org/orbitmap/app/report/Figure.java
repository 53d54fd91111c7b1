package org.orbitmap.app.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A chart. The same drawing goes into the page (in the page's colours) and into a file of its own
 * (in fixed colours on white). Long because it holds every kind of chart, a record each.
 */
public sealed interface Figure
    permits Figure.Polar,
        Figure.Lines,
        Figure.Bars,
        Figure.Points,
        Figure.Histogram,
        Figure.Matrix {
  /** The heading over it; also names its file. */
  String title();

  /** One sentence that says what to look at. */
  String caption();

  /** Width and height in pixels. */
  double[] size();

  /** Draws the marks. */
  void draw(Html svg, Palette ink);

  /** A file name made of the title. */
  default String fileName() {
    String name = title().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    name = name.replaceAll("^-|-$", "");
    return name.isEmpty() ? "figure" : name;
  }

  /** The whole SVG document. */
  default String svg(Palette ink) {
    double[] size = size();
    Html svg = new Html();
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 " + Html.number(size[0]) + " " + Html.number(size[1]),
        "width",
        size[0],
        "height",
        size[1],
        "role",
        "img",
        "aria-label",
        title() + ". " + caption(),
        "font-family",
        "Helvetica, Arial, 'DejaVu Sans', SansSerif, sans-serif",
        "font-size",
        "12");
    if (!ink.paper().equals("none")) {
      svg.empty("rect", "width", size[0], "height", size[1], "fill", ink.paper());
    }
    draw(svg, ink);
    return svg.close("svg").toString();
  }

  /**
   * Values in [0, 1] against the angle, around a circle: a perfectly invariant model draws a
   * circle. Angles run counter-clockwise from the right.
   */
  record Polar(String title, String caption, List<Series> series) implements Figure {
    private static final double LEGEND = 215;

    public Polar {
      series = List.copyOf(series);
    }

    @Override
    public double[] size() {
      return new double[] {460, 430 + SvgMarks.legendHeight(series, LEGEND)};
    }

    @Override
    public void draw(Html svg, Palette ink) {
      double cx = 230;
      double cy = 212;
      double radius = 168;
      for (int ring = 1; ring <= 4; ring++) {
        svg.empty(
            "circle",
            "cx",
            cx,
            "cy",
            cy,
            "r",
            radius * ring / 4,
            "fill",
            "none",
            "stroke",
            ink.grid());
        double r = radius * ring / 4;
        SvgMarks.label(
            svg, ink.soft(), "start", cx + r * 0.3827 + 3, cy - r * 0.9239, ring * 25 + "%");
      }
      for (int spoke = 0; spoke < 360; spoke += 45) {
        double c = Math.cos(Math.toRadians(spoke));
        double s = -Math.sin(Math.toRadians(spoke));
        SvgMarks.line(svg, ink.grid(), cx, cy, cx + radius * c, cy + radius * s);
        String anchor = Math.abs(c) < 0.1 ? "middle" : c > 0 ? "start" : "end";
        SvgMarks.label(
            svg,
            ink.soft(),
            anchor,
            cx + (radius + 8) * c,
            cy + (radius + 12) * s + 4,
            spoke + "°");
      }
      for (int i = 0; i < series.size(); i++) {
        Series one = series.get(i);
        StringBuilder d = new StringBuilder();
        for (int k = 0; k < one.x().length; k++) {
          if (!Double.isFinite(one.y()[k])) {
            continue;
          }
          double a = Math.toRadians(one.x()[k]);
          double r = radius * Math.min(1, Math.max(0, one.y()[k]));
          SvgMarks.to(d, cx + r * Math.cos(a), cy - r * Math.sin(a));
        }
        double[] x = one.x();
        boolean whole = x.length > 2 && x[0] + 360 - x[x.length - 1] < 3 * (x[1] - x[0]);
        svg.empty(
            "path",
            "d",
            d + (whole ? "Z" : ""),
            "fill",
            "none",
            "stroke",
            ink.series(i),
            "stroke-width",
            "2",
            "stroke-linejoin",
            "round",
            "stroke-dasharray",
            Palette.dash(i));
      }
      SvgMarks.legend(svg, ink, series, 30, 424, LEGEND);
    }
  }

  /** Curves over a common axis, such as the probability of the true class against the angle. */
  record Lines(
      String title,
      String caption,
      String xLabel,
      String yLabel,
      double yMin,
      double yMax,
      List<Series> series)
      implements Figure {
    private static final double LEGEND = 280;

    public Lines {
      series = List.copyOf(series);
      if (!(yMax > yMin)) {
        throw new IllegalArgumentException(
            "%s: expected yMin < yMax, found %s and %s".formatted(title, yMin, yMax));
      }
    }

    @Override
    public double[] size() {
      return new double[] {640, 318 + SvgMarks.legendHeight(series, LEGEND)};
    }

    @Override
    public void draw(Html svg, Palette ink) {
      double lo = Double.POSITIVE_INFINITY;
      double hi = Double.NEGATIVE_INFINITY;
      for (Series s : series) {
        lo = Math.min(lo, s.x()[0]);
        hi = Math.max(hi, s.x()[s.x().length - 1]);
      }
      if (!(hi > lo)) {
        hi = lo + 1;
      }
      SvgMarks.Frame f = new SvgMarks.Frame(58, 16, 566, 242, lo, hi, yMin, yMax);
      boolean degrees = xLabel.contains("°") && lo >= 0 && hi >= 180 && hi <= 360;
      f.draw(svg, ink, xLabel, yLabel, degrees ? SvgMarks.degrees(hi) : SvgMarks.ticks(lo, hi));
      for (int i = 0; i < series.size(); i++) {
        Series one = series.get(i);
        StringBuilder d = new StringBuilder();
        boolean pen = false;
        for (int k = 0; k < one.x().length; k++) {
          if (!Double.isFinite(one.y()[k])) {
            pen = false;
            continue;
          }
          d.append(pen ? 'L' : 'M');
          pen = true;
          double y = Math.min(yMax, Math.max(yMin, one.y()[k]));
          d.append(Html.number(f.x(one.x()[k]))).append(' ').append(Html.number(f.y(y)));
        }
        svg.empty(
            "path",
            "d",
            d.toString(),
            "fill",
            "none",
            "stroke",
            ink.series(i),
            "stroke-width",
            "2",
            "stroke-linejoin",
            "round",
            "stroke-dasharray",
            Palette.dash(i));
      }
      SvgMarks.legend(svg, ink, series, 58, 312, LEGEND);
    }
  }

  /**
   * Shares in [0, 1] by name: under each other the names, and for each name a bar of every series.
   *
   * @param names one for each value of a series
   * @param series values that are NaN have no bar
   */
  record Bars(String title, String caption, List<String> names, List<Series> series)
      implements Figure {
    private static final double LEGEND = 280;
    private static final double LEFT = 290;
    private static final double BAR = 11;

    public Bars {
      names = List.copyOf(names);
      series = List.copyOf(series);
      for (Series s : series) {
        if (s.y().length != names.size()) {
          throw new IllegalArgumentException(
              "%s: expected a value for each of %d names, found %d in '%s'"
                  .formatted(title, names.size(), s.y().length, s.name()));
        }
      }
    }

    private double group() {
      return BAR * series.size() + 9;
    }

    @Override
    public double[] size() {
      return new double[] {
        640, group() * names.size() + 52 + SvgMarks.legendHeight(series, LEGEND)
      };
    }

    @Override
    public void draw(Html svg, Palette ink) {
      double width = 300;
      double bottom = 8 + group() * names.size();
      for (int percent = 0; percent <= 100; percent += 20) {
        double x = LEFT + width * percent / 100;
        SvgMarks.line(svg, ink.grid(), x, 8, x, bottom);
        SvgMarks.label(svg, ink.soft(), "middle", x, bottom + 16, percent + "%");
      }
      for (int k = 0; k < names.size(); k++) {
        double top = 8 + group() * k + 4.5;
        double middle = top + BAR * series.size() / 2 + 4;
        SvgMarks.label(
            svg, ink.text(), "end", LEFT - 8, middle, SvgMarks.shorten(names.get(k), 46));
        for (int i = 0; i < series.size(); i++) {
          double v = series.get(i).y()[k];
          if (Double.isFinite(v)) {
            double length = width * Math.min(1, Math.max(0, v));
            svg.empty(
                "rect",
                "x",
                LEFT,
                "y",
                top + BAR * i,
                "width",
                Math.max(0.5, length),
                "height",
                BAR - 1,
                "fill",
                ink.series(i));
            svg.element(
                "text",
                String.format(Locale.ROOT, "%.1f", 100 * v),
                "x",
                LEFT + length + 4,
                "y",
                top + BAR * i + 9,
                "fill",
                ink.soft(),
                "font-size",
                "10");
          }
        }
      }
      SvgMarks.legend(svg, ink, series, 58, bottom + 40, LEGEND);
    }
  }

  /**
   * Named points, numbered from the highest down, and their names below.
   *
   * @param points x is more than 0 and on a logarithmic scale, y is a share in [0, 1]
   */
  record Points(
      String title, String caption, String xLabel, String yLabel, List<String> names, Series points)
      implements Figure {
    public Points {
      names = List.copyOf(names);
      if (points.y().length != names.size() || names.isEmpty()) {
        throw new IllegalArgumentException(
            "%s: expected a point for each of %d names, found %d"
                .formatted(title, names.size(), points.y().length));
      }
    }

    @Override
    public double[] size() {
      return new double[] {640, 318 + 18 * names.size()};
    }

    @Override
    public void draw(Html svg, Palette ink) {
      double[] x = points.x();
      double[] y = points.y();
      double least = Arrays.stream(x).min().getAsDouble();
      double most = Math.max(1.1 * least, Arrays.stream(x).max().getAsDouble());
      double top = Math.min(1, Math.max(0.05, 1.15 * Arrays.stream(y).max().getAsDouble()));
      SvgMarks.Frame f =
          new SvgMarks.Frame(
              58, 16, 566, 242, Math.log(0.9 * least), Math.log(1.1 * most), 0, 100 * top);
      f.draw(svg, ink, xLabel, yLabel, new double[0]);
      for (double tick : new double[] {0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20}) {
        if (tick >= 0.9 * least && tick <= 1.1 * most) {
          SvgMarks.label(
              svg, ink.soft(), "middle", f.x(Math.log(tick)), 276, SvgMarks.say(tick) + " ×");
        }
      }
      Integer[] order = IntStream.range(0, y.length).boxed().toArray(Integer[]::new);
      Arrays.sort(order, Comparator.comparingDouble((Integer i) -> -y[i]));
      for (int rank = 0; rank < order.length; rank++) {
        int i = order[rank];
        double px = f.x(Math.log(x[i]));
        double py = f.y(100 * y[i]);
        svg.empty("circle", "cx", px, "cy", py, "r", "3.5", "fill", ink.series(0));
        SvgMarks.label(svg, ink.text(), "start", px + 5, py - 4, Integer.toString(rank + 1));
        String line =
            String.format(
                Locale.ROOT, "%d  %s: %.1f %%, %.2f ×", rank + 1, names.get(i), 100 * y[i], x[i]);
        SvgMarks.label(svg, ink.text(), "start", 58, 320 + 18 * rank, line);
      }
    }
  }

  /** How often values fall where: equal bins from the least to the greatest. */
  record Histogram(String title, String caption, String xLabel, double[] values) implements Figure {
    @Override
    public double[] size() {
      return new double[] {640, 318};
    }

    /** Counts in equal bins over [lo, hi]; the last bin is closed on the right. */
    static int[] counts(double[] values, double lo, double hi, int bins) {
      int[] counts = new int[bins];
      for (double v : values) {
        if (Double.isFinite(v)) {
          counts[(int) Math.min(bins - 1, Math.max(0, (v - lo) / (hi - lo) * bins))]++;
        }
      }
      return counts;
    }

    @Override
    public void draw(Html svg, Palette ink) {
      double lo = Double.POSITIVE_INFINITY;
      double hi = Double.NEGATIVE_INFINITY;
      for (double v : values) {
        if (Double.isFinite(v)) {
          lo = Math.min(lo, v);
          hi = Math.max(hi, v);
        }
      }
      if (!(hi >= lo)) {
        SvgMarks.label(svg, ink.soft(), "middle", 320, 150, "no values");
        return;
      }
      if (lo > 0 && lo < hi / 2) {
        lo = 0; // margins start at zero: show how far away that is
      }
      if (hi == lo) {
        hi = lo + Math.max(1e-9, Math.abs(lo));
      }
      int bins = (int) Math.max(8, Math.min(40, 2 * Math.cbrt(values.length)));
      int[] counts = counts(values, lo, hi, bins);
      int most = 1;
      for (int c : counts) {
        most = Math.max(most, c);
      }
      SvgMarks.Frame f = new SvgMarks.Frame(58, 16, 566, 242, lo, hi, 0, most);
      f.draw(svg, ink, xLabel, "how many", SvgMarks.ticks(lo, hi));
      for (int i = 0; i < bins; i++) {
        double x0 = f.x(lo + (hi - lo) * i / bins);
        double x1 = f.x(lo + (hi - lo) * (i + 1) / bins);
        double y = f.y(counts[i]);
        svg.empty(
            "rect",
            "x",
            x0 + 0.5,
            "y",
            y,
            "width",
            Math.max(0.5, x1 - x0 - 1),
            "height",
            f.y(0) - y,
            "fill",
            ink.series(1));
      }
    }
  }

  /**
   * Counts by true class (rows) and predicted class (columns); number and shade are the share of
   * the row in percent.
   *
   * @param classes names in order
   * @param counts {@code counts[truth][prediction]}
   */
  record Matrix(String title, String caption, List<String> classes, long[][] counts)
      implements Figure {
    public Matrix {
      classes = List.copyOf(classes);
      if (counts.length != classes.size()) {
        throw new IllegalArgumentException(
            "%s: expected one row for each of %d classes, found %d"
                .formatted(title, classes.size(), counts.length));
      }
    }

    private double cell() {
      return Math.max(8, Math.min(36, 420.0 / classes.size()));
    }

    @Override
    public double[] size() {
      double side = cell() * classes.size();
      return new double[] {side + 130, side + 130};
    }

    @Override
    public void draw(Html svg, Palette ink) {
      double cell = cell();
      boolean named = cell >= 9;
      for (int i = 0; i < counts.length; i++) {
        double sum = 0;
        for (long v : counts[i]) {
          sum += v;
        }
        if (named) {
          String name = SvgMarks.shorten(classes.get(i), 15);
          SvgMarks.label(svg, ink.text(), "end", 98, 24 + (i + 0.5) * cell + 4, name);
          double x = 106 + (i + 0.5) * cell;
          double y = 36 + counts.length * cell;
          svg.element(
              "text",
              name,
              "x",
              x,
              "y",
              y,
              "fill",
              ink.text(),
              "text-anchor",
              "end",
              "transform",
              "rotate(-50 " + Html.number(x) + " " + Html.number(y) + ")");
        }
        for (int j = 0; j < counts[i].length; j++) {
          double share = sum == 0 ? 0 : counts[i][j] / sum;
          double x = 104 + j * cell;
          double y = 24 + i * cell;
          svg.empty(
              "rect",
              "x",
              x,
              "y",
              y,
              "width",
              cell - 1,
              "height",
              cell - 1,
              "fill",
              ink.grid(),
              "fill-opacity",
              "0.5");
          if (share > 0) {
            svg.empty(
                "rect",
                "x",
                x,
                "y",
                y,
                "width",
                cell - 1,
                "height",
                cell - 1,
                "fill",
                ink.series(i == j ? 1 : 0),
                "fill-opacity",
                0.12 + 0.83 * share);
          }
          if (cell >= 26 && share >= 0.005) {
            svg.element(
                "text",
                Long.toString(Math.round(100 * share)),
                "x",
                x + cell / 2,
                "y",
                y + cell / 2 + 4,
                "text-anchor",
                "middle",
                "font-size",
                "11",
                "fill",
                share > 0.5 ? "#ffffff" : ink.text());
          }
        }
      }
      SvgMarks.label(svg, ink.soft(), "start", 104, 16, "predicted →");
      SvgMarks.label(svg, ink.soft(), "end", 98, 16, "true ↓");
    }
  }
}
