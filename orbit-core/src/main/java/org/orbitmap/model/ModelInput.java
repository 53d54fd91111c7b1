package org.orbitmap.model;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Image;

/**
 * What a model takes, as far as its shape tells: images or point clouds. The one place that turns
 * inputs into the numbers of a batch, whatever runs the model.
 *
 * @param <X> the inputs
 */
public sealed interface ModelInput<X> extends Serializable {
  /** The most inputs fed at once to a model with a free batch. */
  int MOST = 64;

  /** The input itself. */
  TensorSpec spec();

  /** How many numbers an input has. */
  int length(X x);

  /** The shape of a batch of inputs of a length. */
  long[] shape(int rows, int length);

  /** Writes the numbers of an input from a place on. */
  void put(Preprocessing preprocessing, X x, float[] data, int at);

  /**
   * Checks that the model takes all of a batch.
   *
   * @param source what the message is about
   */
  void require(Object source, List<? extends X> batch);

  /**
   * How inputs become the model's numbers, after a check that it fits.
   *
   * @throws IllegalArgumentException if there is none of this kind for these inputs
   */
  Preprocessing fit(Preprocessing preprocessing);

  /** Whether there is an axis for the batch; without one the model takes one input at a time. */
  default boolean batched() {
    return true;
  }

  /** The fixed size of a batch, or -1 where it is free. */
  default int batch() {
    return batched() ? spec().length(0) : 1;
  }

  /** The batch in words. */
  default String batchText() {
    return !batched() ? "one at a time" : batch() < 0 ? "any batch" : "batch " + batch();
  }

  /** Runs a batch of tensors: the numbers and the shape, to one row of scores for each input. */
  @FunctionalInterface
  interface Runner {
    /** The rows. */
    float[][] rows(float[] data, long... shape);
  }

  /**
   * A classifier from something that runs tensors of this kind. A fixed batch is filled up with
   * copies of the last input.
   *
   * @param source what messages are about
   */
  default Classifier<X> classifier(Object source, Preprocessing preprocessing, Runner runner) {
    return classifier(source, preprocessing, MOST, runner);
  }

  /**
   * The same with another number of inputs at once.
   *
   * @param most inputs fed at once where the batch is free
   */
  default Classifier<X> classifier(
      Object source, Preprocessing preprocessing, int most, Runner runner) {
    Preprocessing p = fit(preprocessing);
    return batch -> {
      require(source, batch);
      int chunk = batch() > 0 ? batch() : most;
      int length = batch.isEmpty() ? 0 : length(batch.get(0));
      float[][] scores = new float[batch.size()][];
      for (int from = 0; from < scores.length; from += chunk) {
        int count = Math.min(chunk, scores.length - from);
        int rows = batch() > 0 ? chunk : count;
        float[] data = new float[rows * length];
        for (int i = 0; i < rows; i++) {
          put(p, batch.get(from + Math.min(i, count - 1)), data, i * length);
        }
        float[][] found = runner.rows(data, shape(rows, length));
        System.arraycopy(found, 0, scores, from, count);
      }
      return scores;
    };
  }

  /** Images with samples in [0, 1]. */
  record Images(TensorSpec spec, Layout layout, int channels, int height, int width)
      implements ModelInput<Image> {
    public Images {
      if ((double) channels * height * width > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "%s: expected images of fewer samples, found %d x %d x %d"
                .formatted(spec.name(), channels, height, width));
      }
    }

    /** What a model takes that says nothing of its input: a free batch of floats. */
    public static Images free(Layout layout, int channels, int height, int width) {
      long[] axes =
          layout == Layout.NCHW
              ? new long[] {-1, channels, height, width}
              : new long[] {-1, height, width, channels};
      List<TensorSpec.Dimension> shape =
          Arrays.stream(axes).mapToObj(n -> new TensorSpec.Dimension(n, n < 0 ? "N" : "")).toList();
      return new Images(new TensorSpec("input", "float", shape), layout, channels, height, width);
    }

    @Override
    public boolean batched() {
      return spec.rank() == 4;
    }

    /** The axis of the rows. */
    public int rowAxis() {
      return layout.rowAxis() - (batched() ? 0 : 1);
    }

    /** The axis of the columns. */
    public int columnAxis() {
      return layout.columnAxis() - (batched() ? 0 : 1);
    }

    /** The number of samples of an image. */
    public int size() {
      return channels * height * width;
    }

    @Override
    public int length(Image x) {
      return size();
    }

    @Override
    public long[] shape(int rows, int length) {
      long[] all =
          layout == Layout.NCHW
              ? new long[] {rows, channels, height, width}
              : new long[] {rows, height, width, channels};
      return batched() ? all : Arrays.copyOfRange(all, 1, all.length);
    }

