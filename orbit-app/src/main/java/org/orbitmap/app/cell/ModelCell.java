package org.orbitmap.app.cell;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/** A cell that opens ONNX models and runs them: tasks open, run, close. */
final class ModelCell {
  private final Map<Integer, OnnxModel> open = new HashMap<>();
  private int next;

  private ModelCell() {}

  /** The cell. */
  public static void main(String[] args) {
    ModelCell cell = new ModelCell();
    CellLoop.run(
        Map.of(
            "open", (frame, say) -> cell.open(frame),
            "run", (frame, say) -> cell.run(frame),
            "close", (frame, say) -> cell.close(frame)),
        () -> {},
        () -> false);
  }

  /** What is told of an output that ONNX Runtime finds. */
  record Opened(int id, List<List<Long>> outputs) {}

  /** A tensor on its way, with as many of the payload's numbers as its shape says. */
  record Tensor(String name, long[] shape, int length) {}

  private CellLoop.Answer open(Frame frame) throws IOException {
    OnnxFile file = OnnxFile.decode(frame.head().path("source").asText(), frame.payload());
    OnnxModel model = OnnxModel.open(file);
    open.put(++next, model);
    List<List<Long>> shapes =
        model.outputs().stream().map(o -> o.shape().stream().map(d -> d.value()).toList()).toList();
    return new CellLoop.Answer(new Opened(next, shapes), null);
  }

  private CellLoop.Answer run(Frame frame) {
    OnnxModel model = open.get(frame.head().path("id").intValue());
    FloatBuffer numbers = ByteBuffer.wrap(frame.payload()).asFloatBuffer();
    Map<String, OnnxModel.Feed> feeds = new LinkedHashMap<>();
    for (var t : frame.head().path("feeds")) {
      long[] shape = new long[t.path("shape").size()];
      for (int i = 0; i < shape.length; i++) {
        shape[i] = t.path("shape").get(i).longValue();
      }
      float[] data = new float[t.path("length").intValue()];
      numbers.get(data);
      feeds.put(t.path("name").textValue(), new OnnxModel.Feed(shape, data));
    }
    List<Tensor> shapes = new ArrayList<>();
    List<float[]> data = new ArrayList<>();
    model
        .run(feeds)
        .forEach(
            (name, output) -> {
              shapes.add(new Tensor(name, output.shape(), output.data().length));
              data.add(output.data());
            });
    return new CellLoop.Answer(shapes, bytes(data));
  }

  /** Numbers one behind the other. */
  static byte[] bytes(List<float[]> all) {
    long length = all.stream().mapToLong(f -> 4L * f.length).sum();
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
    FloatBuffer numbers = bytes.asFloatBuffer();
    all.forEach(numbers::put);
    return bytes.array();
  }

  private CellLoop.Answer close(Frame frame) {
    OnnxModel model = open.remove(frame.head().path("id").intValue());
    if (model != null) {
      model.close();
    }
    return null;
  }
}
