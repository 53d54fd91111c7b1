package org.orbitmap.app.cell;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.io.UserError;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.run.OnnxRuntime;

/** ONNX Runtime in a cell: models are opened and run in a process of their own. */
public final class CellRuntime implements OnnxRuntime, AutoCloseable {
  private final Cell cell;

  /** Starts the cell. */
  public CellRuntime(CellLimits limits) throws IOException {
    cell = Cell.start(ModelCell.class, limits);
  }

  @Override
  public boolean concurrent() {
    return false;
  }

  @Override
  public OnnxModel open(OnnxFile file, OnnxModel.Threads threads) throws IOException {
    JsonNode opened;
    try {
      opened = cell.call("open", Map.of("source", file.source()), file.bytes(), event -> {}).head();
    } catch (UserError e) {
      throw new IOException(e.getMessage(), e);
    } catch (CellException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    List<TensorSpec> outputs = new ArrayList<>();
    JsonNode shapes = opened.path("outputs");
    for (int i = 0; i < file.outputs().size(); i++) {
      TensorSpec told = file.outputs().get(i);
      long[] found = new long[shapes.path(i).size()];
      for (int k = 0; k < found.length; k++) {
        found[k] = shapes.path(i).path(k).longValue();
      }
      outputs.add(
          told.rank() == 0
              ? new TensorSpec(told.name(), told.type(), TensorSpec.sizes(found))
              : told);
    }
    return OnnxModel.of(file, this, new Session(file, opened.path("id").intValue(), outputs));
  }

  /** One model in the cell. */
  private final class Session implements OnnxModel.Session {
    private final OnnxFile file;
    private final int id;
    private final List<TensorSpec> outputs;

    Session(OnnxFile file, int id, List<TensorSpec> outputs) {
      this.file = file;
      this.id = id;
      this.outputs = outputs;
    }

    @Override
    public Map<String, OnnxModel.Output> run(Map<String, OnnxModel.Feed> feeds) {
      List<ModelCell.Tensor> shapes = new ArrayList<>();
      List<float[]> data = new ArrayList<>();
      feeds.forEach(
          (name, feed) -> {
            shapes.add(new ModelCell.Tensor(name, feed.shape(), feed.data().length));
            data.add(feed.data());
          });
      Frame result = ask("run", Map.of("id", id, "feeds", shapes), ModelCell.bytes(data));
      FloatBuffer numbers = ByteBuffer.wrap(result.payload()).asFloatBuffer();
      Map<String, OnnxModel.Output> all = new LinkedHashMap<>();
      for (JsonNode t : result.head()) {
        int length = t.path("length").intValue();
        if (length < 0 || length > numbers.remaining()) {
          throw new IllegalArgumentException(file + ": the model's process broke");
        }
        float[] values = new float[length];
        numbers.get(values);
        long[] shape = new long[t.path("shape").size()];
        for (int k = 0; k < shape.length; k++) {
          shape[k] = t.path("shape").get(k).longValue();
        }
        all.put(t.path("name").asText(), new OnnxModel.Output(shape, values));
      }
      return all;
    }

    @Override
    public List<TensorSpec> outputs() {
      return outputs;
    }

    @Override
    public void close() {
      if (cell.alive()) {
        ask("close", Map.of("id", id), null);
      }
    }

    private Frame ask(String task, Object head, byte[] payload) {
      try {
        return cell.call(task, head, payload, event -> {});
      } catch (UserError e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      } catch (CellException | IOException e) {
        throw new UserError(file + ": " + e.getMessage(), e);
      }
    }
  }

  @Override
  public void close() {
    cell.close();
  }
}
