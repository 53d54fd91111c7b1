package org.orbitmap.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Similarity;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.FileGuard;
import org.orbitmap.io.UserError;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingFamily;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;

/** An orbit mapping for the rows of a table, and the kind of inputs that it is for. */
public final class RowMapping implements Serializable {
  private static final long serialVersionUID = 1;

  private static final InputShape<Image> IMAGES = new InputShape.Images(1, 1, 1);
  private static final InputShape<PointCloud> CLOUDS = new InputShape.Clouds(1);

  private final OrbitMapping<?, Image> ofImages;
  private final OrbitMapping<?, PointCloud> ofClouds;
  private final Resampling resampling;

  private RowMapping(
      OrbitMapping<?, Image> ofImages,
      OrbitMapping<?, PointCloud> ofClouds,
      Resampling resampling) {
    this.ofImages = ofImages;
    this.ofClouds = ofClouds;
    this.resampling = resampling;
  }

  /** A mapping of images. */
  public static RowMapping images(OrbitMapping<?, Image> mapping) {
    return new RowMapping(Objects.requireNonNull(mapping, "mapping"), null, Resampling.BILINEAR);
  }

  /** A mapping of clouds. */
  public static RowMapping clouds(OrbitMapping<?, PointCloud> mapping) {
    return new RowMapping(null, Objects.requireNonNull(mapping, "mapping"), Resampling.BILINEAR);
  }

  /**
   * A mapping in words, in any order, all of which may be left out: a group ({@code so2}, {@code
   * o2}, {@code sim3}, …), a rule ({@code disc}, {@code skewness}, {@code upright:FILE}, …), an
   * interpolation, a fill, and {@code images} or {@code clouds} where the others do not tell
   * (images else). {@code so2 bicubic edge} brings images upright; {@code clouds so2} rotates
   * clouds about the vertical.
   *
   * @throws IllegalArgumentException if a word means nothing, naming those that do
   */
  public static RowMapping named(String words) {
    String group = "";
    String rule = "";
    Interpolation interpolation = Interpolation.BILINEAR;
    Fill fill = Fill.ZERO;
    boolean clouds = false;
    boolean images = false;
    for (String written : words.trim().split("\\s+", -1)) {
      String word = written.toLowerCase(Locale.ROOT);
      if (word.isEmpty()) {
        continue;
      }
      if (word.equals("images")) {
        images = true;
      } else if (word.equals("clouds")) {
        clouds = true;
      } else if (MappingSpec.groups(IMAGES).contains(word)) {
        group = word;
      } else if (MappingSpec.groups(CLOUDS).contains(word)) {
        group = word;
        clouds = true;
      } else if (MappingSpec.file(written).isPresent() || rules(IMAGES).contains(word)) {
        rule = written;
      } else if (rules(CLOUDS).contains(word)) {
        rule = word;
        clouds = true;
      } else if (Arrays.stream(Interpolation.values()).anyMatch(i -> i.id().equals(word))) {
        interpolation = Interpolation.named(word);
      } else {
        fill = fill(word, words);
      }
    }
    if (clouds && images) {
      throw new IllegalArgumentException(
          "mapping: expected one of images or one of clouds, found " + words);
    }
    Resampling how = Resampling.of(interpolation).with(fill);
    MappingSpec spec = new MappingSpec(rule, group, how);
    return clouds
        ? new RowMapping(null, spec.mapping(CLOUDS), how)
        : new RowMapping(spec.mapping(IMAGES), null, how);
  }

  private static Fill fill(String word, String words) {
    try {
      return Fill.named(word);
    } catch (IllegalArgumentException e) {
      List<String> known = new ArrayList<>(List.of("images", "clouds"));
      known.addAll(MappingSpec.groups(IMAGES));
      known.addAll(MappingSpec.groups(CLOUDS));
      known.addAll(MappingSpec.names());
      Arrays.stream(Interpolation.values()).forEach(i -> known.add(i.id()));
      throw new IllegalArgumentException(
          "mapping: expected words of %s or a fill, found %s in '%s'"
              .formatted(String.join(", ", known.stream().distinct().toList()), word, words),
          e);
    }
  }

  private static List<String> rules(InputShape<?> shape) {
    return MappingSpec.families(shape).stream().map(MappingFamily::name).toList();
  }

