package org.orbitmap.app.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.model.Inputs;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.option.ResamplingOptions;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.wrap.Wrap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a model invariant and writes it as one file. */
@Command(
    name = "wrap",
    description = {
      "Makes an ONNX model invariant without retraining: writes one file whose first nodes are the"
          + " orbit mapping, in standard operators, so that it runs in any ONNX runtime.",
      "",
      "The wrapped model takes and gives what the model does. If images are normalised before"
          + " they reach the model, say how with --mean, --std and --scale: then the mapping is"
          + " that of the raw pixels, and black stays black.",
      "",
      "Examples:",
      "  orbit wrap model.onnx --out invariant.onnx",
      "  orbit wrap model.onnx --out invariant.onnx --frames 24 --fill edge",
      "  orbit wrap m.onnx --out i.onnx --frames 24 --mirrors --fill edge",
      "  orbit wrap segment.onnx --out equivariant.onnx --equivariant mask"
    })
public final class WrapCommand implements Callable<Integer> {
  @Parameters(paramLabel = "MODEL.onnx", description = "The model.")
  private Path model;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where the wrapped model goes.")
  private Path out;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = {
        "What the result is invariant to. Images: so2 (rotations, the default), o2 (with mirror"
            + " images).",
        "Clouds: sim3 (default), se3, so3, scale, translation, and with mirror images o3, e3,"
            + " sim3-mirrored."
      })
  private String group;

  @Option(
      names = "--mapping",
      paramLabel = "RULE",
      description = {
        "How the pose of an image is found: disc (default), paper, released, central, forward;",
        "how the axes of a cloud get their directions: skewness (default), first-point."
      })
  private String mapping;

  @Option(
      names = "--frames",
      paramLabel = "K",
      description =
          "Ask the model K times, for the canonical image rotated by 360°/K; costs K times as much"
              + " and makes up for a model that was trained upright. For clouds 4: the directions"
              + " of the axes.",
      defaultValue = "1",
      showDefaultValue = picocli.CommandLine.Help.Visibility.ALWAYS)
  private int frames;

  @Option(
      names = "--select",
      paramLabel = "confidence|mean|max",
      description = "How the answers of the frames become one.",
      defaultValue = "confidence",
      showDefaultValue = picocli.CommandLine.Help.Visibility.ALWAYS)
  private Pool select;

  @Option(
      names = "--mirrors",
      description =
          "Ask for the mirror image of each frame as well and take the mean of both: twice the"
              + " cost, a better choice of the frame, and with an even K the same answer for mirror"
              + " images of the input. Class scores become probabilities.")
  private boolean mirrors;

  @Option(
      names = "--equivariant",
      split = ",",
      paramLabel = "OUTPUT",
      description = "Outputs that move with the input, such as masks: they are mapped back.")
  private List<String> equivariant = List.of();

  @Mixin private ResamplingOptions resampling;
  @Mixin private ModelOptions options;
  @Mixin private OutputOptions output;

  private record Answer(
      String model, String out, long bytes, String takes, Map<String, String> metadata) {}

  @Override
  public Integer call() throws Exception {
    OnnxFile read = OnnxFile.read(model);
    for (Path part : read.parts()) {
      if (Files.exists(out) && Files.isSameFile(part, out)) {
        throw new IllegalArgumentException(
            "--out: expected another file than the model itself and those that hold its"
                + " initialisers, found "
                + out);
      }
    }
    Wrap wrap = Wrap.of(read).hints(options.hints());
    ModelInput<?> input = wrap.input();
    MappingSpec spec =
        new MappingSpec(
            mapping == null ? "" : mapping,
            group == null ? "" : group,
            resampling.resampling(false));
    OnnxFile wrapped =
        wrap.mapping(spec.mapping(Inputs.shape(input, 1)))
            .preprocessing(options.preprocessing(input))
            .frames(frames, select)
            .mirrors(mirrors)
            .equivariant(equivariant)
            .scores(options.scores())
            .build();
    wrapped.write(out);
    Answer answer =
        new Answer(
            model.toString(),
            out.toString(),
            Files.size(out),
            input.toString(),
            wrapped.metadata());
    output.print(
        answer,
        text -> {
          text.printf("%s: %,d bytes%n", out, answer.bytes());
          text.printf("  takes      %s%n", answer.takes());
          answer
              .metadata()
              .forEach(
                  (k, v) -> {
                    if (k.startsWith(Wrap.PROPERTY)) {
                      text.printf("  %-10s %s%n", k.substring(Wrap.PROPERTY.length()), v);
                    }
                  });
        });
    return Errors.OK;
  }
}
