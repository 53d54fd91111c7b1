package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.model.Inputs;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.model.ModelLoader;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFit;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.model.InputShape;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code orbit predict}. */
@Command(
    name = "predict",
    description = {
      "Classify files of images or point clouds with a model.",
      "",
      "An image of another size is cropped to its centre and scaled; colour becomes grey, or grey "
          + "colour, as the model needs it. Of a mesh as many points are drawn as the model takes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit predict runs/c cat.png dog.jpg",
      "  orbit predict model.onnx photos/*.png --json",
      "  orbit predict pointnet.onnx chair.off",
    })
public final class PredictCommand implements Callable<Integer> {
  private static final int POINTS = 1024;

  @Parameters(
      index = "0",
      paramLabel = "MODEL",
      description = "A training run, an ONNX file or a TorchScript file.")
  private Path model;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILES",
      description = "Files of images or clouds.")
  private List<Path> files;

  @Mixin private ModelOptions options;
  @Mixin private OutputOptions output;

  /** What is said of a file. */
  record Prediction(String file, String label, double probability, Map<String, Double> classes) {}

  @Override
  public Integer call() throws IOException {
    ModelLoader.requireUsed(options, List.of(model));
    List<Prediction> predictions;
    try (LoadedModel loaded = ModelLoader.open(model, options)) {
      boolean images = ImageFiles.isImage(files.get(0)) || !CloudFiles.isCloud(files.get(0));
      InputShape<?> shape =
          loaded.input().isPresent()
              ? Inputs.shape(loaded.input().get(), POINTS)
              : images ? shape(ImageFiles.read(files.get(0))) : new InputShape.Clouds(POINTS);
      predictions =
          shape instanceof InputShape.Images s
              ? predict(loaded, s, f -> fit(ImageFiles.read(f), s))
              : predict(loaded, (InputShape.Clouds) shape, f -> draw(f, shape));
    }
    output.print(
        Map.of("predictions", predictions),
        o ->
            predictions.forEach(
                p -> o.printf("%s: %s (%.1f %%)%n", p.file(), p.label(), 100 * p.probability())));
    return Errors.OK;
  }

  private interface Reader<X> {
    X read(Path file) throws IOException;
  }

  private <X> List<Prediction> predict(LoadedModel loaded, InputShape<X> shape, Reader<X> reader)
      throws IOException {
    List<X> inputs = new ArrayList<>();
    for (Path file : files) {
      inputs.add(reader.read(file));
    }
    float[][] scores = loaded.classifier(shape).scores(inputs);
    List<Prediction> predictions = new ArrayList<>();
    for (int i = 0; i < scores.length; i++) {
      double[] p = Scores.probabilities(scores[i]);
      Map<String, Double> all = new LinkedHashMap<>();
      for (int c = 0; c < p.length; c++) {
        all.put(name(loaded, c), p[c]);
      }
      int best = Scores.argmax(scores[i]);
      predictions.add(new Prediction(files.get(i).toString(), name(loaded, best), p[best], all));
    }
    return predictions;
  }

  private static String name(LoadedModel model, int c) {
    return c < model.classes().size() ? model.classes().get(c) : "class " + c;
  }

  private static InputShape<Image> shape(Image u) {
    return new InputShape.Images(u.channels(), u.height(), u.width());
  }

  private static Image fit(Image image, InputShape.Images s) {
    Image sized =
        image.height() == s.height() && image.width() == s.width()
            ? image
            : ImageFit.fit(image, s.height(), s.width());
    return sized.withChannels(s.channels());
  }

  /** As many points as the model takes: all of a cloud, drawn from the surface of a mesh. */
  private static PointCloud draw(Path file, InputShape<?> shape) throws IOException {
    Mesh mesh = CloudFiles.readMesh(file);
    return mesh.triangles().length > 0
        ? new PointCloud(3, mesh.sample(shape.axes()[0], 1).coordinates())
        : mesh.vertices();
  }
}