  /** What of a mapping is asked for: a canonical form costs more than the pose. */
  enum Part {
    CANONICAL,
    ELEMENT,
    MARGIN,
    /** A row of all of them, with the error. */
    ALL
  }

  /** A value of a column to what is asked for. */
  interface Asked extends Serializable {
    /**
     * What is asked for.
     *
     * @param value of the column; null gives null
     * @param name of the input in messages
     */
    Object of(Object value, Path name);
  }

  /**
   * What is asked for, of the values of a column. Those that cannot be mapped give null, or a row
   * with an error.
   *
   * @throws IllegalArgumentException if the column cannot hold inputs
   */
  Asked asked(DataType type, Part part) {
    if (ofImages != null) {
      return asked(InputColumn.images(type), ofImages, part);
    }
    return asked(InputColumn.clouds(type), ofClouds, part);
  }

  private static <X> Asked asked(InputColumn<X> column, OrbitMapping<?, X> mapping, Part part) {
    return (value, name) -> {
      if (value == null) {
        return part == Part.ALL ? failed(name + ": expected an input, found null") : null;
      }
      try {
        return FileGuard.read(name, n -> part(column.open(value, n), mapping, part));
      } catch (IOException | IllegalArgumentException | UserError e) {
        String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return part == Part.ALL
            ? failed(text.contains(name.toString()) ? text : name + ": " + text)
            : null;
      }
    };
  }

  private static Row failed(String error) {
    return RowFactory.create(null, null, null, error);
  }

  private static <X> Object part(
      InputColumn.Opened<X> opened, OrbitMapping<?, X> mapping, Part part) throws IOException {
    if (mapping instanceof RotationMapping rotation
        && opened.input() instanceof Image image
        && (part == Part.ELEMENT || part == Part.MARGIN)) {
      Pose pose = rotation.pose(image); // without the canonical image
      return part == Part.MARGIN ? (Object) pose.margin() : Elements.row(pose.rotation());
    }
    Canonical<?, X> c = mapping.map(opened.input());
    boolean mirrored = c.element() instanceof Similarity g && g.handedness() < 0;
    return switch (part) {
      case CANONICAL -> opened.writer().write(c.point(), mirrored);
      case ELEMENT -> Elements.row(c.element());
      case MARGIN -> c.margin();
      case ALL ->
          RowFactory.create(
              opened.writer().write(c.point(), mirrored),
              Elements.row(c.element()),
              c.margin(),
              null);
    };
  }

  /** Takes what was made of a canonical form back to the pose of the input, x = ĝ⁻¹(y). */
  interface Back extends Serializable {
    /**
     * The value in the pose of the input.
     *
     * @param element as a row; null gives null
     */
    Object of(Object value, Row element, Path name);
  }

  /**
   * The way back for the values of a column; those that cannot be taken back give null.
   *
   * @throws IllegalArgumentException if the column cannot hold inputs
   */
  Back back(DataType type) {
    if (ofImages != null) {
      InputColumn<Image> column = InputColumn.images(type);
      Resampling how = resampling;
      return (value, element, name) ->
          back(
              column,
              value,
              element,
              name,
              x -> Elements.placement(element, x.height(), x.width()).toInput(x, how));
    }
    InputColumn<PointCloud> column = InputColumn.clouds(type);
    if (!(ofClouds.action() instanceof CloudAction action)) {
      throw new IllegalArgumentException(
          "the way back: expected a group of similarities, found "
              + ofClouds.action().group().name());
    }
    return (value, element, name) ->
        back(
            column,
            value,
            element,
            name,
            x -> action.act(Elements.similarity(element).inverse(), x));
  }

  /** Moves an input. */
  private interface Move<X> {
    X apply(X x);
  }

  private static <X> Object back(
      InputColumn<X> column, Object value, Row element, Path name, Move<X> move) {
    if (value == null || element == null) {
      return null;
    }
    try {
      return FileGuard.read(
          name,
          n -> {
            InputColumn.Opened<X> opened = column.open(value, n);
            boolean mirrored =
                opened.input() instanceof PointCloud
                    && Elements.similarity(element).handedness() < 0;
            return opened.writer().write(move.apply(opened.input()), mirrored);
          });
    } catch (IOException | IllegalArgumentException | UserError e) {
      return null;
    }
  }
}
