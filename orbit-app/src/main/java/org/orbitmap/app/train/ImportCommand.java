package org.orbitmap.app.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.audit.OutputClasses;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.io.Digests;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.ChannelStatistics;
import org.orbitmap.io.network.ImportedWeights;
import org.orbitmap.io.network.TensorFile;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Network;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.Model;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit import}: a model of weights that others trained. */
@Command(
    name = "import",
    description = {
      "Make a model of weights that others trained: safetensors, or a state dictionary of PyTorch"
          + " (.pth, .pt) with torchvision's or timm's names.",
      "",
      "Nothing in the file is executed. Every tensor must find its place in the network; what is"
          + " missing, left over or of another shape is listed. Only the last layer may differ: for"
          + " other classes it is new and random, and must be trained.",
      "The model takes images with samples in [0, 1] and normalises them by ImageNet's mean and"
          + " deviation. It can be audited, evaluated, exported, and trained further."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit import resnet50.pth --network resnet50 --out resnet50.safetensors",
      "  orbit import dm_nfnet_f0.pth --network nfnet-f0 --size 256 --out nfnet.safetensors",
      "  orbit import resnet50.pth --network resnet50 --classes birds.txt --out birds.safetensors",
      "  orbit inspect resnet50.pth   # which networks the weights fit",
    })
public final class ImportCommand implements Callable<Integer> {
  private static final String ENDING = ".safetensors";

  @Parameters(paramLabel = "FILE", description = "The weights.")
  private Path file;

  @Option(
      names = "--network",
      required = true,
      paramLabel = "NAME",
      description =
          "The network: resnet18-imagenet, resnet34, resnet50, resnet101, nfnet-f0, or another.")
  private String network;

  @Option(
      names = "--width-factor",
      paramLabel = "F",
      description = "Factor on the channels of the network; default: ${DEFAULT-VALUE}.")
  private double width = 1;

  @Option(
      names = "--size",
      paramLabel = "PIXELS",
      description = "The side of the images that the model takes; default: ${DEFAULT-VALUE}.")
  private int size = 224;

  @Option(
      names = "--classes",
      paramLabel = "FILE",
      description =
          "The names of the classes, one on each line. Default: ImageNet's for 1,000 outputs, else"
              + " their numbers.")
  private Path classes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of a new last layer; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "MODEL",
      description = "Where the model goes, a .safetensors file.")
  private Path out;

  @Mixin private OutputOptions output;

  /** What is said of the model. */
  private record Document(
      String file, String network, long parameters, int classes, boolean newHead) {}

  @Override
  public Integer call() throws IOException {
    if (!out.toString().endsWith(ENDING)) {
      throw UserError.expected("--out", "a name that ends in " + ENDING, out, "");
    }
    Network made = Networks.named(network);
    List<String> names = names(made);
    Architecture architecture =
        new Architecture(
            made, width, false, Map.of(), new InputShape.Images(3, size, size), names.size());
    ImportedWeights weights = ImportedWeights.read(file, architecture);
    ChannelStatistics statistics = ChannelStatistics.IMAGENET;
    Model<?> model =
        Model.of(
            new Model.Description(
                architecture, names, statistics.mean(), statistics.std(), MappingConfig.NONE),
            seed);
    Map<String, FloatTensor> all = new LinkedHashMap<>(model.tensors());
    all.putAll(weights.tensors());
    model.weights().restore(all);
    if (!model.weights().finite()) {
      throw UserError.expected(file.toString(), "finite weights", "others", "");
    }
    model.save(
        out,
        all,
        Map.of("imported", file.getFileName().toString(), "imported-sha256", Digests.sha256(file)));
    Document document =
        new Document(
            out.toString(),
            architecture.toString(),
            model.parameters(),
            names.size(),
            weights.newHead());
    output.print(
        document,
        o ->
            o.printf(
                "%s: %s, %,d parameters, %,d classes%n",
                document.file(), document.network(), document.parameters(), document.classes()));
    if (weights.newHead()) {
      output.warn(
          "the last layer is new and random: train it, for example with orbit train --weights");
    }
    return Errors.OK;
  }

  private List<String> names(Network made) throws IOException {
    if (classes != null) {
      List<String> given =
          Files.readAllLines(classes).stream()
              .map(String::strip)
              .filter(line -> !line.isEmpty())
              .toList();
      if (given.size() < 2 || given.stream().distinct().count() < given.size()) {
        throw UserError.expected(
            classes.toString(), "at least 2 names, all different", given.size() + " lines", "");
      }
      return given;
    }
    try (TensorFile opened = TensorFile.open(file)) {
      int count = ImportedWeights.classes(opened, made);
      if (count < 2) {
        throw UserError.expected(
            file.toString(),
            "weights of %s with a last layer".formatted(made.name()),
            "none",
            "Name the classes with --classes FILE, or another network with --network");
      }
      return OutputClasses.names(count);
    }
  }
}
