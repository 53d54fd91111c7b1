package org.orbitmap.app.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.CloudSets;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSets;
import org.orbitmap.io.data.FolderImages;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.model.ModelInput;

/** The data that a folder holds, as a model takes it. */
public final class AuditData {
  private AuditData() {}

  /**
   * Reads a folder: clouds if the model takes clouds, or if it does not tell and the group is one
   * of clouds; images else.
   *
   * @param side of square images if neither the model nor the data tells; 0 if unknown
   * @param points of each cloud if the model takes any number; 0 for those that are there
   */
  public static DataSet<?> read(
      Path folder, LoadedModel model, AuditOptions options, int side, int points)
      throws IOException {
    ModelInput<?> input = model.input().orElse(null);
    Path found = DataOptions.resolve(folder);
    if (input == null ? options.ofClouds() : input instanceof ModelInput.Clouds) {
      int told = input instanceof ModelInput.Clouds c ? Math.max(0, c.points()) : 0;
      if (points > 0 && told > 0 && points != told) {
        throw UserError.expected("--points", told + " as the model takes", points, "");
      }
      return clouds(found, told > 0 ? told : points, options);
    }
    if (points > 0) {
      throw UserError.expected("--points", "a model of clouds", "one of images", "");
    }
    if (input instanceof ModelInput.Images p) {
      return images(found, p.height() == p.width() ? p.height() : 0, options);
    }
    return images(found, side, options);
  }

  /** All images of a folder with folders of classes, the test part of any other data set. */
  private static ImageSet images(Path folder, int side, AuditOptions options) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new FormatException(folder, "a folder of labelled images", "none");
    }
    return DataSets.kind(folder) == DataSets.Kind.CLASS_FOLDERS
        ? FolderImages.read(DataSets.name(folder), folder, f -> true, side, options.limit())
        : DataSets.load(folder.toString(), null, DataSets.Split.TEST, side, options.limit());
  }

  private static CloudSet clouds(Path folder, int points, AuditOptions options) throws IOException {
    return CloudSets.read(folder, new CloudSets.Choice(points, options.limit(), options.seed()));
  }
}
