package org.orbitmap.onnx.wrap;

import static org.orbitmap.onnx.graph.Graph.FLOAT;
import static org.orbitmap.onnx.graph.Graph.INT64;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Offset;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.model.Layout;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;

/**
 * Reads images in a tensor at rotated places, as ONNX nodes: with GridSample where the opset has
 * it, else with Gather and arithmetic.
 *
 * @param mirrored whether poses are matrices of four entries, which may mirror, instead of (cos,
 *     sin)
 */
record ImageSampler(boolean mirrored) {
  /** From this opset on GridSample is a standard operator. */
  private static final int GRID_SAMPLE = 16;

  /** From this opset on its modes are called linear and cubic. */
  private static final int GRID_SAMPLE_RENAMED = 20;

  /** How many numbers tell the matrix A with canonical(z) = u(Az). */
  int entries() {
    return mirrored ? 4 : 2;
  }

  /** [N·K, …] to [K, N, …] with one more axis. */
  static Value byFrame(Value pose, int frames, int entries) {
    return frames == 1
        ? pose.reshape(1, -1, entries)
        : pose.reshape(-1, frames, entries).transpose(1, 0, 2);
  }

  /** The shape of images in a tensor, and what lies outside of each channel. */
  record Image(Layout layout, int channels, int height, int width, double[] fill) {
    /** So many images of so many rows. */
    long[] shape(int rows, long count) {
      return layout == Layout.NCHW
          ? new long[] {count, channels, rows, width}
          : new long[] {count, rows, width, channels};
    }

    Value fill(Graph g) {
      return layout == Layout.NCHW
          ? g.reals(FLOAT, fill, 1, channels, 1, 1)
          : g.reals(FLOAT, fill, 1, 1, 1, channels);
    }

    boolean zeroFill() {
      return Arrays.stream(fill).allMatch(f -> f == 0);
    }
  }

  /**
   * Where output pixels read before the rotation, measured from the centre: (x, y) of each, and 0
   * instead of 1 where the mask paints over. Straight: x depends on the column alone, y on the row.
   * The readings of an image are one with so many times the rows.
   */
  record Grid(int rows, double[] x, double[] y, double[] shown, boolean straight) {
    static Grid of(int height, int width, Resampling how, List<Offset> offsets) {
      SamplingGrid places = SamplingGrid.of(height, width, how.fill(), offsets);
      double[] shown = new double[places.x().length];
      for (int i = 0; i < shown.length; i++) {
        shown[i] = how.mask() && places.inside()[i] == 0 ? 0 : 1;
      }
      return new Grid(
          offsets.size() * height,
          places.x(),
          places.y(),
          shown,
          offsets.equals(Offset.PLAIN) && !how.fill().radial());
    }

    static Grid of(int height, int width, Resampling how) {
      return of(height, width, how, Offset.PLAIN);
    }

    /**
     * How often an entry of the matrix, times x (part 0) or y (1) before the rotation, adds to the
     * place along x (axis 0) or y (1) after it: -1, 0 or 1.
     */
    static int share(boolean mirrored, int entry, int part, int axis) {
      if (mirrored) {
        return entry == 2 * axis + part ? 1 : 0;
      }
      boolean cos = part == axis;
      return entry == (cos ? 0 : 1) ? (part == 1 && axis == 0 ? -1 : 1) : 0;
    }

    /** What an entry of the matrix adds to the places along x (0) or y (1), for each pixel. */
    double[] field(boolean mirrored, int entry, int axis) {
      int a = share(mirrored, entry, 0, axis);
      int b = share(mirrored, entry, 1, axis);
      return IntStream.range(0, x.length).mapToDouble(i -> a * x[i] + b * y[i]).toArray();
    }

    boolean masked() {
      return Arrays.stream(shown).anyMatch(s -> s == 0);
    }
  }

