package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.orbitmap.app.cell.Confinement;
import org.orbitmap.app.model.ModelCard;
import org.orbitmap.app.model.ModelLoader;
import org.orbitmap.app.model.RunModel;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.serve.api.Pages;
import org.orbitmap.app.serve.api.Studio;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.model.Models;
import org.orbitmap.app.serve.model.Served;
import org.orbitmap.app.serve.model.ServedClouds;
import org.orbitmap.app.serve.model.ServedImages;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.UserError;
import org.orbitmap.io.Version;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.upright.UprightFrames;
import org.orbitmap.upright.UprightMapping;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code orbit serve}. */
@Command(
    name = "serve",
    description = {
      "Serve the studio page and the inference API.",
      "",
      "The page lets a visitor rotate an image or a solid and see what the network says. Clients of"
          + " the Open Inference Protocol find every model under /v2, bare as NAME and behind the"
          + " orbit mapping as NAME.mapped. What a model expects is said by the options, or model by"
          + " model in a file beside it: net.yaml for net.onnx, with mean, std, scale, layout, size,"
          + " input, scores, feed, classes and frames. Stop it with Ctrl-C or SIGTERM: requests under way are"
          + " answered first."
    },
    footer = {
      "",
      "Examples:",
      "  orbit serve",
      "  orbit serve --model net.onnx --mapping upright:upright.safetensors",
      "  orbit serve --model net.onnx --classes classes.txt --images photos/ --port 0",
      "  curl -s --data-binary @cat.png -H 'Content-Type: image/png' localhost:8080/api/canonical"
    })
public final class ServeCommand implements Callable<Integer> {
  private static final int MOST_IMAGES = 12;

  @Option(
      names = "--model",
      paramLabel = "FILE|RUN",
      description =
          "An ONNX model of images or point clouds, or the folder of a training run; may be given"
              + " several times. Default: a small network that knows the sample images.")
  private List<Path> models = new ArrayList<>();

  @Option(
      names = "--images",
      paramLabel = "DIR|FILE",
      description =
          "Your own images, which the page shows in place of the drawings: the first 12. May be"
              + " given several times; more can be dropped on the page.")
  private List<Path> images = new ArrayList<>();

  @Option(names = "--port", description = "Default: ${DEFAULT-VALUE}; 0 takes any free one.")
  private int port = 8080;

  @Option(
      names = "--host",
      description = "Address to listen on. Default: ${DEFAULT-VALUE}, this machine only.")
  private String host = "127.0.0.1";

  @Option(
      names = "--classes",
      paramLabel = "FILE",
      description = "Names of the classes, one a line, for the models given.")
  private Path classes;

  @Option(
      names = "--frames",
      paramLabel = "K",
      description =
          "Frames that the mapped models look at, the most confident one wins."
              + " 1 suits networks trained on canonical images. Default: what the model's own file"
              + " says, or 16.")
  private Integer frames;

