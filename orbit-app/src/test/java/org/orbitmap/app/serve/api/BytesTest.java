package org.orbitmap.app.serve.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.OnnxParts;
import org.orbitmap.app.command.ServeCommand;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.model.ModelLoader;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.serve.model.Models;
import org.orbitmap.eval.Scores;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.model.InputShape;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.wrap.Wrap;
import picocli.CommandLine;

/** A model of bytes gets the same numbers from audit, wrap and serve. */
class BytesTest {
  private static final int SIDE = 16;
  private static final Image DRAWING = SampleDrawings.image(1001, 1, SIDE, SIDE);

  @TempDir Path folder;
  private Path model;

  /** scores = W · x / 255 for a fixed W and an input of bytes. */
  @BeforeEach
  void writeModel() throws IOException {
    ValueInfoProto.Builder input = OnnxParts.tensor("x", -1, 1, SIDE, SIDE).toBuilder();
    input.getTypeBuilder().getTensorTypeBuilder().setElemType(TensorProto.DataType.UINT8_VALUE);
    TensorProto.Builder w =
        TensorProto.newBuilder().setName("w").setDataType(1).addDims(SIDE * SIDE).addDims(3);
    for (int i = 0; i < 3 * SIDE * SIDE; i++) {
      w.addFloatData((float) Math.sin(0.37 * i) / 16 / 255);
    }
    GraphProto.Builder graph =
        GraphProto.newBuilder()
            .setName("bytes")
            .addInput(input)
            .addOutput(OnnxParts.tensor("scores", -1, 3))
            .addInitializer(w)
            .addNode(
                OnnxParts.node("Cast", "real", "x").toBuilder()
                    .addAttribute(
                        AttributeProto.newBuilder()
                            .setName("to")
                            .setType(AttributeProto.AttributeType.INT)
                            .setI(1)))
            .addNode(OnnxParts.node("Flatten", "flat", "real"))
            .addNode(OnnxParts.node("MatMul", "scores", "flat", "w"));
    model = Files.write(folder.resolve("bytes.onnx"), OnnxParts.model(graph).toByteArray());
  }

  /** What audits ask a file. */
  private static double[] asked(Path file) throws IOException {
    try (LoadedModel loaded = ModelLoader.open(file, new ModelOptions())) {
      InputShape<Image> shape = new InputShape.Images(1, SIDE, SIDE);
      return Scores.probabilities(loaded.classifier(shape).scores(List.of(DRAWING))[0]);
    }
  }

  @Test
  void auditWrapAndServeAgree() throws IOException {
    float[] expected = new float[3];
    for (int i = 0; i < SIDE * SIDE; i++) {
      for (int c = 0; c < 3; c++) {
        double byteOf = Math.round(255 * DRAWING.data()[i]);
        expected[c] += (float) (byteOf * (float) Math.sin(0.37 * (3 * i + c)) / 16 / 255);
      }
    }
    Path wrapped = folder.resolve("wrapped.onnx");
    Wrap.of(OnnxFile.read(model)).frames(16).build().write(wrapped);
    ServeCommand serve = new ServeCommand();
    new CommandLine(serve).parseArgs("--model", model.toString(), "--frames", "16");
    try (Models models = serve.load()) {
      var served = models.images().get(0);
      float[] bare = served.plain(List.of(DRAWING))[0];
      float[] mapped = served.mapped(PoseRule.DISC, List.of(DRAWING))[0];
      assertThat(doubles(bare)).containsExactly(asked(model), within(1e-6));
      assertThat(doubles(bare)).containsExactly(Scores.softmax(expected), within(1e-4));
      assertThat(doubles(mapped)).containsExactly(asked(wrapped), within(1e-6));
      assertThat(doubles(mapped)).isNotEqualTo(doubles(bare));
    }
  }

  private static double[] doubles(float[] row) {
    double[] out = new double[row.length];
    for (int i = 0; i < row.length; i++) {
      out[i] = row[i];
    }
    return out;
  }
}