  /**
   * Reads each image in K poses.
   *
   * @param x images, N of them
   * @param n how many, or -1 where that is known only when the graph runs
   * @param pose the matrices, all frames of an input after each other, float [N·K, 2|4]
   * @return images with the rows of the grid, K·N of them
   */
  Value sample(
      Graph g,
      Value x,
      Image p,
      int n,
      Value pose,
      int frames,
      Grid grid,
      Interpolation interpolation) {
    Value centred = p.zeroFill() ? x : x.minus(p.fill(g));
    Value y =
        g.opset() >= GRID_SAMPLE && interpolation != Interpolation.NEAREST
            ? gridSample(g, centred, p, pose, frames, grid, interpolation)
            : gathered(g, centred, p, n, pose, frames, grid, interpolation);
    if (grid.masked()) {
      long[] shape =
          p.layout() == Layout.NCHW
              ? new long[] {1, 1, grid.rows(), p.width()}
              : new long[] {1, grid.rows(), p.width(), 1};
      y = y.times(g.reals(FLOAT, grid.shown(), shape));
    }
    return p.zeroFill() ? y : y.plus(p.fill(g));
  }

  private Value gridSample(
      Graph g, Value x, Image p, Value pose, int frames, Grid grid, Interpolation interpolation) {
    int h = grid.rows();
    int w = p.width();
    boolean renamed = g.opset() >= GRID_SAMPLE_RENAMED;
    String mode =
        interpolation == Interpolation.BICUBIC
            ? renamed ? "cubic" : "bicubic"
            : renamed ? "linear" : "bilinear";
    Value planes = p.layout() == Layout.NCHW ? x : x.transpose(0, 3, 1, 2);
    Value places =
        (grid.straight() ? lines(g, pose, p) : pose.matmul(fields(g, grid, p)))
            .reshape(-1, (long) frames * h, w, 2);
    Value read =
        g.op(
            "GridSample",
            FLOAT,
            List.of(planes, places),
            Graph.text("mode", mode),
            Graph.text("padding_mode", "zeros"),
            Graph.integer("align_corners", 0));
    if (frames > 1) {
      read =
          read.reshape(-1, p.channels(), frames, h, w)
              .transpose(2, 0, 1, 3, 4)
              .reshape(-1, p.channels(), h, w);
    }
    return p.layout() == Layout.NCHW ? read : read.transpose(0, 2, 3, 1);
  }

  /**
   * Places on straight lines, [N·K, H, 2W]: the product of (1, y), for each row, with two rows of
   * pairs, what x adds in each column and what y adds. Fewer numbers to store and to read than
   * whole fields.
   */
  private Value lines(Graph g, Value pose, Image p) {
    int m = entries();
    int w = p.width();
    double[] pairs = new double[m * 2 * w * 2];
    for (int k = 0; k < pairs.length; k++) {
      int axis = k % 2;
      int part = k / (2 * w) % 2;
      double x = k / 2 % w - (w - 1) / 2.0;
      double unit = 2.0 / (axis == 0 ? w : p.height());
      int share = Grid.share(mirrored, k / (4 * w), part, axis);
      pairs[k] = unit * share * (part == 0 ? x : 1);
    }
    double[] rows = new double[2 * p.height()];
    for (int i = 0; i < p.height(); i++) {
      rows[2 * i] = 1;
      rows[2 * i + 1] = i - (p.height() - 1) / 2.0;
    }
    Value columns = pose.matmul(g.reals(FLOAT, pairs, m, 4L * w)).reshape(-1, 2, 2L * w);
    return g.reals(FLOAT, rows, p.height(), 2).matmul(columns);
  }

  /** Places are linear in the matrix: its entries times fixed fields of (x, y) pairs. */
  private Value fields(Graph g, Grid grid, Image p) {
    int m = entries();
    int n = grid.x().length;
    double[] fields = new double[m * 2 * n];
    for (int e = 0; e < m; e++) {
      for (int axis = 0; axis < 2; axis++) {
        double[] field = grid.field(mirrored, e, axis);
        double unit = 2.0 / (axis == 0 ? p.width() : p.height());
        for (int i = 0; i < n; i++) {
          fields[2 * (e * n + i) + axis] = unit * field[i];
        }
      }
    }
    return g.reals(FLOAT, fields, m, 2L * n);
  }

