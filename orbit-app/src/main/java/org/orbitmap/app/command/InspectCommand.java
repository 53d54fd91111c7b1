package org.orbitmap.app.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.orbitmap.app.cell.Confinement;
import org.orbitmap.app.cell.SandboxOptions;
import org.orbitmap.app.model.Inputs;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.model.ModelLoader;
import org.orbitmap.app.model.RunModel;
import org.orbitmap.app.model.WeightReport;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.io.UserError;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.run.OnnxRuntime;
import org.orbitmap.onnx.wrap.Wrap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells what is in a model file. */
@Command(
    name = "inspect",
    description = {
      "Tell what a model takes and gives.",
      "",
      "Of an ONNX file also which operators it needs, and"
          + " whether and how it was made invariant; of a training run its network, its trainable"
          + " parameters, its mapping and its classes; of weights alone (safetensors, or a state"
          + " dictionary of PyTorch, of which nothing is executed) the tensors and the networks that"
          + " they fit.",
      "",
      "In JSON a shape is an array of numbers, null for a free axis; axes has the names of those."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit inspect model.onnx",
      "  orbit inspect model.onnx --json",
      "  orbit inspect found.onnx --sandbox   # also run it once, kept apart",
      "  orbit inspect runs/c",
      "  orbit inspect resnet50.pth"
    })
public final class InspectCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODEL",
      description = "An ONNX file, a training run, a TorchScript file, or a file of weights.")
  private Path model;

  @Mixin private SandboxOptions sandbox;
  @Mixin private OutputOptions output;

  /**
   * An input or an output.
   *
   * @param shape the length of each axis: a number, or null where it is free
   * @param axes the names that the file gives to free axes; null for the others
   */
  private record Axes(String name, String type, List<Long> shape, List<String> axes) {
    static Axes of(TensorSpec p) {
      return new Axes(
          p.name(),
          p.type(),
          p.shape().stream().map(d -> d.fixed() ? d.value() : null).collect(nullable()),
          p.shape().stream()
              .map(d -> d.fixed() || d.symbol().isEmpty() ? null : d.symbol())
              .collect(nullable()));
    }

    private static <T> Collector<T, ?, List<T>> nullable() {
      return Collectors.toCollection(ArrayList::new);
    }
  }

  /** What is said of a run. */
  private record Run(
      String file,
      String network,
      long trainableParameters,
      String mapping,
      String takes,
      List<String> classes) {}

  /**
   * What came of a try in a process of its own.
   *
   * @param runs whether the model was opened and answered once
   * @param error why not; null if it did
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Trial(
      boolean runs, String error, List<String> enforced, List<String> notEnforced) {}

  /** What is said of an ONNX file. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Onnx(
      String file,
      long irVersion,
      Map<String, Long> opsets,
      String producer,
      long parameters,
      List<Axes> inputs,
      List<Axes> outputs,
      String takes,
      Map<String, Long> operators,
      Map<String, String> metadata,
      Trial sandbox) {}

  @Override
  public Integer call() throws Exception {
    Optional<WeightReport> weights = WeightReport.of(model);
    if (weights.isPresent()) {
      output.print(weights.get(), weights.get()::print);
      return Errors.OK;
    }
    try (SandboxOptions.Place place = sandbox.open(output)) {
      ModelLoader.requireOnnx(model, place.runtime());
      switch (ModelLoader.kind(model)) {
        case RUN -> run();
        case ONNX -> onnx(place);
        case TORCHSCRIPT -> script();
      }
    }
    return Errors.OK;
  }

  /** Opens the model and asks it once, about zeros. */
  private static Trial trial(OnnxFile file, OnnxRuntime runtime) {
    Confinement confinement = Confinement.best();
    String error = null;
    try (OnnxModel opened = runtime.open(file)) {
      opened.runZeros();
    } catch (IOException | IllegalArgumentException | ArithmeticException | UserError e) {
      error = e.getMessage();
    }
    return new Trial(error == null, error, confinement.enforced(), confinement.missing());
  }

  private void run() throws IOException {
    try (RunModel run = RunModel.open(model)) {
      Run answer =
          new Run(
              model.toString(),
              run.network(),
              run.parameters(),
              run.mapping(),
              Inputs.shape(run.input().orElseThrow(), 1).toString(),
              run.classes());
      output.print(
          answer,
          out -> {
            out.printf("%s%n", model);
            out.printf("  network    %s%n", answer.network());
            out.printf("  trainable parameters %,d%n", answer.trainableParameters());
            out.printf("  mapping    %s%n", answer.mapping());
            out.printf("  takes      %s%n", answer.takes());
            out.printf(
                "  classes    %d: %s%n",
                answer.classes().size(), String.join(", ", answer.classes()));
          });
    }
  }

  private void script() throws IOException {
    try (LoadedModel script = ModelLoader.open(model, new ModelOptions())) {
      String takes = "what it is given: a TorchScript file does not tell";
      output.print(
          Map.of("file", script.source().toString(), "takes", takes),
          out -> out.printf("%s%n  takes      %s%n", model, takes));
    }
  }

  private void onnx(SandboxOptions.Place place) throws IOException {
    OnnxFile file = OnnxFile.read(model);
    String takes;
    try {
      takes = file.input(ModelInput.Hints.NONE).toString();
    } catch (IllegalArgumentException e) {
      takes = "not told by the shape alone: " + e.getMessage();
    }
    Onnx answer =
        new Onnx(
            model.toString(),
            file.irVersion(),
            file.opsets(),
            file.producer(),
            file.parameters(),
            file.inputs().stream().map(Axes::of).toList(),
            file.outputs().stream().map(Axes::of).toList(),
            takes,
            file.operators(),
            file.metadata(),
            place.apart() ? trial(file, place.runtime()) : null);
    output.print(
        answer,
        out -> {
          out.printf("%s%n", model);
          out.printf(
              "  format     IR %d, opset %s%s%n",
              answer.irVersion(),
              answer.opsets(),
              answer.producer().isEmpty() ? "" : ", written by " + answer.producer());
          out.printf("  parameters %,d%n", answer.parameters());
          file.inputs().forEach(p -> out.printf("  input      %s%n", p));
          file.outputs().forEach(p -> out.printf("  output     %s%n", p));
          out.printf("  takes      %s%n", answer.takes());
          out.printf("  operators  %s%n", operators(answer.operators()));
          Map<String, String> own = new LinkedHashMap<>(answer.metadata());
          own.keySet().removeIf(k -> !k.startsWith(Wrap.PROPERTY));
          out.printf("  invariant  %s%n", own.isEmpty() ? "no: not wrapped" : "yes, wrapped:");
          own.forEach(
              (k, v) -> out.printf("    %-14s %s%n", k.substring(Wrap.PROPERTY.length()), v));
          Trial tried = answer.sandbox();
          if (tried != null) {
            out.printf(
                "  sandbox    %s; enforced: %s%n",
                tried.runs() ? "opened and asked once" : "does not run: " + tried.error(),
                String.join(", ", tried.enforced()));
          }
          answer
              .metadata()
              .forEach(
                  (k, v) -> {
                    if (!own.containsKey(k)) {
                      out.printf("  metadata   %s = %s%n", k, v);
                    }
                  });
        });
  }

  private static String operators(Map<String, Long> counts) {
    StringBuilder s = new StringBuilder();
    counts.forEach((op, n) -> s.append(s.isEmpty() ? "" : ", ").append(n).append(' ').append(op));
    return s.toString();
  }
}
