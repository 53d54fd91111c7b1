package org.orbitmap.app.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.orbitmap.app.audit.OutputClasses;
import org.orbitmap.app.model.Inputs;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.model.ModelLoader;
import org.orbitmap.app.option.BehindMapping;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.io.FileGuard;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.source.CloudPoints;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFit;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.run.OnnxRuntime;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit predict}. */
@Command(
    name = "predict",
    description = {
      "Classify files of images or point clouds with a model.",
      "",
      "An image of another size is cropped to its centre and scaled; colour becomes grey, or grey "
          + "colour, as the model needs it. Of a mesh or a larger cloud as many points are drawn as "
          + "the model takes.",
      "A file that cannot be used is told with its reason, the others are answered, and the exit "
          + "code is 2."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit predict runs/c cat.png dog.jpg",
      "  orbit predict model.onnx photos/ --json",
      "  orbit predict resnet50.onnx photos/ --labels imagenet",
      "  orbit predict pointnet.onnx chair.off scans/",
    })
public final class PredictCommand implements Callable<Integer> {
  private static final int POINTS = 1024;
  private static final int BATCH = 64;

  /** How many files that were left out are named. */
  private static final int NAMED = 3;

  @Parameters(
      index = "0",
      paramLabel = "MODEL",
      description = "A training run, an ONNX file or a TorchScript file.")
  private Path model;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILE|FOLDER",
      description = "Images or clouds; folders are searched to the bottom, in alphabetical order.")
  private List<Path> given;

  @Option(
      names = "--top",
      paramLabel = "K",
      description = "In JSON, the K most probable classes; default: ${DEFAULT-VALUE}.")
  private int top = 10;

  @Mixin private BehindMapping behind;

  @Option(
      names = "--labels",
      paramLabel = "FILE|imagenet",
      description =
          "What the outputs of the model are called, as for audit: a name on each line in their"
              + " order, lines name,output, or JSON.")
  private List<Path> labels = List.of();

  /** The names of the outputs, when they are known. */
  private List<String> names;

  @Mixin private ModelOptions options;
  @Mixin private OutputOptions output;

  /** What is said of a file: a label with its probability, or an error. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Prediction(
      String file, String label, Double probability, Map<String, Double> classes, String error) {
    static Prediction failed(Path file, Exception e) {
      String said = Errors.message(e);
      return new Prediction(
          file.toString(),
          null,
          null,
          null,
          said.contains(file.toString()) ? said : file + ": " + said);
    }
  }

  /**
   * What the command reports.
   *
   * @param skipped other files in the folders
   */
  record Document(int answered, int failed, int skipped, List<Prediction> predictions) {}

  @Override
  public Integer call() throws IOException {
    if (top < 1) {
      throw UserError.expected("--top", "at least 1", top, "");
    }
    ModelLoader.requireUsed(options, List.of(model));
    List<Path> skipped = new ArrayList<>();
    List<Prediction> predictions;
    try (LoadedModel loaded = ModelLoader.open(model, options, behind, OnnxRuntime.HERE)) {
      boolean images =
          loaded
              .input()
              .map(i -> !(i instanceof ModelInput.Clouds))
              .orElseGet(this::looksLikeImages);
      List<Path> files = files(images, skipped);
      try (ConsoleProgress progress = output.progress("files")) {
        predictions =
            images
                ? predict(
                    loaded, files, imageReader(loaded, files), PredictCommand::shape, progress)
                : predict(
                    loaded,
                    files,
                    f -> draw(f, loaded),
                    cloud -> new InputShape.Clouds(cloud.size()),
                    progress);
      }
    }
    int failed = (int) predictions.stream().filter(p -> p.error() != null).count();
    Document document =
        new Document(predictions.size() - failed, failed, skipped.size(), predictions);
    output.print(
        document,
        o -> {
          for (Prediction p : predictions) {
            if (p.error() != null) {
              o.println("failed: " + p.error());
            } else {
              o.printf("%s: %s (%.1f %%)%n", p.file(), p.label(), 100 * p.probability());
            }
          }
        });
    if (!skipped.isEmpty()) {
      output.note(
          "other files in the folders, left out: %d (%s%s)"
              .formatted(
                  skipped.size(),
                  String.join(", ", skipped.stream().limit(NAMED).map(Path::toString).toList()),
                  skipped.size() > NAMED ? ", …" : ""));
    }
    if (failed > 0) {
      output.warn("%d of %d files could not be used".formatted(failed, predictions.size()));
    }
    return failed > 0 ? Errors.BAD_INPUT : Errors.OK;
  }

  /** For a model that does not tell: clouds if the first file or the first folder has some. */
  private boolean looksLikeImages() {
    Path first = given.get(0);
    try {
      return Files.isDirectory(first)
          ? LabelledFiles.below(first, CloudFiles::isCloud).isEmpty()
          : ImageFiles.isImage(first) || !CloudFiles.isCloud(first);
    } catch (IOException e) {
      return true;
    }
  }

  /** What is to be answered. */
  private List<Path> files(boolean images, List<Path> skipped) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path each : given) {
      if (!Files.isDirectory(each)) {
        files.add(each);
        continue;
      }
      int before = files.size();
      for (Path file : LabelledFiles.below(each, f -> true)) {
        boolean wanted = images ? ImageFiles.isImage(file) : CloudFiles.isCloud(file);
        (wanted ? files : skipped).add(file);
      }
      if (files.size() == before) {
        throw UserError.expected(
            each.toString(), images ? "images" : "clouds", "none in the folder", "");
      }
    }
    return files;
  }

  /** Answers the files batch by batch; one that cannot be used does not stop the others. */
  private <X> List<Prediction> predict(
      LoadedModel loaded,
      List<Path> files,
      LabelledFiles.Reader<X> reader,
      Function<X, InputShape<X>> shape,
      Progress progress) {
    Prediction[] predictions = new Prediction[files.size()];
    Map<InputShape<X>, Classifier<X>> classifiers = new HashMap<>();
    for (int from = 0; from < predictions.length; from += BATCH) {
      int to = Math.min(predictions.length, from + BATCH);
      Map<InputShape<X>, Map<Integer, X>> read = new LinkedHashMap<>();
      for (int i = from; i < to; i++) {
        try {
          X x = FileGuard.read(files.get(i), reader::read);
          read.computeIfAbsent(shape.apply(x), s -> new LinkedHashMap<>()).put(i, x);
        } catch (IOException | IllegalArgumentException | UserError e) {
          predictions[i] = Prediction.failed(files.get(i), e);
        }
      }
      read.forEach(
          (s, inputs) -> {
            Classifier<X> asked =
                batch -> classifiers.computeIfAbsent(s, loaded::classifier).scores(batch);
            answer(loaded, asked, files, inputs, predictions);
          });
      progress.update(to, predictions.length);
    }
    return List.of(predictions);
  }

  /** Inputs of one shape together; one by one if that is refused, to find the one at fault. */
  private <X> void answer(
      LoadedModel loaded,
      Classifier<X> classifier,
      List<Path> files,
      Map<Integer, X> inputs,
      Prediction[] predictions) {
    try {
      float[][] scores = classifier.scores(List.copyOf(inputs.values()));
      int k = 0;
      for (int i : inputs.keySet()) {
        predictions[i] = prediction(loaded, files.get(i), scores[k++]);
      }
    } catch (IllegalArgumentException | UserError e) {
      inputs.forEach(
          (i, x) -> {
            if (inputs.size() == 1) {
              predictions[i] = Prediction.failed(files.get(i), e);
            } else {
              answer(loaded, classifier, files, Map.of(i, x), predictions);
            }
          });
    }
  }

  private Prediction prediction(LoadedModel loaded, Path file, float[] scores) {
    double[] p = Scores.probabilities(scores);
    Map<String, Double> classes = new LinkedHashMap<>();
    IntStream.range(0, p.length)
        .boxed()
        .sorted((a, b) -> Double.compare(p[b], p[a]))
        .limit(top)
        .forEach(c -> classes.put(name(loaded, scores.length, c), p[c]));
    int best = Scores.argmax(scores);
    return new Prediction(
        file.toString(), name(loaded, scores.length, best), p[best], classes, null);
  }

  private String name(LoadedModel model, int outputs, int c) {
    if (names == null) {
      try {
        names =
            labels.isEmpty()
                ? model.classes()
                : OutputClasses.names(outputs, model.classes(), labels);
      } catch (IOException e) {
        throw new UserError(e.getMessage(), e);
      }
    }
    return c < names.size() ? names.get(c) : "class " + c;
  }

  /** Fits images to what the model takes; if it does not tell, to the first that can be read. */
  private static LabelledFiles.Reader<Image> imageReader(LoadedModel loaded, List<Path> files) {
    if (loaded.input().isPresent()
        && Inputs.shape(loaded.input().get(), POINTS) instanceof InputShape.Images s) {
      return f -> fit(ImageFiles.read(f), s);
    }
    for (Path file : files) {
      try {
        InputShape.Images first = shape(FileGuard.read(file, ImageFiles::read));
        return f -> fit(ImageFiles.read(f), first);
      } catch (IOException | IllegalArgumentException | UserError e) {
        // It is said of the file when its turn comes.
      }
    }
    return ImageFiles::read;
  }

  private static InputShape.Images shape(Image u) {
    return new InputShape.Images(u.channels(), u.height(), u.width());
  }

  private static Image fit(Image image, InputShape.Images s) {
    Image sized =
        image.height() == s.height() && image.width() == s.width()
            ? image
            : ImageFit.fit(image, s.height(), s.width());
    return sized.withChannels(s.channels());
  }

  /** As many points as the model takes; where that is free, all of a cloud, some of a mesh. */
  private static PointCloud draw(Path file, LoadedModel loaded) throws IOException {
    Mesh mesh = CloudFiles.readMesh(file);
    int own = mesh.triangles().length > 0 ? POINTS : mesh.vertices().size();
    int points = loaded.input().map(i -> Inputs.shape(i, own).axes()[0]).orElse(own);
    return CloudPoints.of(file, mesh, points, 1);
  }
}
