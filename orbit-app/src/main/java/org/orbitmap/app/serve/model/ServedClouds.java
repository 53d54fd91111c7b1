package org.orbitmap.app.serve.model;

import java.io.IOException;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.wrap.Wrap;

/** A model of point clouds; the mapped one is invariant under all similarities of space. */
public final class ServedClouds implements Served {
  private final String name;
  private final ModelInput<?> input;
  private final OnnxModel bare;
  private final OnnxModel mapped;

  /**
   * Opens a model and wraps it.
   *
   * @throws IOException if it cannot be run
   */
  public ServedClouds(String name, OnnxFile file, ModelInput.Hints hints) throws IOException {
    this.name = name;
    this.input = file.input(hints);
    OnnxFile wrapped = Wrap.of(file).hints(hints).build();
    bare = OnnxModel.open(file);
    try {
      mapped = OnnxModel.open(wrapped);
    } catch (IOException | RuntimeException e) {
      bare.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ModelInput<?> input() {
    return input;
  }

  @Override
  public OnnxModel bareModel() {
    return bare;
  }

  @Override
  public OnnxModel mappedModel() {
    return mapped;
  }

  @Override
  public void close() {
    bare.close();
    mapped.close();
  }
}
