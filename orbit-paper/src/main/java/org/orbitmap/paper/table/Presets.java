package org.orbitmap.paper.table;

import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.model.MappingConfig.Use;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.scheme.CloudAugmentation;
import org.orbitmap.nn.scheme.CloudAugmentation.Dropped;
import org.orbitmap.nn.train.FineTuning;
import org.orbitmap.nn.train.Schedule;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.TrainConfig.Keep;
import org.orbitmap.nn.train.TrainConfig.Method;
import org.orbitmap.nn.train.TrainConfig.Net;
import org.orbitmap.nn.train.TrainConfig.Normalise;
import org.orbitmap.paper.UprightFit;

/** Training runs by name: the rows of the paper that the schemes here cover, and glyphs. */
public final class Presets {
  private Presets() {}

  /** All presets, by name. */
  public static Map<String, TrainConfig> all() {
    Map<String, TrainConfig> all = new LinkedHashMap<>();
    TrainConfig glyphs = TrainConfig.glyphs();
    all.put("glyphs-convnet", glyphs);
    all.put("glyphs-convnet-disc", mapped(glyphs, "disc"));
    networks().forEach((name, base) -> rows(all, name, base));
    cloudNetworks().forEach((name, base) -> cloudRows(all, name, base));
    return all;
  }

  /**
   * The networks of the paper on point clouds: each is a preset, and so are its variants with
   * rotation augmentation ({@code -ra}), and then with a mapping in training and test: {@link
   * #cloudMappings}.
   */
  public static Map<String, TrainConfig> cloudNetworks() {
    Map<String, TrainConfig> all = new LinkedHashMap<>();
    all.put("modelnet40-pointnet", modelnet40("pointnet"));
    all.put("modelnet40-pointnet-stn", modelnet40("pointnet-stn"));
    return all;
  }

  /**
   * The mappings of clouds by the ends of the presets' names. All take the directions of the axes
   * from skewness; {@code similarity3-frames} asks the network in all 4, {@code upright} rotates
   * about the vertical alone; {@code similarity3-upright} is the learned mapping, whose predictor
   * is fitted first, and {@code similarity3-upright-frames} asks about the poses that it deems
   * best.
   */
  public static Map<String, MappingConfig> cloudMappings() {
    MappingConfig skewness = MappingConfig.NONE.rule("skewness").when(Use.TRAIN_AND_TEST);
    Map<String, MappingConfig> all = new LinkedHashMap<>();
    for (String group : new String[] {"scale", "translation", "so3", "se3"}) {
      all.put(group, skewness.group(group));
    }
    all.put("similarity3", skewness.group("sim3"));
    all.put("similarity3-frames", skewness.group("sim3").frames(4));
    all.put("upright", skewness.group("sim3-upright"));
    MappingConfig learned = skewness.rule(UprightFit.RULE).group("sim3");
    all.put("similarity3-upright", learned);
    all.put("similarity3-upright-frames", learned.frames(UprightFit.CLOUD_FRAMES));
    return all;
  }

  /**
   * The networks of the paper on its data sets: each is a preset, and so are its variants with a
   * scheme ({@code -ra}, {@code -ra-combined}) and then a mapping ({@code -disc}, {@code -paper},
   * {@code -released}, {@code -upright}, whose predictor is fitted first, and {@code
   * -upright-frames}, which asks about the two angles that it deems best).
   */
  public static Map<String, TrainConfig> networks() {
    Map<String, TrainConfig> all = new LinkedHashMap<>();
    all.put("cifar10-linear", cifar10("linear"));
    all.put("cifar10-convnet", cifar10("convnet"));
    all.put("cifar10-resnet18", cifar10("resnet18"));
    all.put("cifar10-resnet18-tipool", pooled(cifar10("resnet18")));
    TrainConfig ham = ham10000();
    TrainConfig resnet = ham.with(c -> c.network(Net.of("resnet18")));
    all.put("ham10000-convnet", ham);
    all.put("ham10000-resnet18", resnet);
    all.put("ham10000-resnet18-tipool", pooled(resnet).with(c -> c.batch(32)));
    all.put("ham10000-nfnet", ham10000Tuned());
    all.put("ham10000-nfnet-tipool", pooled(ham10000Tuned()).with(c -> c.batch(32)));
    all.put("rotmnist-convnet", rotmnist());
    all.put("rotmnist-e2cnn-d4c4", steerable("e2cnn-d4c4"));
    all.put("rotmnist-e2cnn-d16c16", steerable("e2cnn-d16c16"));
    all.put("cub200-resnet50", cub200());
    all.put("cub200-resnet50-tipool", pooled(cub200()).with(c -> c.batch(64)));
    return all;
  }

  /**
   * The preset with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static TrainConfig named(String name) {
    TrainConfig config = all().get(name);
    if (config == null) {
      throw new IllegalArgumentException(
          "preset: expected one of glyphs-convnet, %s, %s, or one of these with a scheme and a mapping such as %s-ra-disc or %s-ra-similarity3, found %s"
              .formatted(
                  String.join(", ", networks().keySet()),
                  String.join(", ", cloudNetworks().keySet()),
                  networks().keySet().iterator().next(),
                  cloudNetworks().keySet().iterator().next(),
                  name));
    }
    return config;
  }

  /**
   * Std, RA and RA-combined; each plain, and with the disc, paper, released and upright mapping,
   * the last one also with two frames.
   */
  private static void rows(Map<String, TrainConfig> all, String name, TrainConfig base) {
    for (String scheme : new String[] {"std", "ra", "ra-combined"}) {
      TrainConfig trained = base.with(c -> c.scheme(scheme));
      String stem = name + (scheme.equals("std") ? "" : "-" + scheme);
      all.put(stem, trained);
      for (String rule : new String[] {"disc", "paper", "released"}) {
        all.put(stem + "-" + rule, mapped(trained, rule));
      }
      TrainConfig upright = mapped(trained, UprightFit.RULE);
      all.put(stem + "-upright", upright);
      all.put(
          stem + "-upright-frames",
          upright.with(c -> c.mapping(m -> m.frames(UprightFit.IMAGE_FRAMES))));
    }
  }

