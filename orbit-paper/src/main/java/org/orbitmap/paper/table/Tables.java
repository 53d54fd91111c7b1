package org.orbitmap.paper.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.orbitmap.image.Image;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.train.FineTuning;
import org.orbitmap.nn.train.Schedule;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.TrainConfig.Keep;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.TrainConfig.Net;
import org.orbitmap.nn.train.TrainConfig.Normalise;
import org.orbitmap.nn.train.TrainConfigBuilder;
import org.orbitmap.paper.RotationProtocol;
import org.orbitmap.paper.Row;
import org.orbitmap.paper.Scale;
import org.orbitmap.paper.Table;
import org.orbitmap.paper.UprightFit;

/** The paper's tables that the schemes here cover, at two scales; those on images. */
public final class Tables {
  /** What users can ask for. */
  public static final List<String> NAMES =
      Stream.concat(
              Stream.of(
                  "cifar10-networks", "cifar10-augmentation", "ham10000", "rotmnist", "cub200"),
              Stream.concat(MethodTables.NAMES.stream(), CloudTables.NAMES.stream()))
          .toList();

  static final List<String> RULES = List.of("paper", "disc");

  /** The same, and the learned mapping, which has no figures of the paper. */
  private static final List<String> LEARNED = List.of("paper", "disc", UprightFit.RULE);

  private static final RotationProtocol EVERY_DEGREE = new RotationProtocol(1);
  static final String NOT_RELEASED =
      "The paper's figures are for its own mapping; `paper` follows its text (radii 0.05 and 0.4),"
          + " `disc` is the smooth disc window.";
  static final String FILL =
      "Images are rotated before they are normalised, black outside; the canonical image is"
          + " resampled bicubically (a = -0.75).";

  private static final String TUNED =
      "The paper fine-tunes %s that was trained on ImageNet: its weights are to be given, for"
          + " without them the network is trained from scratch. Images are %s.";

  private Tables() {}

  /** A table by name. */
  public static Table<?> named(String name, Scale scale) {
    boolean paper = scale == Scale.PAPER;
    return switch (name) {
      case "cifar10-networks" -> cifar10Networks(paper);
      case "cifar10-augmentation" -> cifar10Augmentation(paper);
      case "ham10000" -> ham10000(paper);
      case "rotmnist" -> rotmnist(paper);
      case "cub200" -> cub200(paper);
      case "cifar10-methods", "ham10000-methods", "cub200-methods" ->
          MethodTables.named(name, paper);
      case "modelnet40-scaling", "modelnet40-rotation", "modelnet40-combined", "modelnet40-pca" ->
          CloudTables.named(name, paper);
      default ->
          throw new IllegalArgumentException(
              "table: expected one of %s, found %s".formatted(String.join(", ", NAMES), name));
    };
  }

  /**
   * The row of the paper that a run belongs to: same data, network, training and use of a mapping.
   *
   * @param when how the mapping is used in the measurement
   * @return its table with this row alone, or empty
   */
  public static Optional<Table<?>> paper(TrainConfig run, Use when) {
    for (String name : NAMES) {
      Table<?> table = named(name, Scale.PAPER);
      for (Row row : table.rows()) {
        if (row.paper().length > 0
            && row.when() == when
            && row.train().data().equals(run.data())
            && row.train().network().name().equals(run.network().name())
            && row.train().network().tiPooling() == run.network().tiPooling()
            && row.train().scheme().equals(run.scheme())
            && row.train().cloudAugmentation().scaleLow() == run.cloudAugmentation().scaleLow()
            && row.train().mapping().group().equals(run.mapping().group())) {
          return Optional.of(table.with(List.of(row)));
        }
      }
    }
    return Optional.empty();
  }

