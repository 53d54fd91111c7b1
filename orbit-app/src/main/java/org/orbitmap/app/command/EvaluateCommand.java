package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.orbitmap.app.audit.AuditOptions;
import org.orbitmap.app.audit.AuditRun;
import org.orbitmap.app.audit.OutputClasses;
import org.orbitmap.app.model.Inputs;
import org.orbitmap.app.model.RunModel;
import org.orbitmap.app.option.ClusterOptions;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataFinder;
import org.orbitmap.model.InputShape;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit evaluate}: the audit of a run on the data that its configuration names. */
@Command(
    name = "evaluate",
    description = {
      "Clean, average and worst accuracy of a trained network over all poses, on the test part of"
          + " the data that it was trained on, beside the paper's figures where it has any.",
      "",
      "The worst case counts an input as wrong as soon as one pose is. Images are rotated before"
          + " they are normalised, by all three interpolations unless some are named. Label kept, all"
          + " kept and probability change say how far the answers are those on the inputs as they"
          + " are."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit evaluate runs/glyphs --step 5",
      "  orbit evaluate runs/c --data data/cifar10 --limit 200 --interpolation bilinear --json",
      "  orbit evaluate runs/c --data cifar10 --cluster spark://host:7077",
      "  orbit evaluate runs/c --data data --mapping disc   (orbit mapping only in the test)",
      "  orbit evaluate resnet50.safetensors --data photos/ --labels map.csv   (some of 1,000 classes)",
    })
public final class EvaluateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "The folder of a run, or a model file.")
  private Path run;

  @Option(
      names = "--mapping",
      paramLabel = "RULE",
      description = "Measure with this mapping in front (disc, paper, …, upright:FILE), or none.")
  private String mapping;

  @Option(
      names = "--labels",
      paramLabel = "FILE|imagenet|none",
      description =
          "Which output each class of the data is, as for audit; the data may have only some of the"
              + " classes.")
  private List<Path> labels = List.of();

  @Mixin private AuditOptions audit;
  @Mixin private DataOptions data;
  @Mixin private ClusterOptions cluster;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws IOException {
    audit.check();
    try (RunModel trained = RunModel.open(run)) {
      RunModel model =
          mapping == null
              ? trained
              : mapping.equals("none") ? trained.bare() : trained.behind(mapping);
      if (!model.trained() && data.value() == null) {
        throw UserError.expected(
            run.toString(),
            "--data, since the model was not trained here",
            "none",
            "Such as: orbit evaluate %s --data photos/ --labels imagenet".formatted(run));
      }
      DataSet<?> read = coloured(load(model), model);
      DataSet<?> set =
          labels.isEmpty() && model.trained() ? read : OutputClasses.fit(read, model, labels);
      List<Interpolation> all = List.of(Interpolation.values());
      try (Cluster place = cluster.open()) {
        int code =
            new AuditRun("Evaluation", all, Robustness.Settings.defaults(), audit, place, output)
                .run(set, set.name(), model, null, List.of());
        cluster.tell(place, output);
        return code;
      }
    }
  }

  /** Grey images for a model that was trained on photographs, which are always read in colour. */
  private static DataSet<?> coloured(DataSet<?> set, RunModel model) {
    return set instanceof ImageSet images
            && Inputs.shape(model.input().orElseThrow(), 1) instanceof InputShape.Images u
            && u.channels() == 3
        ? images.withChannels(3)
        : set;
  }

  private DataSet<?> load(RunModel model) throws IOException {
    if (!model.trained()) {
      DataFinder.Found found = data.find(null);
      Choice choice = model.choice().withLimit(audit.limit());
      return found.load(found.auditSplit(), choice);
    }
    RunModel.Training training = model.training();
    return data.find(training.data()).load(Split.TEST, training.choice().withLimit(audit.limit()));
  }
}
