package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.model.RunModel;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.nn.network.Architecture;
import org.orbitmap.nn.network.MappingConfig;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.tensor.FloatTensor;
import org.orbitmap.onnx.export.NetworkBuilder;
import org.orbitmap.onnx.export.NetworkBuilder.Layer;
import org.orbitmap.onnx.export.NetworkBuilder.Weight;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.wrap.Wrap;
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
      "The file takes images with samples in [0, 1], N x channels x rows x columns, and gives"
          + " class probabilities: those of the engine up to rounding."
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
    Model model = RunModel.load(run);
    OnnxFile file = file(model);
    file.write(out);
    Answer answer =
        new Answer(
            run.toString(), out.toString(), Files.size(out), model.parameters(), file.metadata());
    output.print(
        answer,
        text -> {
          text.printf("%s: %,d bytes, %,d parameters%n", out, answer.bytes(), answer.parameters());
          answer.metadata().forEach((k, v) -> text.printf("  %s = %s%n", k, v));
        });
    return Errors.OK;
  }

  /**
   * The ONNX form of a run's model without its mapping.
   *
   * @param run the folder of a run, or a model file
   */
  public static Exported export(Path run) throws IOException {
    Model model = RunModel.load(run);
    boolean mapped = !model.description().mapping().when().equals("none");
    return new Exported(
        file(model.with(MappingConfig.NONE)), model.description().classes(), mapped);
  }

  /**
   * A run's network.
   *
   * @param bare the network without a mapping; it takes pixels from 0 to 1
   * @param classes their names
   * @param mapped whether it was trained or is used with a mapping
   */
  public record Exported(OnnxFile bare, List<String> classes, boolean mapped) {}

  /** The model with its mapping as an ONNX file. */
  public static OnnxFile file(Model model) throws IOException {
    OnnxFile network = new Writer(model).write();
    boolean mapped = !model.description().mapping().when().equals("none");
    return mapped
        ? Wrap.of(network).mapping(model.description().mapping().mapping()).build()
        : network;
  }

  /** The networks of the training engine, layer for layer. */
  private static final class Writer {
    private final Model.Description description;
    private final Architecture shape;
    private final Map<String, FloatTensor> weights;
    private final NetworkBuilder net;

    Writer(Model model) {
      description = model.description();
      shape = description.architecture();
      weights = model.tensors();
      net = new NetworkBuilder(shape.channels(), shape.height(), shape.columns(), this::weight);
    }

    private Weight weight(String name) {
      FloatTensor t = weights.get(name);
      return t == null ? null : new Weight(t.shape(), t.values());
    }

    OnnxFile write() throws IOException {
      Layer x = net.normalise(net.input(), description.mean(), description.std());
      Layer f = features(shape.tiPooling() ? net.quarterTurns(x) : x);
      if (shape.tiPooling()) {
        f = net.maxOverTurns(f, (int) weights.get("head.weight").shape()[1]);
      }
      return net.build(net.softmax(net.linear(f, "head")), shape.classes());
    }

    private Layer features(Layer x) {
      return switch (shape.kind()) {
        case LINEAR -> net.flatten(x);
        case CONVNET -> convnet(x);
        case RESNET18 -> resnet(x, false, new int[] {2, 2, 2, 2});
        case RESNET50 -> resnet(x, true, new int[] {3, 4, 6, 3});
      };
    }

    private Layer convnet(Layer x) {
      Layer y = x;
      for (int i = 1; i <= 5; i++) {
        y = net.relu(net.conv(y, "conv" + i, 1, 1));
        y = i >= 4 ? net.maxPool(y, 3, 3, 0) : y;
      }
      return net.flatten(y);
    }

    private Layer resnet(Layer x, boolean bottleneck, int[] depth) {
      Layer y = net.conv(x, "stem", bottleneck ? 2 : 1, bottleneck ? 3 : 1);
      y = net.relu(net.norm(y, "stem.norm"));
      y = bottleneck ? net.maxPool(y, 3, 2, 1) : y;
      for (int s = 0; s < depth.length; s++) {
        for (int b = 0; b < depth[s]; b++) {
          String name = "stage%d.block%d".formatted(s + 1, b + 1);
          y = block(y, name, s > 0 && b == 0 ? 2 : 1, bottleneck);
        }
      }
      return net.globalAverage(y);
    }

    private Layer block(Layer x, String name, int stride, boolean bottleneck) {
      Layer y;
      if (bottleneck) {
        y = net.relu(convNorm(x, name, 1, 1, 0));
        y = net.relu(convNorm(y, name, 2, stride, 1));
        y = convNorm(y, name, 3, 1, 0);
      } else {
        y = net.relu(convNorm(x, name, 1, stride, 1));
        y = convNorm(y, name, 2, 1, 1);
      }
      Layer skip = x;
      if (weights.containsKey(name + ".skip.weight")) {
        skip = net.norm(net.conv(x, name + ".skip", stride, 0), name + ".skip.norm");
      }
      return net.relu(net.add(y, skip));
    }

    private Layer convNorm(Layer x, String name, int i, int stride, int padding) {
      return net.norm(net.conv(x, name + ".conv" + i, stride, padding), name + ".norm" + i);
    }
  }
}