  /** Appendix, "Effect of network architecture for CIFAR10". */
  private static Table<Image> cifar10Networks(boolean paper) {
    List<Row> rows = new ArrayList<>();
    for (String network :
        paper ? List.of("linear", "convnet", "resnet18") : List.of("linear", "convnet")) {
      TrainConfig base = Presets.cifar10(network);
      if (!paper) {
        base = network.equals("linear") ? cpuLinear(base) : cpuConvnet(base);
      }
      for (String scheme : List.of("std", "ra")) {
        List<String> rules = network.equals("linear") ? RULES : LEARNED;
        add(rows, "cifar10", network + "-", network, scheme, base, true, rules);
      }
      if (paper) {
        TrainConfig adversarial = base.with(c -> c.scheme("adv"));
        double[] figures = PaperFigures.of("cifar10", network + "-adv");
        rows.add(new Row(network, "adv", Use.NONE, "", adversarial, figures));
      }
    }
    List<String> remarks = new ArrayList<>(List.of(NOT_RELEASED, FILL));
    if (!paper) {
      remarks.add(
          "Fewer images and epochs than the paper (there: 40,000 images, 150 epochs of SGD,"
              + " 10,000 test images), so the figures lie below its. Both networks are trained on"
              + " 18,000 images: Linear for 8 epochs (SGD, rate 0.001, 0.7 of it after each); the"
              + " ConvNet, here with 3/8 of the channels, for 12 (Adam, rate 0.002, 0.8 of it after"
              + " each; batch 32).");
    }
    return new Table<>(
        "cifar10-networks",
        "CIFAR-10: networks, training and orbit mapping (paper, appendix, network architectures)",
        paper ? Scale.PAPER : Scale.CPU,
        paper ? 0 : 1000,
        EVERY_DEGREE,
        rows,
        remarks);
  }

  private static TrainConfig cpuLinear(TrainConfig base) {
    return base.with(
        c ->
            c.limit(20_000)
                .optimiser(Method.sgd(0.001, 5e-4))
                .schedule(Schedule.exponential(0.7, 0))
                .epochs(8)
                .validation(0.1)
                .threads(1) // so small a network: more threads only wait for each other
                .keep(Keep.LAST));
  }

  private static TrainConfig cpuConvnet(TrainConfig base) {
    return base.with(
        c ->
            c.network(n -> n.widthFactor(0.375))
                .optimiser(Method.adam(0.002, 0))
                .schedule(Schedule.exponential(0.8, 0))
                .limit(20_000)
                .batch(32)
                .epochs(12)
                .threads(1) // two runs side by side take three quarters of the time of one by one
                .validation(0.1)
                .keep(Keep.LAST));
  }

  /** Section 4.1, the effect of augmentation, with TI-pooling. */
  private static Table<Image> cifar10Augmentation(boolean paper) {
    TrainConfig resnet = Presets.cifar10("resnet18");
    if (!paper) {
      resnet = resnet.with(c -> c.network(n -> n.widthFactor(0.25)).limit(5000).epochs(4));
    }
    List<Row> rows = new ArrayList<>();
    for (String scheme : List.of("std", "ra", "ra-combined")) {
      boolean test = !scheme.equals("std");
      add(rows, "cifar10", "resnet18-", "resnet18", scheme, resnet, test, LEARNED);
    }
    TrainConfig pooled = Presets.pooled(resnet);
    for (String scheme : List.of("std", "ra", "ra-combined")) {
      add(rows, "cifar10", "resnet18-tipool-", "resnet18-tipool", scheme, pooled, false);
    }
    List<String> remarks = new ArrayList<>(List.of(NOT_RELEASED, FILL));
    if (!paper) {
      remarks.add(
          "A quarter of the channels, 4,000 training images and 4 epochs: the order of the rows"
              + " can be compared, not their height.");
    }
    return new Table<>(
        "cifar10-augmentation",
        "CIFAR-10: rotation augmentation, TI-pooling and orbit mapping (paper, section 4.1)",
        paper ? Scale.PAPER : Scale.CPU,
        paper ? 0 : 100,
        EVERY_DEGREE,
        rows,
        remarks);
  }