  /** With Gather: images as rows of pixels, a border of zeros around, taps by their index. */
  private Value gathered(
      Graph g,
      Value x,
      Image p,
      int n,
      Value pose,
      int frames,
      Grid grid,
      Interpolation interpolation) {
    int h = p.height();
    int w = p.width();
    int area = grid.x().length;
    int reach =
        switch (interpolation) {
          case NEAREST -> 1;
          case BILINEAR -> 2;
          case BICUBIC -> 4;
        };
    int wide = w + 2 * reach;
    int high = h + 2 * reach;
    Value last = p.layout() == Layout.NCHW ? x.transpose(0, 2, 3, 1) : x;
    Value pixels = last.pad(0, reach, reach, 0, 0, reach, reach, 0).reshape(-1, p.channels());

    double half = interpolation == Interpolation.NEAREST ? 0.5 : 0;
    Value matrices = byFrame(pose, frames, entries());
    Value px = places(matrices, grid, 0).plus((w - 1) / 2.0 + reach + half);
    Value py = places(matrices, grid, 1).plus((h - 1) / 2.0 + reach + half);
    // the first tap in each direction; pixels beyond the border see zeros only
    int before = interpolation == Interpolation.BICUBIC ? 1 : 0;
    int taps = 1 << (reach / 2);
    Value x0 = px.floor();
    Value y0 = py.floor();
    Value left = x0.clip(before, wide - taps + before);
    Value top = y0.clip(before, high - taps + before);
    Value first = top.times(wide).plus(left).plus(-before * (wide + 1.0)).cast(INT64);
    if (n != 1) {
      Value each = n > 0 ? g.iota(n) : g.iota(x.shape().pick(0, 0));
      first = first.plus(each.times((double) wide * high).reshape(1, -1, 1));
    }
    long[] column = {frames, -1, area, 1};
    Value read =
        switch (interpolation) {
          case NEAREST -> pixels.gather(0, first);
          case BILINEAR -> {
            Value u = wide(px.minus(x0).reshape(column), p.channels());
            Value v = wide(py.minus(y0).reshape(column), p.channels());
            Value p00 = pixels.gather(0, first);
            Value p01 = pixels.gather(0, first.plus(1));
            Value p10 = pixels.gather(0, first.plus(wide));
            Value p11 = pixels.gather(0, first.plus(wide + 1));
            Value upper = p00.plus(u.times(p01.minus(p00)));
            Value lower = p10.plus(u.times(p11.minus(p10)));
            yield upper.plus(v.times(lower.minus(upper)));
          }
          case BICUBIC -> {
            Value[] across = cubic(wide(px.minus(x0).reshape(column), p.channels()));
            Value[] down = cubic(wide(py.minus(y0).reshape(column), p.channels()));
            Value sum = null;
            for (int i = 0; i < 4; i++) {
              Value row = null;
              for (int j = 0; j < 4; j++) {
                Value tap = pixels.gather(0, first.plus((double) i * wide + j)).times(across[j]);
                row = row == null ? tap : row.plus(tap);
              }
              row = row.times(down[i]);
              sum = sum == null ? row : sum.plus(row);
            }
            yield sum;
          }
        };
    // [K, N, H·W, C], to the model's layout
    if (p.layout() == Layout.NCHW) {
      read = read.transpose(0, 1, 3, 2);
    }
    return read.reshape(p.shape(grid.rows(), n > 0 ? (long) frames * n : -1));
  }

  /** Where each pixel reads along x (0) or y (1), from the centre: [K, N, H·W]. */
  private Value places(Value matrices, Grid grid, int axis) {
    int m = entries();
    double[] all =
        IntStream.range(0, m)
            .mapToObj(e -> grid.field(mirrored, e, axis))
            .flatMapToDouble(Arrays::stream)
            .toArray();
    return matrices.matmul(matrices.graph().reals(FLOAT, all, m, all.length / m));
  }

  /** A column for each of a few channels: runtimes multiply equal shapes several times faster. */
  private static Value wide(Value column, int channels) {
    if (channels == 1 || channels > 4) {
      return column;
    }
    Value[] copies = new Value[channels];
    Arrays.fill(copies, column);
    return column.graph().concat(3, copies);
  }

  /** The weights of the four taps around a point at t in [0, 1) after the second of them. */
  private static Value[] cubic(Value t) {
    double a = Interpolation.CUBIC_A;
    Value s = t.times(-1).plus(1);
    return new Value[] {outer(t.plus(1), a), inner(t, a), inner(s, a), outer(s.plus(1), a)};
  }

  private static Value inner(Value t, double a) {
    return t.times(a + 2).plus(-(a + 3)).times(t).times(t).plus(1);
  }

  private static Value outer(Value t, double a) {
    return t.times(a).plus(-5 * a).times(t).plus(8 * a).times(t).plus(-4 * a);
  }
}
