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
    DataFinder.Found found = DataOptions.find(folder.toString(), null);
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

  /**
   * Reads what a folder holds for a model that tells what it takes.
   *
   * @param most how many inputs at most
   * @param points of each cloud if the model takes any number
   */
  public static DataSet<?> read(Path folder, LoadedModel model, int most, int points)
      throws IOException {
    DataFinder.Found found = DataOptions.find(folder.toString(), null);
    Choice choice = Choice.ALL.withLimit(most);
    ModelInput<?> input = model.input().orElseThrow();
    return input instanceof ModelInput.Images u
        ? found.load(found.auditSplit(), choice.withSide(u.height()))
        : found.load(
            found.auditSplit(), choice.withPoints(((ModelInput.Clouds) input).pointsOr(points)));
  }

  /** The test part, or all of a folder that names none. */
  private static ImageSet images(DataFinder.Found found, int side, AuditOptions options)
      throws IOException {
    Choice choice = Choice.ALL.withSide(side).withLimit(options.limit());
    return ImageSet.of(found.load(found.auditSplit(), choice));
  }

  private static CloudSet clouds(DataFinder.Found found, int points, AuditOptions options)
      throws IOException {
    Choice choice =
        Choice.ALL.withPoints(points).withLimit(options.limit()).withSeed(options.seed());
    return CloudSet.of(found.load(found.auditSplit(), choice));
  }
}