  /** Section 4.1, the columns of HAM10000. */
  private static Table<Image> ham10000(boolean paper) {
    TrainConfig base = Presets.ham10000();
    List<String> remarks = new ArrayList<>(List.of(NOT_RELEASED, FILL));
    remarks.add(
        "The split is by lesion, one in five for testing (paper: 1,103 of 10,015 images), and a"
            + " tenth of the training images is only watched.");
    List<Row> rows = new ArrayList<>();
    TrainConfig backbone = null;
    if (paper) {
      remarks.add(TUNED.formatted("an NFNet-F0", "224 x 224"));
      TrainConfig pooled = Presets.pooled(Presets.ham10000Tuned()).with(c -> c.batch(32));
      for (String scheme : List.of("std", "ra")) {
        add(rows, "ham10000", "", "nfnet-f0", scheme, Presets.ham10000Tuned(), false);
        add(rows, "ham10000", "tipool-", "nfnet-f0-tipool", scheme, pooled, false);
      }
    } else {
      TrainConfig small =
          base.with(
              c ->
                  c.network(n -> n.widthFactor(0.25))
                      .augmentation(new Augmentation(0, true, false, 0.2))
                      .oversample(false)
                      .optimiser(Method.adam(1e-3, 0))
                      .schedule(Schedule.exponential(0.5, 0))
                      .epochs(4)
                      .batch(32));
      remarks.add(
          "32 x 32 pixels, a ConvNet with a quarter of the channels, 7,080 training images without"
              + " oversampling, 4 epochs (Adam, rate 0.001, half of it after each). The paper"
              + " fine-tunes an NFNet-F0 of ImageNet; here `convnet` starts at random,"
              + " `convnet-tuned` from a ConvNet of the same width that was trained here first, on"
              + " 20,000 images of CIFAR-10 for 4 epochs (Adam, rate 0.002, 0.8 of it after each;"
              + " no mapping).");
      backbone = cpuConvnet(Presets.cifar10("convnet")).with(c -> quarter(c).epochs(4));
      TrainConfig tuned = small.with(c -> c.weights(Table.BACKBONE));
      for (String scheme : List.of("std", "ra")) {
        add(rows, "ham10000", "", "convnet", scheme, small, false);
        add(rows, "ham10000", "", "convnet-tuned", scheme, tuned, false);
      }
    }
    return new Table<>(
            "ham10000",
            "HAM10000: training and orbit mapping (paper, section 4.1)",
            paper ? Scale.PAPER : Scale.CPU,
            paper ? 0 : 200,
            EVERY_DEGREE,
            rows,
            remarks)
        .backbone(backbone);
  }

  private static TrainConfigBuilder quarter(TrainConfigBuilder c) {
    return c.network(n -> n.widthFactor(0.25));
  }

  /** Section 4.1, RotMNIST, and the appendix's table of training times. */
  private static Table<Image> rotmnist(boolean paper) {
    List<String> remarks = new ArrayList<>(List.of(NOT_RELEASED, FILL));
    remarks.add(
        "RotMNIST is rebuilt from MNIST with a seed (12,000 and 50,000 digits); all 12,000 are"
            + " trained with, and the final model counts. Interpolation in the paper is taken to be"
            + " bilinear.");
    remarks.add(
        "An epoch takes the paper, on one Titan RTX, 4.47 s without and 4.78 s with its mapping"
            + " (D4/C4), and 41.89 s and 42.08 s (D16/C16).");
    if (!paper) {
      remarks.add(
          "An eighth of the fields and 8 epochs (Adam, rate 0.015, 0.4 of it after each from the"
              + " fourth on); their mapping is `disc`. A ConvNet, which the paper does not have"
              + " here, with a quarter of the channels, 10,000 training digits, 3 epochs.");
    }
    List<Row> rows = new ArrayList<>();
    for (String group : List.of("d4c4", "d16c16")) {
      TrainConfig base = Presets.steerable("e2cnn-" + group);
      TrainConfig run = paper ? base : cpuSteerable(base);
      for (String scheme : List.of("std", "ra")) {
        String network = "e2cnn-" + group;
        List<String> rules = paper ? RULES : List.of("disc");
        add(rows, "rotmnist", group + "-", network, scheme, run, false, rules);
      }
    }
    TrainConfig small = Presets.rotmnist();
    if (!paper) {
      small =
          small.with(
              c ->
                  c.network(n -> n.widthFactor(0.25))
                      .batch(32)
                      .epochs(3)
                      .schedule(Schedule.exponential(0.3, 1)));
    }
    for (String scheme : List.of("std", "ra")) {
      add(rows, "rotmnist", "convnet-", "convnet", scheme, small, false);
    }
    return new Table<>(
        "rotmnist",
        "RotMNIST: steerable networks, training and orbit mapping (paper, section 4.1)",
        paper ? Scale.PAPER : Scale.CPU,
        paper ? 0 : 200,
        EVERY_DEGREE,
        rows,
        remarks);
  }