  /** With and without rotation augmentation; each plain, and with the mappings of clouds. */
  private static void cloudRows(Map<String, TrainConfig> all, String name, TrainConfig base) {
    for (String scheme : new String[] {"std", "ra"}) {
      TrainConfig trained = base.with(c -> c.scheme(scheme));
      String stem = name + (scheme.equals("std") ? "" : "-" + scheme);
      all.put(stem, trained);
      cloudMappings().forEach((end, m) -> all.put(stem + "-" + end, mapped(trained, m)));
    }
  }

  /**
   * The same run on clouds with a mapping in training and test. Points that are left out are
   * replaced by repeating the others, so that they do not pull the pose.
   */
  public static TrainConfig mapped(TrainConfig config, MappingConfig mapping) {
    return config.with(
        c -> c.mapping(mapping).cloudAugmentation(a -> a.dropout(a.dropout(), Dropped.REPEATED)));
  }

  /** The same run with a mapping in training and test. */
  public static TrainConfig mapped(TrainConfig config, String rule) {
    return config.with(c -> c.mapping(m -> m.rule(rule).when(Use.TRAIN_AND_TEST)));
  }

  /** The same run with TI-pooling. */
  static TrainConfig pooled(TrainConfig config) {
    return config.with(c -> c.network(n -> n.tiPooling(true)));
  }

  /** SGD with a rate of 0.1 for residual networks, 0.01 for the others. */
  static TrainConfig cifar10(String network) {
    return TrainConfig.defaults()
        .with(
            c ->
                c.network(Net.of(network))
                    .optimiser(Method.sgd(network.startsWith("resnet") ? 0.1 : 0.01, 5e-4)));
  }

  /**
   * Appendix B: 1,024 points; Adam with a rate of 0.001, 0.7 of it after every 20 of 200 epochs;
   * batch 24; the final model, no validation.
   */
  static TrainConfig modelnet40(String network) {
    return TrainConfig.defaults()
        .with(
            c ->
                c.data("modelnet40")
                    .points(1024)
                    .network(Net.of(network))
                    .augmentation(Augmentation.NONE)
                    .cloudAugmentation(CloudAugmentation.PAPER)
                    .optimiser(Method.adam(1e-3, 1e-4))
                    .schedule(new Schedule(Schedule.Kind.STEP, 0.7, 20, 0))
                    .epochs(200)
                    .batch(24)
                    .validation(0)
                    .keep(Keep.LAST));
  }

  /** Appendix E: both flips, colour jitter, rare classes repeated, Adam, final model. */
  static TrainConfig ham10000() {
    return TrainConfig.defaults()
        .with(
            c ->
                c.data("ham10000")
                    .augmentation(new Augmentation(0, true, true, 0.2))
                    .oversample(true)
                    .optimiser(Method.adam(1e-4, 5e-4))
                    .schedule(Schedule.exponential(0.2, 0))
                    .epochs(5)
                    .validation(0.1)
                    .keep(Keep.LAST));
  }

  /** Adam with an exponential schedule after 15 of 40 epochs, batch 64. */
  static TrainConfig rotmnist() {
    return TrainConfig.defaults()
        .with(
            c ->
                c.data("rotmnist")
                    .augmentation(Augmentation.NONE)
                    .optimiser(Method.adam(1e-3, 0))
                    .schedule(Schedule.exponential(0.8, 15))
                    .epochs(40)
                    .batch(64)
                    .validation(1.0 / 6));
  }

  /**
   * The published protocol of steerable networks: Adam with a rate of 0.015, 0.8 of it an epoch
   * after 15 of 40, L1 and L2 regularisation of 1e-7, batch 64; all 12,000 digits, the final model.
   */
  static TrainConfig steerable(String network) {
    return rotmnist()
        .with(
            c ->
                c.network(Net.of(network))
                    .optimiser(Method.adam(0.015, 1e-7).l1(1e-7))
                    .validation(0)
                    .keep(Keep.LAST));
  }

  /**
   * Appendix E: the same with NFNet-F0 on photographs of 224 x 224, as an ImageNet network sees
   * them; a step of 128 images in 8 passes. The weights are to be given.
   */
  static TrainConfig ham10000Tuned() {
    return ham10000()
        .with(
            c ->
                c.size(224)
                    .network(Net.of("nfnet-f0"))
                    .normalise(Normalise.IMAGENET)
                    .fineTuning(FineTuning.NONE.accumulate(8)));
  }

  /**
   * Appendix E: random resized crops of 224 x 224, flips, Adam, final model; a step of 128 images
   * in 4 passes. The weights are to be given.
   */
  static TrainConfig cub200() {
    return TrainConfig.defaults()
        .with(
            c ->
                c.data("cub200")
                    .size(224)
                    .network(Net.of("resnet50"))
                    .normalise(Normalise.IMAGENET)
                    .fineTuning(FineTuning.NONE.accumulate(4))
                    .augmentation(new Augmentation(0, true, false, 0).area(0.08))
                    .optimiser(Method.adam(1e-4, 5e-4))
                    .schedule(Schedule.exponential(0.9, 0))
                    .epochs(60)
                    .validation(0.1)
                    .keep(Keep.LAST));
  }
}
