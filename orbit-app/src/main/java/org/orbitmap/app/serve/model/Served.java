package org.orbitmap.app.serve.model;

import java.io.IOException;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.run.OnnxModel;

/** A model that clients of the inference protocol find twice: bare, and behind an orbit mapping. */
public interface Served extends AutoCloseable {
  /** What it is called in addresses. */
  String name();

  /** What the model takes. */
  ModelInput<?> input();

  /** The model as it is. */
  OnnxModel bareModel();

  /** The model behind the default mapping of its inputs, as {@code orbit wrap} writes it. */
  OnnxModel mappedModel() throws IOException;

  @Override
  void close();
}
