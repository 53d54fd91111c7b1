package org.orbitmap.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Image;

/** What a model takes, as far as its shape tells: pictures or point clouds. */
public sealed interface ModelInput {
  /** The input itself. */
  Port port();

  /** The fixed size of a batch, or -1 where it is free. */
  default int batch() {
    return port().length(0);
  }

  /** Runs a batch of tensors: the numbers and the shape, to one row of scores for each input. */
  @FunctionalInterface
  interface Runner {
    /** The rows. */
    float[][] rows(float[] data, long... shape);
  }

  /** Pictures. */
  record Pictures(Port port, Layout layout, int channels, int height, int width)
      implements ModelInput {
    public Pictures {
      if ((double) channels * height * width > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "%s: expected pictures of fewer samples, found %d x %d x %d"
                .formatted(port.name(), channels, height, width));
      }
    }

    /** What a model takes that says nothing of its input: a free batch of floats. */
    public static Pictures free(Layout layout, int channels, int height, int width) {
      long[] axes =
          layout == Layout.NCHW
              ? new long[] {-1, channels, height, width}
              : new long[] {-1, height, width, channels};
      List<Port.Size> shape =
          Arrays.stream(axes).mapToObj(n -> new Port.Size(n, n < 0 ? "N" : "")).toList();
      return new Pictures(new Port("input", "float", shape), layout, channels, height, width);
    }

    /** The number of samples of a picture. */
    int size() {
      return channels * height * width;
    }

    /** A classifier of pictures in [0, 1] from something that runs tensors of this kind. */
    public Classifier<Image> classifier(Preprocessing preprocessing, Runner runner) {
      Preprocessing p = preprocessing.forChannels(channels);
      int size = size();
      return batch -> {
        float[] data = new float[batch.size() * size];
        for (int i = 0; i < batch.size(); i++) {
          OnnxModel.put(this, p, batch.get(i), data, i * size);
        }
        return runner.rows(data, OnnxModel.shape(this, batch.size(), size));
      };
    }

