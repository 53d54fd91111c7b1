package org.orbitmap.app.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.option.BehindMapping;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.io.UserError;
import org.orbitmap.io.network.TorchFile;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.model.ModelInput;
import org.orbitmap.nn.tensor.TorchScript;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxRuntime;
import org.orbitmap.onnx.wrap.Wrap;

/** The one way to a model on disk. */
public final class ModelLoader {
  private ModelLoader() {}

  /** What made a model. */
  public enum Kind {
    /** Training: the folder of a run, or the safetensors file in it. */
    RUN,
    /** Anything that writes ONNX. */
    ONNX,
    /** PyTorch. */
    TORCHSCRIPT
  }

  /** The kind of a model by its name: of what has no known ending, ONNX. */
  public static Kind kind(Path path) throws IOException {
    if (Files.isDirectory(path) || path.toString().endsWith(".safetensors")) {
      return Kind.RUN;
    }
    if (!TorchScript.isTorchScript(path)) {
      return Kind.ONNX;
    }
    if (TorchFile.isStateDictionary(path)) {
      throw UserError.expected(
          path.toString(),
          "a model",
          "weights alone",
          "Make a model of them: orbit import %s --network NAME --out MODEL".formatted(path));
    }
    return Kind.TORCHSCRIPT;
  }

  /**
   * Checks that what is said about models is needed for one of them.
   *
   * @throws UserError if all of them are runs, which know it
   */
  public static void requireUsed(ModelOptions options, List<Path> models) throws IOException {
    for (Path model : models) {
      if (!options.given() || kind(model) != Kind.RUN) {
        return;
      }
    }
    throw UserError.expected(
        "--mean, --std, --scale, --layout, --size, --input, --scores, --feed",
        "with ONNX and TorchScript files",
        "a training run, which knows them",
        "");
  }

  /**
   * Opens a model.
   *
   * @param options what ONNX and TorchScript files do not tell, and no {@link ModelCard} beside
   *     them; runs know it
   * @throws IOException if there is none, or it cannot be run
   */
  public static LoadedModel open(Path path, ModelOptions options) throws IOException {
    return open(path, options, OnnxRuntime.HERE);
  }

  /**
   * Opens a model somewhere.
   *
   * @param runtime where ONNX files run
   * @throws UserError if it is none and cannot run there
   */
  public static LoadedModel open(Path path, ModelOptions options, OnnxRuntime runtime)
      throws IOException {
    requireOnnx(path, runtime);
    if (kind(path) == Kind.RUN) {
      return RunModel.open(path);
    }
    ModelCard card = ModelCard.beside(path);
    ModelOptions all = card.options(options);
    return kind(path) == Kind.ONNX
        ? OnnxFileModel.open(path, onnx(path, all), all, card.classes(), runtime)
        : TorchScriptModel.open(path, all);
  }

  /**
   * Checks that a model can run where it is wanted.
   *
   * @throws UserError if it is no ONNX file and to be kept apart
   */
  public static void requireOnnx(Path path, OnnxRuntime runtime) throws IOException {
    if (runtime != OnnxRuntime.HERE && kind(path) != Kind.ONNX) {
      throw UserError.expected(
          "--sandbox", "an ONNX file", path, "Leave it out for models that you trust.");
    }
  }

  /**
   * Opens a model with another mapping in front, or with none.
   *
   * @param behind the mapping as users name it, or {@code none} to take a run's own away, and how
   *     many poses an ONNX file is asked about
   * @param runtime where ONNX files run
   */
  public static LoadedModel open(
      Path path, ModelOptions options, BehindMapping behind, OnnxRuntime runtime)
      throws IOException {
    String rule = behind.mapping();
    Integer frames = behind.frames();
    requireOnnx(path, runtime);
    if (frames != null && (rule == null || kind(path) != Kind.ONNX)) {
      throw UserError.expected(
          "--frames",
          "with --mapping and an ONNX file",
          rule == null ? "no mapping" : path,
          "A network that was trained here is asked once");
    }
    if (rule == null) {
      return open(path, options, runtime);
    }
    boolean none = rule.trim().equalsIgnoreCase("none");
    return switch (kind(path)) {
      case RUN -> none ? RunModel.open(path).bare() : RunModel.open(path).behind(rule);
      case ONNX -> {
        ModelCard card = ModelCard.beside(path);
        ModelOptions all = card.options(options);
        OnnxFile file = onnx(path, all);
        yield OnnxFileModel.open(
            path,
            none ? file : wrapped(file, all, rule, frames, runtime),
            all,
            card.classes(),
            runtime);
      }
      case TORCHSCRIPT ->
          throw UserError.expected(
              "--mapping",
              "an ONNX file or a training run",
              path,
              "Export it from PyTorch with torch.onnx.export");
    };
  }

  private static OnnxFile wrapped(
      OnnxFile file, ModelOptions options, String rule, Integer frames, OnnxRuntime runtime)
      throws IOException {
    ModelInput<?> input = file.input(options.hints());
    Wrap wrap =
        Wrap.of(file)
            .hints(options.hints())
            .scores(options.scores())
            .runtime(runtime)
            .preprocessing(options.preprocessing(input))
            .mapping(
                new MappingSpec(rule, "", Frames.UPRIGHT.mapping().resampling())
                    .mapping(Inputs.shape(input, 1)));
    return (frames == null ? wrap : wrap.frames(frames)).build();
  }

  /**
   * Opens a model that is in memory.
   *
   * @param source where it came from
   * @param runtime where it runs
   */
  public static LoadedModel open(
      Path source, OnnxFile file, ModelOptions options, OnnxRuntime runtime) throws IOException {
    return OnnxFileModel.open(source, file, options, List.of(), runtime);
  }

  /** Reads an ONNX file, with the constants for its further inputs. */
  public static OnnxFile onnx(Path path, ModelOptions options) throws IOException {
    OnnxFile file = OnnxFile.read(path);
    for (Map.Entry<String, double[]> constant : options.feed().entrySet()) {
      file = file.with(constant.getKey(), constant.getValue());
    }
    return file;
  }
}
