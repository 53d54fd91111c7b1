package org.orbitmap.app.fit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.eval.Labelled;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.LabelledImages;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataFinder;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.nn.fit.FitConfig;

/**
 * Upright images to learn from: those of a data set, or all in a folder and below it, whatever
 * their sizes and without labels.
 *
 * @param training what is learned from
 * @param validation what is measured on, if the data itself has a part for testing
 * @param size the side of what the predictor sees: the one asked for, or that of smaller images
 */
public record FitData(ImageSet training, Optional<ImageSet> validation, int size) {
  /** Images are rotated twice as fine as the predictor sees them. */
  private static final int FINER = 2;

  /** Of how many files the sizes are looked at. */
  private static final int LOOKED_AT = 60;

  /**
   * Reads the data that is meant.
   *
   * @param size the side of what the predictor sees
   * @param limit how many images at most; 0 for all
   */
  public static FitData read(DataOptions data, int size, int limit) throws IOException {
    Choice choice = Choice.ALL.withLimit(limit);
    Path place = data.value() == null ? null : data.root();
    boolean named = place == null || DataSets.named(data.value()).isPresent();
    boolean set = named || DataSets.at(place).filter(s -> !s.isLayout()).isPresent();
    List<Path> files = set ? List.of() : LabelledFiles.below(place, ImageFiles::isImage);
    int fine = files.isEmpty() ? FINER * size : Math.min(FINER * size, smallest(files));
    Choice scaled = choice.withSide(fine);
    if (files.isEmpty() || DataSets.at(place).isPresent()) {
      DataFinder.Found found = data.find(null);
      ImageSet training = images(found.load(Split.TRAIN, scaled));
      Optional<ImageSet> test =
          found.source().parts(found.folder()).contains(Split.TEST) || found.source().isLayout()
              ? Optional.of(
                  images(found.load(Split.TEST, scaled)).withChannels(training.channels()))
              : Optional.empty();
      return new FitData(training, test, least(size, training));
    }
    List<LabelledFiles.Entry> entries =
        files.stream().map(f -> new LabelledFiles.Entry(f, Labelled.UNKNOWN)).toList();
    int n = Math.min(entries.size(), scaled.most());
    List<LabelledFiles.Entry> chosen =
        IntStream.range(0, n)
            .mapToObj(i -> entries.get((int) ((long) i * entries.size() / n)))
            .toList();
    ImageSet read = LabelledImages.read(LabelledFiles.name(place), List.of(), chosen, scaled);
    return new FitData(read, Optional.empty(), least(size, read));
  }

  private static ImageSet images(DataSet<?> set) {
    return ImageSet.of(set);
  }

  private static int least(int size, ImageSet set) {
    int own = Math.min(set.height(), set.width());
    return size <= own ? size : own / FitConfig.SIDES * FitConfig.SIDES;
  }

  /** The shortest side in some of the files. */
  private static int smallest(List<Path> files) throws IOException {
    int n = Math.min(LOOKED_AT, files.size());
    List<Path> some =
        IntStream.range(0, n)
            .mapToObj(i -> files.get((int) ((long) i * files.size() / n)))
            .toList();
    return LabelledFiles.read(
            "images",
            some,
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
