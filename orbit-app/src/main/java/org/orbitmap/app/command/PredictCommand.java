package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFit;
import org.orbitmap.nn.network.Architecture;
import org.orbitmap.nn.network.Model;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code orbit predict}. */
@Command(
    name = "predict",
    description = {
      "Classify image files with a trained network.",
      "",
      "An image of another size is cropped to its centre and scaled; colour becomes grey, or grey "
          + "colour, as the network needs it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit predict runs/c cat.png dog.jpg",
      "  orbit predict runs/c photos/*.png --json",
    })
public final class PredictCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description = "The folder of a run, or a model file.")
  private Path run;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "FILES", description = "Image files.")
  private List<Path> files;

  @Mixin private OutputOptions output;

  /** One answer. */
  record Prediction(String file, String label, double probability, Map<String, Float> classes) {}

  @Override
  public Integer call() throws IOException {
    Model model = EvaluateCommand.model(run);
    List<Image> images = new ArrayList<>();
    for (Path file : files) {
      images.add(fit(ImageFiles.read(file), model.description().architecture()));
    }
    float[][] scores = model.scores(images);
    List<Prediction> predictions = new ArrayList<>();
    List<String> names = model.description().classes();
    for (int i = 0; i < scores.length; i++) {
      Map<String, Float> all = new LinkedHashMap<>();
      for (int c = 0; c < names.size(); c++) {
        all.put(names.get(c), scores[i][c]);
      }
      int best = Scores.argmax(scores[i]);
      predictions.add(
          new Prediction(files.get(i).toString(), names.get(best), scores[i][best], all));
    }
    output.print(
        Map.of("predictions", predictions),
        o ->
            predictions.forEach(
                p -> o.printf("%s: %s (%.1f %%)%n", p.file(), p.label(), 100 * p.probability())));
    return Errors.OK;
  }

  private static Image fit(Image image, Architecture a) {
    Image sized =
        image.height() == a.height() && image.width() == a.columns()
            ? image
            : ImageFit.fit(image, a.height(), a.columns());
    return sized.withChannels(a.channels());
  }
}
