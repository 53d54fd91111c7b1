package org.orbitmap.app.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.eval.Classifier;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.Layout;
import org.orbitmap.model.ModelInput;
import org.orbitmap.nn.tensor.TorchScript;

/** A model in a TorchScript file, which takes what it is given. */
final class TorchScriptModel implements LoadedModel {
  private final Path source;
  private final TorchScript script;
  private final ModelOptions options;

  private TorchScriptModel(Path source, TorchScript script, ModelOptions options) {
    this.source = source;
    this.script = script;
    this.options = options;
  }

  static TorchScriptModel open(Path source, ModelOptions options) throws IOException {
    return new TorchScriptModel(source, TorchScript.read(source), options);
  }

  @Override
  public Path source() {
    return source;
  }

  @Override
  public Optional<ModelInput<?>> input() {
    return Optional.empty();
  }

  @Override
  public List<String> classes() {
    return List.of();
  }

  @Override
  public boolean concurrent() {
    return false;
  }

  @Override
  public Map<String, String> facts() {
    return Map.of();
  }

  @Override
  public <X> Classifier<X> classifier(InputShape<X> shape) {
    if (shape instanceof InputShape.Images p) {
      Layout told = options.hints().layout();
      return classifier(
          ModelInput.Images.free(
              told == null ? Layout.NCHW : told, p.channels(), p.height(), p.width()),
          shape);
    }
    X example = shape.input(new float[shape.length()], 0);
    IllegalArgumentException refused = null;
    for (boolean pointsFirst : new boolean[] {false, true}) {
      Classifier<X> tried = classifier(ModelInput.Clouds.free(pointsFirst), shape);
      try {
        tried.scores(List.of(example));
        return tried;
      } catch (IllegalArgumentException e) {
        refused = e;
      }
    }
    throw new IllegalArgumentException(
        "%s: expected a model of clouds N x 3 x P or N x P x 3, found one that takes neither: %s"
            .formatted(source, refused.getMessage()));
  }

  private <X> Classifier<X> classifier(ModelInput<?> input, InputShape<X> shape) {
    return Inputs.require(source, input, shape)
        .classifier(source, options.preprocessing(input), script::rows);
  }

  /** The file, and what was said about it. */
  private record Sent(String source, byte[] script, ModelOptions options) implements Parcel {
    @Override
    public LoadedModel open() throws IOException {
      Path file = Files.createTempFile("orbit-", ".pt");
      try {
        Files.write(file, script);
        return new TorchScriptModel(Path.of(source), TorchScript.read(file), options);
      } finally {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public Parcel parcel() throws IOException {
    return new Sent(source.toString(), Files.readAllBytes(source), options);
  }

  @Override
  public void close() {
    // Nothing is held but memory.
  }
}
