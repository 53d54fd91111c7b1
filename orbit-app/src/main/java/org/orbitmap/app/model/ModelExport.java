package org.orbitmap.app.model;

import java.io.IOException;
import java.util.Map;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Operations;
import org.orbitmap.network.TensorMapping;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.Model;
import org.orbitmap.onnx.export.NetworkExport;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.wrap.Wrap;
import org.orbitmap.orbit.OrbitMapping;

/** Trained models as ONNX files. */
public final class ModelExport {
  private ModelExport() {}

  /** The network without its mapping; it takes raw inputs and gives class probabilities. */
  public static OnnxFile bare(Model<?> model) throws IOException {
    return export(model, model.tensors(), model::afterMapping);
  }

  /**
   * The model with its mapping as one file.
   *
   * @throws IllegalArgumentException if the mapping has no form in ONNX
   */
  public static OnnxFile export(Model<?> model) throws IOException {
    MappingConfig mapping = model.description().mapping();
    if (!mapping.used()) {
      return bare(model);
    }
    OrbitMapping<?, ?> mapped = model.mapping();
    return mapped instanceof TensorMapping inOperations
        ? export(model, model.tensors(), new Mapped(inOperations, model)::scores)
        : Wrap.of(bare(model)).mapping(mapped).frames(mapping.frames(), Pool.MEAN).build();
  }

  private static OnnxFile export(
      Model<?> model, Map<String, FloatTensor> weights, NetworkExport.Program program)
      throws IOException {
    return NetworkExport.export(model.input(), weights, program);
  }

  /** A mapping that is written in operations, then the model. */
  private record Mapped(TensorMapping mapping, Model<?> model) {
    <T> T scores(Operations<T> ops, T x) {
      return model.afterMapping(ops, mapping.map(ops, x));
    }
  }
}
