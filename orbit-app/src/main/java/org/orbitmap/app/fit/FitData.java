package org.orbitmap.app.fit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.eval.Labelled;
import org.orbitmap.image.Image;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.LabelledImages;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.CloudPoints;
import org.orbitmap.io.data.source.DataFinder;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.nn.fit.FitConfig;

/**
 * Upright images or clouds to learn from: those of a data set, or all in a folder and below it,
 * whatever their sizes and without labels.
 *
 * @param training what is learned from
 * @param validation what is measured on, if the data itself has a part for testing
 * @param size what the predictor sees: the side of images, the one asked for or that of smaller
 *     images; or the number of points
 */
public record FitData(DataSet<?> training, Optional<DataSet<?>> validation, int size) {
  /** The side of images that the predictor sees, unless asked for another. */
  public static final int SIDE = 32;

  /** The number of points that it sees, likewise. */
  public static final int POINTS = 512;

  /** Images are rotated twice as fine as the predictor sees them. */
  private static final int FINER = 2;

  /** Of how many files the sizes are looked at. */
  private static final int LOOKED_AT = 60;

  /** Whether the inputs are images. */
  public boolean images() {
    return training instanceof ImageSet;
  }

  /**
   * Reads the data that is meant.
   *
   * @param size what the predictor sees; 0 for the usual
   * @param limit how many inputs at most; 0 for all
   */
  public static FitData read(DataOptions data, int size, int limit) throws IOException {
    Path place = data.value() == null ? null : data.root();
    boolean named = place == null || DataSets.named(data.value()).isPresent();
    boolean set = named || DataSets.at(place).filter(s -> !s.isLayout()).isPresent();
    List<Path> images = set ? List.of() : LabelledFiles.below(place, ImageFiles::isImage);
    List<Path> clouds =
        set || !images.isEmpty() ? List.of() : LabelledFiles.below(place, CloudFiles::isCloud);
    int side = size == 0 ? SIDE : size;
    int fine = images.isEmpty() ? FINER * side : Math.min(FINER * side, smallest(images));
    Choice choice =
        Choice.ALL
            .withLimit(limit)
            .withSide(fine)
            .withPoints(FitConfig.drawnFrom(size == 0 ? POINTS : size));
    if ((images.isEmpty() && clouds.isEmpty()) || DataSets.at(place).isPresent()) {
      DataFinder.Found found = data.find(null);
      DataSet<?> training = found.load(Split.TRAIN, choice);
      boolean tested =
          found.source().parts(found.folder()).contains(Split.TEST) || found.source().isLayout();
      Optional<DataSet<?>> test =
          tested ? Optional.of(like(training, found.load(Split.TEST, choice))) : Optional.empty();
      return new FitData(training, test, size(size, training));
    }
    String name = LabelledFiles.name(place);
    List<Path> files = evenly(images.isEmpty() ? clouds : images, choice.most());
    int[] labels = files.stream().mapToInt(f -> Labelled.UNKNOWN).toArray();
    DataSet<?> read =
        images.isEmpty()
            ? new CloudSet(name, List.of(), CloudPoints.read(name, files, choice), labels)
            : LabelledImages.read(
                name,
                List.of(),
                files.stream().map(f -> new LabelledFiles.Entry(f, Labelled.UNKNOWN)).toList(),
                choice);
    return new FitData(read, Optional.empty(), size(size, read));
  }

  private static DataSet<?> like(DataSet<?> training, DataSet<?> test) {
    return training instanceof ImageSet u ? ImageSet.of(test).withChannels(u.channels()) : test;
  }

  private static int size(int size, DataSet<?> set) {
    if (!(set instanceof ImageSet u)) {
      return size == 0 ? POINTS : size;
    }
    int own = Math.min(u.height(), u.width());
    int side = size == 0 ? SIDE : size;
    return side <= own ? side : own / FitConfig.SIDES * FitConfig.SIDES;
  }

  /** At most so many, evenly from all. */
  private static List<Path> evenly(List<Path> files, int most) {
    int n = Math.min(most, files.size());
    return IntStream.range(0, n)
        .mapToObj(i -> files.get((int) ((long) i * files.size() / n)))
        .toList();
  }

  /** The shortest side in some of the files. */
  private static int smallest(List<Path> files) throws IOException {
    return LabelledFiles.read(
            "images",
            evenly(files, LOOKED_AT),
            f -> {
              Image u = ImageFiles.read(f);
              return Math.min(u.height(), u.width());
            })
        .stream()
        .mapToInt(Integer::intValue)
        .min()
        .orElseThrow();
  }
}
