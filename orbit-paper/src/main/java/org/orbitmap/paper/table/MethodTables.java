package org.orbitmap.paper.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.orbitmap.image.Image;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.train.Schedule;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.TrainConfig.Keep;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.TrainConfig.Net;
import org.orbitmap.paper.RotationProtocol;
import org.orbitmap.paper.Row;
import org.orbitmap.paper.Scale;
import org.orbitmap.paper.Table;

/**
 * The paper's comparison of methods (section 4.1, its first two tables; appendix for CUB-200):
 * every method is trained on the same images for the same number of epochs and measured alike.
 */
final class MethodTables {
  static final List<String> NAMES =
      List.of("cifar10-methods", "ham10000-methods", "cub200-methods");

  private static final List<String> ADVERSARIAL = List.of("adv", "mixed", "adv-kl", "adv-alp");

  private static final String OURS =
      "`canonicaliser` is ours: a small network that predicts the angle and is trained with the task,"
          + " without any proof. The methods in front of a network (`stn`, `etn`, `canonicaliser`,"
          + " `augerino`) are trained with rotation augmentation, as the paper does.";
  private static final String ATTACKS =
      "Adversarial rows take the worst of 10 random bilinear rotations of each image in every step"
          + " (`adv-kl` with λ = 8, `adv-alp` with λ = 1).";

  private MethodTables() {}

  static Table<Image> named(String name, boolean paper) {
    return switch (name) {
      case "cifar10-methods" -> cifar10(paper);
      case "ham10000-methods" -> ham10000(paper);
      default -> cub200(paper);
    };
  }

  /** Which of the paper's rows a table has. */
  private record Methods(
      List<String> rules, boolean combined, boolean stn, boolean augerino, boolean testOnly) {}

  private static Table<Image> cifar10(boolean paper) {
    TrainConfig base = Presets.cifar10(paper ? "resnet18" : "convnet");
    if (!paper) {
      base =
          base.with(
              c ->
                  c.network(n -> n.widthFactor(0.25))
                      .optimiser(Method.adam(0.001, 0))
                      .schedule(Schedule.exponential(0.85, 0))
                      .limit(5000)
                      .batch(32)
                      .epochs(10)
                      .threads(1) // runs side by side
                      .validation(0.1)
                      .keep(Keep.LAST));
    }
    Methods all = new Methods(rules(paper), true, true, true, true);
    List<String> remarks = remarks();
    if (!paper) {
      remarks.add(
          "The paper trains a ResNet-18 on 40,000 images for 150 epochs and measures 10,000 images"
              + " every degree. Here every row has a ConvNet with a quarter of the channels, 4,500"
              + " training images and 10 epochs (Adam, rate 0.001, 0.85 of it after each; batch 32),"
              + " measured on 300 images every 10 degrees. The budget in epochs is the same for all,"
              + " not in computation. It is so small that there is no fair word yet on methods that"
              + " must learn a pose beside the task (`stn`, `etn`, `canonicaliser`, `augerino`) or"
              + " train against an adversary: the order of the rows holds for this budget only.");
    }
    return table(
        "cifar10-methods",
        "CIFAR-10: orbit mapping and its rivals (paper, section 4.1)",
        paper,
        paper ? 0 : 300,
        rows("cifar10", "resnet18-", paper ? "resnet18" : "convnet", base, Map.of(), all),
        remarks);
  }

  private static Table<Image> ham10000(boolean paper) {
    TrainConfig base =
        paper
            ? Presets.ham10000().with(c -> c.network(Net.of("resnet18")))
            : Presets.ham10000()
                .with(
                    c ->
                        c.network(n -> n.widthFactor(0.25))
                            .augmentation(new Augmentation(0, true, false, 0.2))
                            .oversample(false)
                            .optimiser(Method.adam(1e-3, 0))
                            .schedule(Schedule.exponential(0.5, 0))
                            .epochs(4)
                            .threads(1)
                            .batch(32));
    List<String> remarks = remarks();
    remarks.add(
        "The paper fine-tunes an NFNet-F0 that was trained on ImageNet; here the network is trained"
            + " from scratch, on a split by lesion.");
    if (!paper) {
      remarks.add(
          "32 x 32 pixels, a ConvNet with a quarter of the channels, 4 epochs (Adam, rate 0.001,"
              + " half of it after each), 200 test images every 10 degrees.");
    }
    return table(
        "ham10000-methods",
        "HAM10000: orbit mapping and its rivals (paper, section 4.1)",
        paper,
        paper ? 0 : 200,
        rows(
            "ham10000",
            "",
            paper ? "resnet18" : "convnet",
            base,
            paper ? large() : Map.of(),
            new Methods(rules(paper), false, false, false, false)),
        remarks);
  }

