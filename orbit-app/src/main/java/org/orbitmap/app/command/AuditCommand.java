package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.orbitmap.app.audit.AuditData;
import org.orbitmap.app.audit.AuditOptions;
import org.orbitmap.app.audit.AuditRun;
import org.orbitmap.app.audit.CleanCheck;
import org.orbitmap.app.audit.OutputClasses;
import org.orbitmap.app.cell.SandboxOptions;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.model.ModelLoader;
import org.orbitmap.app.option.BehindMapping;
import org.orbitmap.app.option.ClusterOptions;
import org.orbitmap.app.option.ModelOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds out how a model behaves over the whole orbit. */
@Command(
    name = "audit",
    description = {
      "Finds out how a model behaves when its inputs are moved: accuracy on the data as it is"
          + " (clean), over all poses (average), and of the inputs that are right in every pose"
          + " (worst). Images are rotated and mirrored; point clouds are rotated, scaled and"
          + " shifted.",
      "",
      "And how far its answers stay those on the inputs as they are, which needs no labels: the share"
          + " of answers (label kept), of inputs whose answer never changes (all kept), and how far"
          + " the class probabilities move (total variation, in percent).",
      "",
      "Examples:",
      "  orbit audit model.onnx --data cifar10/ --limit 1000",
      "  orbit audit invariant.onnx --data cifar10/ --against model.onnx --out report/",
      "  orbit audit model.onnx --data photos/ --mapping upright:upright.safetensors --against model.onnx",
      "  orbit audit runs/c --data photos/ --interpolation bilinear,bicubic",
      "  orbit audit pointnet.onnx --data modelnet40/ --group so3",
      "  orbit audit pointnet.pt --data modelnet40/ --group sim3",
      "  orbit audit resnet50.onnx --data photos/ --min-kept 0.95   # a gate; no labels needed",
      "  orbit audit resnet50.onnx --data imagenette/val --labels imagenet_class_index.json",
      "  orbit audit model.onnx --data test/ --min-worst 0.6   # a gate: exit code 1 below it",
      "  orbit audit model.onnx --data test/ --cluster spark://host:7077",
      "  orbit audit found.onnx --data test/ --sandbox   # a model that nobody vouches for"
    })
public final class AuditCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODEL",
      description =
          "The model: an ONNX file, a training run, or a TorchScript file (.pt), which does not"
              + " tell what it takes: clouds if a group of clouds is given, images else.")
  private Path model;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = {
        "Labelled images: CIFAR records, IDX files, or a folder for each class.",
        "Labelled clouds: IDX files, or a folder for each class with clouds or meshes.",
        "Without labels: a folder of images, clouds or meshes, or one file. Images of any size are"
            + " cropped and scaled to that of the model.",
        "What is not there is looked for in $ORBIT_DATA."
      })
  private Path data;

  @Option(
      names = "--labels",
      paramLabel = "FILE|imagenet|none",
      description = {
        "Which output each class of the data is: a name on each line in the order of the outputs,"
            + " lines name,output, or JSON; imagenet_class_index.json and LOC_synset_mapping.txt are"
            + " understood. Given twice, the second may use names of the first. The data may have"
            + " only some of the classes.",
        "imagenet: the 1,000 classes of ImageNet in their usual order, by name or WordNet id. Models"
            + " with as many outputs know them unasked.",
        "none: leave labels out, and measure agreement alone."
      })
  private List<Path> labels = List.of();

  @Option(
      names = "--against",
      paramLabel = "OTHER",
      description = "A second model to compare with, on the same data and with the same options.")
  private Path against;

  @Option(
      names = "--points",
      paramLabel = "N",
      description =
          "Points of each cloud, for models that take any number: drawn from the surface of meshes,"
              + " chosen at random from larger clouds (default: the points that are there).")
  private Integer points;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Inputs in one call of a model file; runs choose their own.")
  private int batch = 16;

  @Mixin private AuditOptions audit;
  @Mixin private BehindMapping behind;
  @Mixin private ModelOptions options;
  @Mixin private SandboxOptions sandbox;
  @Mixin private ClusterOptions cluster;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws Exception {
    if (batch < 1 || (points != null && points < 1)) {
      throw new UserError("--batch, --points: expected at least 1");
    }
    audit.check();
    if (cluster.master() != null && sandbox.given()) {
      throw UserError.expected(
          "--cluster", "a model that is trusted", "--sandbox", "Leave one of them out");
    }
    ModelLoader.requireUsed(options, against == null ? List.of(model) : List.of(model, against));
    try (SandboxOptions.Place place = sandbox.open(output);
        LoadedModel own = ModelLoader.open(model, options, behind, place.runtime());
        LoadedModel other =
            against == null ? null : ModelLoader.open(against, options, place.runtime())) {
      DataSet<?> read =
          AuditData.read(data, own, audit, options.side(), points == null ? 0 : points);
      return run(OutputClasses.fit(read, own, labels), own, other);
    }
  }

  private <X> int run(DataSet<X> set, LoadedModel own, LoadedModel other) throws IOException {
    Robustness.Settings settings = Robustness.Settings.defaults().withBatch(batch);
    boolean knows = ModelLoader.kind(model) == ModelLoader.Kind.RUN;
    List<String> warnings = CleanCheck.warnings(set, own, knows ? null : options);
    try (Cluster place = sandbox.given() ? null : cluster.open()) {
      int code =
          new AuditRun("Audit", List.of(Interpolation.BILINEAR), settings, audit, place, output)
              .run(set, data.toString(), own, other, warnings);
      cluster.tell(place, output);
      return code;
    }
  }
}
