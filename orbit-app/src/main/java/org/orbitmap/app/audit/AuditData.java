package org.orbitmap.app.audit;

import java.io.IOException;
import java.nio.file.Path;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.source.DataFinder;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.data.source.PlainFiles;
import org.orbitmap.model.ModelInput;

/** The data that a folder holds, as a model takes it. */
public final class AuditData {
  private AuditData() {}

  /**
   * Reads a folder, labelled or plain files: clouds if the model takes clouds, or if it does not
   * tell and the group is one of clouds; images else.
   *
   * @param side of square images if neither the model nor the data tells; 0 if unknown
   * @param points of each cloud if the model takes any number; 0 for those that are there
   */
  public static DataSet<?> read(
      Path folder, LoadedModel model, AuditOptions options, int side, int points)
      throws IOException {
    ModelInput<?> input = model.input().orElse(null);
    boolean clouds = input == null ? options.ofClouds() : input instanceof ModelInput.Clouds;
    Choice choice = Choice.ALL.withLimit(options.limit()).withSeed(options.seed());
    if (clouds) {
      int told = input instanceof ModelInput.Clouds c ? Math.max(0, c.points()) : 0;
      if (points > 0 && told > 0 && points != told) {
        throw UserError.expected("--points", told + " as the model takes", points, "");
      }
      return CloudSet.of(load(folder, true, choice.withPoints(told > 0 ? told : points)));
    }
    if (points > 0) {
      throw UserError.expected("--points", "a model of clouds", "one of images", "");
    }
    if (input instanceof ModelInput.Images u) {
      return images(folder, u, choice);
    }
    return ImageSet.of(load(folder, false, choice.withSide(side)));
  }

  /**
   * The same for a model that tells what it takes.
   *
   * @param choice how many inputs; their size is the model's
   * @param points of each cloud if the model takes any number
   */
  public static DataSet<?> read(Path folder, LoadedModel model, Choice choice, int points)
      throws IOException {
    if (model.input().orElseThrow() instanceof ModelInput.Images u) {
      return images(folder, u, choice);
    }
    int told = ((ModelInput.Clouds) model.input().orElseThrow()).pointsOr(points);
    return CloudSet.of(load(folder, true, choice.withPoints(told)));
  }

  /** Images in the size and with the channels that a model takes. */
  private static ImageSet images(Path folder, ModelInput.Images u, Choice choice)
      throws IOException {
    ImageSet set = ImageSet.of(load(folder, false, choice.withSize(u.height(), u.width())));
    return u.channels() == 1 || u.channels() == 3 ? set.withChannels(u.channels()) : set;
  }

  /** The test part, or all of a folder that names none; plain files have no labels. */
  private static DataSet<?> load(Path folder, boolean clouds, Choice choice) throws IOException {
    if (DataSets.named(folder.toString()).isEmpty()) {
      Path place = new DataFinder(DataOptions.defaultRoot()).place(folder.toString());
      if (clouds && PlainFiles.areClouds(place)) {
        return PlainFiles.clouds(place, choice);
      }
      if (!clouds && PlainFiles.areImages(place)) {
        return PlainFiles.images(place, choice);
      }
    }
    DataFinder.Found found = DataOptions.find(folder.toString(), null);
    return found.load(found.auditSplit(), choice);
  }
}