  @Option(
      names = "--mapping",
      paramLabel = "upright:FILE",
      description =
          "The fitted mapping in front of NAME.mapped, for models of images. Default: disc. With it"
              + " --frames is how many of its best angles are looked at (default: 2).")
  private String mapping;

  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      description = "How long requests under way may take at the end. Default: ${DEFAULT-VALUE}.")
  private int drain = 20;

  @Mixin private ModelOptions options;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws Exception {
    if (port < 0 || port > 65_535) {
      throw UserError.expected("--port", "a number from 0 to 65535", port, "");
    }
    if (frames != null && (frames < 1 || frames > 360)) {
      throw UserError.expected("--frames", "a number from 1 to 360", frames, "");
    }
    upright(); // refuses now what is none
    List<Path> own = ownImages();
    CountDownLatch stopped = new CountDownLatch(1);
    Studio studio = new Studio(host, port, Limits.DEFAULT, load(), own, Version.current());
    studio.server().start();
    studio.warm();
    Thread hook =
        new Thread(
            () -> {
              output.note("orbit serve: finishing the requests under way …");
              if (!studio.server().drain(Duration.ofSeconds(drain))) {
                output.warn("some requests did not end in time");
              }
              studio.close();
              stopped.countDown();
            },
            "orbit-drain");
    Runtime.getRuntime().addShutdownHook(hook);
    String address = "http://%s:%d/".formatted(host, studio.server().port());
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("address", address);
    document.put("port", studio.server().port());
    output.print(document, out -> out.println("Orbit is at " + address));
    List<String> missing = Confinement.best().missing();
    if (!missing.isEmpty()) {
      output.warn(
          "uploaded models run in a process of their own, but this system does not enforce: "
              + String.join(", ", missing));
    }
    stopped.await();
    return 0;
  }

  /** The first images among the files and folders that were given, in the order of their names. */
  public List<Path> ownImages() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path place : images) {
      List<Path> found;
      try (Stream<Path> inside = Files.walk(place)) {
        found =
            inside
                .filter(f -> ImageFiles.isImage(f) && !AtomicFiles.isLeftover(f))
                .sorted()
                .limit(MOST_IMAGES)
                .toList();
      }
      if (found.isEmpty()) {
        throw UserError.expected("--images", "images", "none in " + place, "");
      }
      all.addAll(found);
    }
    return all.subList(0, Math.min(MOST_IMAGES, all.size()));
  }

  /** The small network that knows the sample images. */
  public static ServedImages drawings() throws IOException {
    OnnxFile file = OnnxFile.decode("drawings", Pages.resource("drawings.onnx"));
    var use = ServedImages.Use.usual(SampleDrawings.CLASSES, Frames.UPRIGHT.count());
    return new ServedImages("drawings", file, use, Limits.DEFAULT);
  }

  /** What the options name. */
  public Models load() throws IOException {
    if (models.isEmpty()) {
      return new Models(List.of(drawings()));
    }
    List<Served> loaded = new ArrayList<>();
    for (Path path : models) {
      String name = path.getFileName().toString().replaceFirst("\\.(onnx|safetensors)$", "");
      loaded.add(
          switch (ModelLoader.kind(path)) {
            case RUN -> run(name, path);
            case ONNX -> onnx(name, path);
            case TORCHSCRIPT ->
                throw UserError.expected(
                    "--model",
                    "ONNX files and training runs",
                    path,
                    "Export it from PyTorch with torch.onnx.export.");
          });
    }
    if (loaded.stream().noneMatch(ServedImages.class::isInstance)) {
      loaded.add(drawings()); // the page has an image to rotate in any case
    }
    return new Models(loaded);
  }

  /** The fitted mapping that the options name; null for none. */
  private UprightMapping<?> upright() {
    if (mapping == null) {
      return null;
    }
    InputShape<Image> any = new InputShape.Images(3, 1, 1);
    if (MappingSpec.file(mapping).isPresent()
        && new MappingSpec(mapping, "", UprightFrames.RESAMPLING).mapping(any)
            instanceof UprightMapping<?> m) {
      return m;
    }
    throw UserError.expected(
        "--mapping", "upright:FILE", mapping, "The page offers the others for each image");
  }

  /** How a model is used: behind the fitted mapping if there is one. */
  private ServedImages.Use use(ServedImages.Use usual) {
    UprightMapping<?> upright = upright();
    return upright == null
        ? usual
        : usual.behind(upright, frames == null ? UprightFrames.USUAL : frames);
  }

  private Served run(String name, Path path) throws IOException {
    RunModel run = RunModel.open(path);
    if (run.input().orElseThrow() instanceof ModelInput.Clouds) {
      ModelInput.Hints none = ModelInput.Hints.NONE;
      return run.mapped()
          ? new ServedClouds(name, run.exported(), run.exportedMapped(), none, run.classes())
          : new ServedClouds(name, run.exported(), none, run.classes());
    }
    var use = ServedImages.Use.usual(run.classes(), frames(null));
    return new ServedImages(
        name,
        run.exported(),
        run.mapped() ? use.with(1, run.resampling()) : use(use),
        Limits.DEFAULT);
  }

  private int frames(Integer told) {
    return frames != null ? frames : told != null ? told : Frames.UPRIGHT.count();
  }

  private Served onnx(String name, Path path) throws IOException {
    ModelCard card = ModelCard.beside(path);
    ModelOptions all = card.options(options);
    OnnxFile file = ModelLoader.onnx(path, all);
    ModelInput<?> input = file.input(all.hints());
    file.requireOnly(input);
    all.preprocessing(input); // refuses what only images have
    List<String> names = classes == null ? card.classes() : Files.readAllLines(classes);
    if (input instanceof ModelInput.Clouds) {
      return new ServedClouds(name, file, all.hints(), names);
    }
    var use =
        new ServedImages.Use(
            all.hints(), all::preprocessing, all.scores(), names, frames(card.frames()));
    return new ServedImages(name, file, use(use), Limits.DEFAULT);
  }
}