    @Override
    public Preprocessing fit(Preprocessing preprocessing) {
      return preprocessing.forChannels(channels);
    }

    @Override
    public void require(Object source, List<? extends Image> batch) {
      for (Image u : batch) {
        if (u.channels() != channels || u.height() != height || u.width() != width) {
          throw new IllegalArgumentException(
              "%s: expected images of %d x %d x %d, found %s"
                  .formatted(source, channels, height, width, u));
        }
      }
    }

    @Override
    public void put(Preprocessing p, Image u, float[] data, int at) {
      int plane = u.plane();
      for (int c = 0; c < u.channels(); c++) {
        float gain = (float) p.gain(c);
        float black = (float) p.black(c);
        boolean first = layout == Layout.NCHW;
        int step = first ? 1 : u.channels();
        int to = first ? at + c * plane : at + c;
        float[] from = u.data();
        for (int i = 0, s = c * plane; i < plane; i++, s++, to += step) {
          data[to] = from[s] * gain + black;
        }
      }
    }

    @Override
    public String toString() {
      return "%s: images %s, %s, %d x %d pixels, %s"
          .formatted(
              spec.name(),
              layout,
              channels == 1 ? "1 channel" : channels + " channels",
              height,
              width,
              batchText());
    }
  }

  /**
   * Point clouds in space.
   *
   * @param pointsFirst true for N×P×3, false for N×3×P
   * @param points the number of points, or -1 where it is free
   */
  record Clouds(TensorSpec spec, boolean pointsFirst, int points)
      implements ModelInput<PointCloud> {
    /** What a model takes that says nothing of its input: a free batch of floats. */
    public static Clouds free(boolean pointsFirst) {
      TensorSpec.Dimension three = new TensorSpec.Dimension(3, "");
      TensorSpec.Dimension n = new TensorSpec.Dimension(-1, "N");
      TensorSpec.Dimension p = new TensorSpec.Dimension(-1, "P");
      List<TensorSpec.Dimension> shape = pointsFirst ? List.of(n, p, three) : List.of(n, three, p);
      return new Clouds(new TensorSpec("input", "float", shape), pointsFirst, -1);
    }

    /** What a network that was trained here takes: N×P×3 with a free batch. */
    public static Clouds points(int points) {
      TensorSpec.Dimension n = new TensorSpec.Dimension(-1, "N");
      TensorSpec.Dimension p = new TensorSpec.Dimension(points, "");
      TensorSpec.Dimension three = new TensorSpec.Dimension(3, "");
      return new Clouds(new TensorSpec("input", "float", List.of(n, p, three)), true, points);
    }

    /** The number of points, or another where it is free. */
    public int pointsOr(int usual) {
      return points < 0 ? usual : points;
    }

    @Override
    public int length(PointCloud x) {
      return x.coordinates().length;
    }

    @Override
    public long[] shape(int rows, int length) {
      return pointsFirst ? new long[] {rows, length / 3, 3} : new long[] {rows, 3, length / 3};
    }

    @Override
    public Preprocessing fit(Preprocessing preprocessing) {
      if (!preprocessing.isNone()) {
        throw new IllegalArgumentException(
            "mean, std and scale: expected with models of images, found " + this);
      }
      return preprocessing;
    }

    @Override
    public void require(Object source, List<? extends PointCloud> batch) {
      int usual = batch.isEmpty() ? 1 : batch.get(0).size();
      for (PointCloud c : batch) {
        if (c.dimension() != 3 || c.size() != pointsOr(usual)) {
          throw new IllegalArgumentException(
              "%s: expected clouds of %s points in 3-D, found %s"
                  .formatted(source, pointsOr(usual), c));
        }
      }
    }

    @Override
    public void put(Preprocessing p, PointCloud cloud, float[] data, int at) {
      float[] x = cloud.coordinates();
      if (pointsFirst) {
        System.arraycopy(x, 0, data, at, x.length);
        return;
      }
      int n = cloud.size();
      for (int i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
          data[at + d * n + i] = x[3 * i + d];
        }
      }
    }

    @Override
    public String toString() {
      return "%s: point clouds N x %s, %s points, %s"
          .formatted(
              spec.name(),
              pointsFirst ? "P x 3" : "3 x P",
              points < 0 ? "any number of" : points,
              batchText());
    }
  }

  /**
   * What the model cannot tell and the user may.
   *
   * @param name the input to look at; null: the only one that can be an image or a cloud
   * @param layout the order of the axes; null: from the shape
   * @param height rows, for models that take any size; -1: from the shape
   * @param width columns, likewise
   */
  record Hints(String name, Layout layout, int height, int width) implements Serializable {
    /** Nothing is known beyond the model. */
    public static final Hints NONE = new Hints(null, null, -1, -1);
  }

  /**
   * Reads the kind of input from what a model takes.
   *
   * @param source what messages are about, such as the file
   * @throws IllegalArgumentException if no input, or more than one, can be an image or a cloud, or
   *     if the shape leaves open what a hint could tell
   */
  static ModelInput<?> of(Object source, List<TensorSpec> inputs, Hints hints) {
    if (hints.name() != null) {
      TensorSpec spec =
          inputs.stream()
              .filter(p -> p.name().equals(hints.name()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "%s: expected an input named \"%s\", found %s"
                              .formatted(source, hints.name(), inputs)));
      return of(source, spec, hints);
    }
    List<ModelInput<?>> found = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    for (TensorSpec spec : inputs) {
      try {
        found.add(of(source, spec, hints));
      } catch (IllegalArgumentException e) {
        reasons.add(e.getMessage());
      }
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    throw new IllegalArgumentException(
        found.isEmpty()
            ? inputs.isEmpty() ? source + ": expected an input, found none" : reasons.get(0)
            : "%s: expected one input that can be an image or a cloud, found %s; name the one that is meant"
                .formatted(source, found.stream().map(i -> i.spec().name()).toList()));
  }

  private static ModelInput<?> of(Object source, TensorSpec spec, Hints hints) {
    if (!Set.of("float", "float16", "double", "uint8").contains(spec.type())) {
      throw none(source, spec);
    }
    return switch (spec.rank()) {
      case 3 -> oneImage(spec, hints) ? images(source, spec, hints) : cloud(source, spec);
      case 4 -> images(source, spec, hints);
      default -> throw none(source, spec);
    };
  }

  /**
   * Whether three axes are those of one image, without a batch. Three channels in the middle are a
   * cloud; at the end they are one unless the axes before are of one length, as in 224 x 224 x 3.
   */
  private static boolean oneImage(TensorSpec spec, Hints hints) {
    if (spec.length(0) >= 0 && (hints.layout() != null || hints.height() > 0)) {
      return true;
    }
    boolean square = spec.length(0) > 4 && spec.length(0) == spec.length(1);
    boolean last = square && few(spec.length(2));
    boolean first = few(spec.length(0)) && spec.length(1) != 3 && spec.length(2) != 3;
    return first || last;
  }

  private static IllegalArgumentException none(Object source, TensorSpec spec) {
    return new IllegalArgumentException(
        "%s: expected an input of images (N x C x H x W or N x H x W x C, or one without N; floats or bytes) or point clouds (N x 3 x P or N x P x 3), found \"%s\": %s %s"
            .formatted(source, spec.name(), spec.type(), spec.shapeText()));
  }

  private static Clouds cloud(Object source, TensorSpec spec) {
    boolean last = spec.length(2) == 3;
    boolean middle = spec.length(1) == 3;
    if (last == middle) {
      throw none(source, spec);
    }
    return new Clouds(spec, last, spec.length(last ? 1 : 2));
  }

  private static Images images(Object source, TensorSpec spec, Hints hints) {
    Layout layout = hints.layout() != null ? hints.layout() : layout(source, spec);
    int before = 4 - spec.rank(); // the axis of the batch, if there is none
    int channels = spec.length(layout.channelAxis() - before);
    int height = size(source, spec, layout.rowAxis() - before, hints.height());
    int width = size(source, spec, layout.columnAxis() - before, hints.width());
    if (channels < 1) {
      throw new IllegalArgumentException(
          "%s: expected a fixed number of channels in \"%s\", found %s"
              .formatted(source, spec.name(), spec.shapeText()));
    }
    return new Images(spec, layout, channels, height, width);
  }

  private static Layout layout(Object source, TensorSpec spec) {
    boolean first = few(spec.length(spec.rank() - 3));
    boolean last = few(spec.length(spec.rank() - 1));
    if (first == last) {
      throw new IllegalArgumentException(
          "%s: cannot tell where the channels are in \"%s\": %s; give the layout, nchw or nhwc"
              .formatted(source, spec.name(), spec.shapeText()));
    }
    return first ? Layout.NCHW : Layout.NHWC;
  }

  private static boolean few(int channels) {
    return channels >= 1 && channels <= 4;
  }

  private static int size(Object source, TensorSpec spec, int axis, int hint) {
    int own = spec.length(axis);
    if (own < 0 && hint < 1) {
      throw new IllegalArgumentException(
          "%s: \"%s\" takes images of any size (%s), and a mapping is made for one size; give the size"
              .formatted(source, spec.name(), spec.shapeText()));
    }
    if (own >= 0 && hint >= 1 && own != hint) {
      throw new IllegalArgumentException(
          "%s: expected the size of the model, %s, found %d along axis %d"
              .formatted(source, spec.shapeText(), hint, axis));
    }
    return own < 0 ? hint : own;
  }
}