  private static Table<Image> cub200(boolean paper) {
    if (!paper) {
      throw new IllegalArgumentException(
          "cub200-methods: expected the scale paper, found cpu: a ResNet-50 at 224 x 224 needs a GPU");
    }
    List<String> remarks = remarks();
    remarks.add(
        "The paper fine-tunes a ResNet-50 that was trained on ImageNet; here it is trained from"
            + " scratch.");
    return table(
        "cub200-methods",
        "CUB-200: orbit mapping and its rivals (paper, section 4.1 and appendix)",
        true,
        0,
        rows(
            "cub200",
            "",
            "resnet50",
            Presets.cub200(),
            large(),
            new Methods(rules(true), false, false, false, true)),
        remarks);
  }

  /** The pose network of the paper on large images: 4 convolutions of 64 channels. */
  private static Map<String, String> large() {
    return Map.of("pose-channels", "64", "pose-layers", "4");
  }

  private static List<String> rules(boolean paper) {
    return paper ? Tables.RULES : List.of("disc");
  }

  private static List<String> remarks() {
    return new ArrayList<>(List.of(Tables.NOT_RELEASED, Tables.FILL, OURS, ATTACKS));
  }

  private static Table<Image> table(
      String name, String title, boolean paper, int limit, List<Row> rows, List<String> remarks) {
    return new Table<>(
        name,
        title,
        paper ? Scale.PAPER : Scale.CPU,
        limit,
        new RotationProtocol(paper ? 1 : 10),
        rows,
        remarks);
  }

  /**
   * The rows in the order of the paper.
   *
   * @param figures the table of the paper's figures
   * @param key what the names of its rows start with
   * @param options of the networks in front
   */
  private static List<Row> rows(
      String figures,
      String key,
      String network,
      TrainConfig base,
      Map<String, String> options,
      Methods methods) {
    List<Row> rows = new ArrayList<>();
    TrainConfig rotated = base.with(c -> c.scheme("ra"));
    TrainConfig combined = base.with(c -> c.scheme("ra-combined"));
    mapped(rows, figures, key, network, base, methods.rules(), false);
    mapped(rows, figures, key, network, rotated, methods.rules(), methods.testOnly());
    if (methods.combined()) {
      mapped(rows, figures, key, network, combined, methods.rules(), true);
    }
    if (methods.stn()) {
      front(rows, figures, key, "stn", network, rotated, options);
    }
    front(rows, figures, key, "etn", network, rotated, options);
    front(rows, figures, key, "canonicaliser", network, rotated, Map.of());
    if (methods.augerino()) {
      front(rows, figures, key, "augerino", network, rotated, Map.of());
    }
    for (String scheme : ADVERSARIAL) {
      TrainConfig train = base.with(c -> c.scheme(scheme));
      rows.add(row(network, train, MappingConfig.NONE, PaperFigures.of(figures, key + scheme)));
    }
    String pooled = network + "-tipool";
    for (TrainConfig train : List.of(base, rotated)) {
      mapped(rows, figures, key + "tipool-", pooled, Presets.pooled(train), methods.rules(), false);
    }
    if (methods.combined()) {
      TrainConfig train = Presets.pooled(combined);
      for (String rule : methods.rules()) {
        rows.add(trained(figures, key + "tipool-", pooled, train, rule));
      }
    }
    return rows;
  }

  private static Row row(
      String network, TrainConfig train, MappingConfig mapping, double[] figures) {
    return new Row(network, train.scheme(), mapping, train, figures);
  }

  private static Row trained(
      String figures, String key, String network, TrainConfig plain, String rule) {
    TrainConfig train = Presets.mapped(plain, rule);
    double[] paper = PaperFigures.of(figures, key + plain.scheme() + "-tt");
    return row(network, train, train.mapping(), paper);
  }

  /** Without the mapping, with it in the test, with it in training and test. */
  private static void mapped(
      List<Row> rows,
      String figures,
      String key,
      String network,
      TrainConfig plain,
      List<String> rules,
      boolean test) {
    String stem = key + plain.scheme();
    rows.add(row(network, plain, MappingConfig.NONE, PaperFigures.of(figures, stem)));
    for (String rule : test ? rules : List.<String>of()) {
      MappingConfig mapping = plain.mapping().rule(rule).when(Use.TEST);
      rows.add(row(network, plain, mapping, PaperFigures.of(figures, stem + "-test")));
    }
    for (String rule : rules) {
      rows.add(trained(figures, key, network, plain, rule));
    }
  }

  private static void front(
      List<Row> rows,
      String figures,
      String key,
      String front,
      String network,
      TrainConfig plain,
      Map<String, String> options) {
    Net behind = plain.network();
    Net net =
        new Net(front + "+" + behind.name(), behind.widthFactor(), behind.tiPooling(), options);
    rows.add(
        row(
            front + "+" + network,
            plain.with(c -> c.network(net)),
            MappingConfig.NONE,
            PaperFigures.of(figures, key + front)));
  }
}
