package org.orbitmap.app.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.eval.Classifier;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.run.OnnxRuntime;

/** A model in an ONNX file. */
final class OnnxFileModel implements LoadedModel {
  private final Path source;
  private final OnnxFile file;
  private final OnnxModel model;
  private final ModelInput<?> input;
  private final Preprocessing preprocessing;
  private final String scores;
  private final List<String> classes;

  private OnnxFileModel(
      Path source,
      OnnxFile file,
      OnnxModel model,
      ModelInput<?> input,
      Preprocessing preprocessing,
      String scores,
      List<String> classes) {
    this.source = source;
    this.file = file;
    this.model = model;
    this.input = input;
    this.preprocessing = preprocessing;
    this.scores = scores;
    this.classes = classes;
  }

  static OnnxFileModel open(
      Path source, OnnxFile file, ModelOptions options, List<String> classes, OnnxRuntime runtime)
      throws IOException {
    ModelInput<?> input = file.input(options.hints());
    file.requireOnly(input);
    Preprocessing preprocessing = options.preprocessing(input);
    OnnxModel model = open(file, runtime);
    try {
      String scores = model.scoreOutput(options.scores());
      return new OnnxFileModel(source, file, model, input, preprocessing, scores, classes);
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  private static OnnxModel open(OnnxFile file, OnnxRuntime runtime) throws IOException {
    return runtime.open(
        file, runtime.concurrent() ? OnnxModel.Threads.ACROSS : OnnxModel.Threads.WITHIN);
  }

  /** The graph, whatever it was made of, and how its input and output are used. */
  private record Sent(
      String source,
      byte[] graph,
      ModelInput<?> input,
      Preprocessing preprocessing,
      String scores,
      ArrayList<String> classes)
      implements Parcel {
    @Override
    public LoadedModel open() throws IOException {
      OnnxFile file = OnnxFile.decode(source, graph);
      return new OnnxFileModel(
          Path.of(source),
          file,
          OnnxFileModel.open(file, OnnxRuntime.HERE),
          input,
          preprocessing,
          scores,
          classes);
    }
  }

  @Override
  public Parcel parcel() {
    return new Sent(
        source.toString(), file.bytes(), input, preprocessing, scores, new ArrayList<>(classes));
  }

  @Override
  public Path source() {
    return source;
  }

  @Override
  public Optional<ModelInput<?>> input() {
    return Optional.of(input);
  }

  @Override
  public List<String> classes() {
    return classes;
  }

  @Override
  public boolean concurrent() {
    return model.runtime().concurrent();
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("input", input.toString());
    if (!preprocessing.isNone()) {
      facts.put("preprocessing", preprocessing.toString());
    }
    return facts;
  }

  @Override
  public <X> Classifier<X> classifier(InputShape<X> shape) {
    return model.classifier(Inputs.require(source, input, shape), preprocessing, scores);
  }

  @Override
  public void close() {
    model.close();
  }
}