    @Override
    public String toString() {
      return "%s: pictures %s, %s, %d x %d pixels, %s"
          .formatted(
              port.name(),
              layout,
              channels == 1 ? "1 channel" : channels + " channels",
              height,
              width,
              batchText());
    }
  }

  /**
   * Point clouds.
   *
   * @param pointsFirst true for N×P×3, false for N×3×P
   * @param points the number of points, or -1 where it is free
   */
  record Clouds(Port port, boolean pointsFirst, int points) implements ModelInput {
    /** What a model takes that says nothing of its input: a free batch of floats. */
    public static Clouds free(boolean pointsFirst) {
      Port.Size three = new Port.Size(3, "");
      Port.Size n = new Port.Size(-1, "N");
      Port.Size p = new Port.Size(-1, "P");
      List<Port.Size> shape = pointsFirst ? List.of(n, p, three) : List.of(n, three, p);
      return new Clouds(new Port("input", "float", shape), pointsFirst, -1);
    }

    /** The number of points, or another where it is free. */
    int pointsOr(int usual) {
      return points < 0 ? usual : points;
    }

    /** A classifier of clouds from something that runs tensors of this kind. */
    public Classifier<PointCloud> classifier(Runner runner) {
      return batch -> {
        int size = batch.get(0).coordinates().length;
        float[] data = new float[batch.size() * size];
        for (int i = 0; i < batch.size(); i++) {
          OnnxModel.put(this, batch.get(i), data, i * size);
        }
        return runner.rows(data, OnnxModel.shape(this, batch.size(), size));
      };
    }

    @Override
    public String toString() {
      return "%s: point clouds N x %s, %s points, %s"
          .formatted(
              port.name(),
              pointsFirst ? "P x 3" : "3 x P",
              points < 0 ? "any number of" : points,
              batchText());
    }
  }

  /** The batch in words. */
  default String batchText() {
    return batch() < 0 ? "any batch" : "batch " + batch();
  }

  /**
   * What the model cannot tell and the user may.
   *
   * @param name the input to look at; null: the only one that can be a picture or a cloud
   * @param layout the order of the axes; null: from the shape
   * @param height rows, for models that take any size; -1: from the shape
   * @param width columns, likewise
   */
  record Hints(String name, Layout layout, int height, int width) {
    /** Nothing is known beyond the model. */
    public static final Hints NONE = new Hints(null, null, -1, -1);
  }

  /**
   * Reads the kind of input from a model.
   *
   * @throws IllegalArgumentException if no input, or more than one, can be a picture or a cloud, or
   *     if the shape leaves open what a hint could tell
   */
  static ModelInput of(OnnxFile file, Hints hints) {
    List<Port> inputs = file.inputs();
    if (hints.name() != null) {
      Port port =
          inputs.stream()
              .filter(p -> p.name().equals(hints.name()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "%s: expected an input named \"%s\", found %s"
                              .formatted(file, hints.name(), inputs)));
      return of(file, port, hints);
    }
    List<ModelInput> found = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    for (Port port : inputs) {
      try {
        found.add(of(file, port, hints));
      } catch (IllegalArgumentException e) {
        reasons.add(e.getMessage());
      }
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    throw new IllegalArgumentException(
        found.isEmpty()
            ? inputs.isEmpty() ? file + ": expected an input, found none" : reasons.get(0)
            : "%s: expected one input that can be a picture or a cloud, found %s; say which with --input"
                .formatted(file, found.stream().map(i -> i.port().name()).toList()));
  }

  private static ModelInput of(OnnxFile file, Port port, Hints hints) {
    if (!Set.of("float", "float16", "double", "uint8").contains(port.type())) {
      throw none(file, port);
    }
    return switch (port.rank()) {
      case 3 -> cloud(file, port);
      case 4 -> pictures(file, port, hints);
      default -> throw none(file, port);
    };
  }

  private static IllegalArgumentException none(OnnxFile file, Port port) {
    return new IllegalArgumentException(
        "%s: expected an input of pictures (N x C x H x W or N x H x W x C) or point clouds (N x 3 x P or N x P x 3), found \"%s\": %s %s"
            .formatted(file, port.name(), port.type(), port.shapeText()));
  }

  private static Clouds cloud(OnnxFile file, Port port) {
    boolean last = port.length(2) == 3;
    boolean middle = port.length(1) == 3;
    if (last == middle) {
      throw none(file, port);
    }
    return new Clouds(port, last, port.length(last ? 1 : 2));
  }

  private static Pictures pictures(OnnxFile file, Port port, Hints hints) {
    Layout layout = hints.layout() != null ? hints.layout() : layout(file, port);
    int channels = port.length(layout.channelAxis());
    int height = size(file, port, layout.rowAxis(), hints.height());
    int width = size(file, port, layout.columnAxis(), hints.width());
    if (channels < 1) {
      throw new IllegalArgumentException(
          "%s: expected a fixed number of channels in \"%s\", found %s"
              .formatted(file, port.name(), port.shapeText()));
    }
    return new Pictures(port, layout, channels, height, width);
  }

  private static Layout layout(OnnxFile file, Port port) {
    boolean first = few(port.length(1));
    boolean last = few(port.length(3));
    if (first == last) {
      throw new IllegalArgumentException(
          "%s: cannot tell where the channels are in \"%s\": %s; say it with --layout nchw or --layout nhwc"
              .formatted(file, port.name(), port.shapeText()));
    }
    return first ? Layout.NCHW : Layout.NHWC;
  }

  private static boolean few(int channels) {
    return channels >= 1 && channels <= 4;
  }

  private static int size(OnnxFile file, Port port, int axis, int hint) {
    int own = port.length(axis);
    if (own < 0 && hint < 1) {
      throw new IllegalArgumentException(
          "%s: \"%s\" takes pictures of any size (%s), and a mapping is made for one size; say it with --size HxW"
              .formatted(file, port.name(), port.shapeText()));
    }
    if (own >= 0 && hint >= 1 && own != hint) {
      throw new IllegalArgumentException(
          "%s: expected --size as in the model, %s, found %d along axis %d"
              .formatted(file, port.shapeText(), hint, axis));
    }
    return own < 0 ? hint : own;
  }
}
