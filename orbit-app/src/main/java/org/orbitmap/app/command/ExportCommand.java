package org.orbitmap.app.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.model.ModelExport;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.nn.model.Model;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.onnx.graph.OnnxFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a network trained here, with its mapping, as one ONNX file. */
@Command(
    name = "export",
    description = {
      "Write a trained network, with its orbit mapping, as one ONNX file that runs anywhere.",
      "",
      "The file takes images with samples in [0, 1], N x channels x rows x columns, or clouds,"
          + " N x points x 3, and gives class probabilities: those of the engine up to rounding."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  orbit export runs/c --out model.onnx"})
public final class ExportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "The folder of a run, or a model file.")
  private Path run;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where the ONNX file goes.")
  private Path out;

  @Mixin private OutputOptions output;

  private record Answer(
      String run, String out, long bytes, long parameters, Map<String, String> metadata) {}

  @Override
  public Integer call() throws Exception {
    Model<?> model = RunFolder.model(run);
    OnnxFile file = ModelExport.export(model);
    file.write(out);
    Answer answer =
        new Answer(
            run.toString(), out.toString(), Files.size(out), model.parameters(), file.metadata());
    output.print(
        answer,
        text -> {
          text.printf(
              "%s: %,d bytes, %,d trainable parameters%n",
              out, answer.bytes(), answer.parameters());
          answer.metadata().forEach((k, v) -> text.printf("  %s = %s%n", k, v));
        });
    return Errors.OK;
  }
}