  private static TrainConfig cpuSteerable(TrainConfig base) {
    return base.with(
        c ->
            c.network(n -> n.widthFactor(0.125))
                .epochs(8)
                .schedule(Schedule.exponential(0.4, 3))
                .threads(1)); // two runs side by side
  }

  /** Appendix, CUB-200. */
  private static Table<Image> cub200(boolean paper) {
    TrainConfig base = Presets.cub200();
    List<Row> rows = new ArrayList<>();
    List<String> remarks = new ArrayList<>(List.of(NOT_RELEASED, FILL));
    remarks.add("A tenth of the training images is only watched.");
    TrainConfig backbone = null;
    if (paper) {
      remarks.add(TUNED.formatted("a ResNet-50", "224 x 224"));
      TrainConfig pooled = Presets.pooled(base).with(c -> c.batch(64));
      for (String scheme : List.of("std", "ra")) {
        add(rows, "cub200", "", "resnet50", scheme, base, scheme.equals("ra"));
        add(rows, "cub200", "tipool-", "resnet50-tipool", scheme, pooled, false);
      }
    } else {
      remarks.add(
          "64 x 64 pixels, a small-image ResNet-18 with a quarter of the channels that was trained"
              + " here first, on 20,000 images of CIFAR-10 for 4 epochs (Adam, rate 0.002, 0.8 of"
              + " it after each; no mapping); 8 epochs of Adam, rate 0.001, 0.8 of it after each,"
              + " batch 32.");
      backbone = cpuConvnet(Presets.cifar10("resnet18")).with(c -> quarter(c).epochs(4).threads(0));
      TrainConfig small =
          base.with(
              c ->
                  quarter(c.network(Net.of("resnet18")))
                      .size(64)
                      .weights(Table.BACKBONE)
                      .normalise(Normalise.DATA)
                      .fineTuning(FineTuning.NONE)
                      .augmentation(new Augmentation(0, true, false, 0).area(0.3))
                      .optimiser(Method.adam(1e-3, 0))
                      .schedule(Schedule.exponential(0.8, 0))
                      .epochs(8)
                      .batch(32));
      for (String scheme : List.of("std", "ra")) {
        add(rows, "cub200", "", "resnet18-tuned", scheme, small, scheme.equals("ra"));
      }
    }
    return new Table<>(
            "cub200",
            "CUB-200: training and orbit mapping (paper, appendix)",
            paper ? Scale.PAPER : Scale.CPU,
            paper ? 0 : 200,
            EVERY_DEGREE,
            rows,
            remarks)
        .backbone(backbone);
  }

  /**
   * The rows of one network and scheme: none, test, training and test; the last two for each rule.
   *
   * @param figures the table of the paper's figures
   * @param key what the names of its rows start with
   * @param test whether there are rows with the mapping in the test only
   */
  private static void add(
      List<Row> rows,
      String figures,
      String key,
      String network,
      String scheme,
      TrainConfig base,
      boolean test) {
    add(rows, figures, key, network, scheme, base, test, RULES);
  }

  private static void add(
      List<Row> rows,
      String figures,
      String key,
      String network,
      String scheme,
      TrainConfig base,
      boolean test,
      List<String> rules) {
    TrainConfig plain = base.with(c -> c.scheme(scheme));
    String stem = key + scheme;
    rows.add(new Row(network, scheme, Use.NONE, "", plain, PaperFigures.of(figures, stem)));
    for (String rule : test ? rules : List.<String>of()) {
      double[] paper = figures(figures, stem + "-test", rule);
      rows.add(new Row(network, scheme, Use.TEST, rule, plain, paper));
    }
    for (String rule : rules) {
      double[] paper = figures(figures, stem + "-tt", rule);
      TrainConfig mapped = Presets.mapped(plain, rule);
      rows.add(new Row(network, scheme, Use.TRAIN_AND_TEST, rule, mapped, paper));
    }
  }

  /** The paper's figures; none for the learned mapping, which it does not have. */
  private static double[] figures(String table, String row, String rule) {
    return rule.equals(UprightFit.RULE) ? new double[0] : PaperFigures.of(table, row);
  }
}
