package org.orbitmap.paper;

import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.nn.train.TrainConfig;

/** Training runs by name: the image rows of the paper that the schemes here cover, and glyphs. */
public final class Presets {
  private Presets() {}

  /** All presets, by name. */
  public static Map<String, TrainConfig> all() {
    Map<String, TrainConfig> all = new LinkedHashMap<>();
    TrainConfig glyphs = TrainConfig.glyphs();
    all.put("glyphs-convnet", glyphs);
    all.put("glyphs-convnet-disc", mapped(glyphs, "disc"));
    TrainConfig cifar = TrainConfig.defaults();
    TrainConfig resnet = cifar.with("network.kind", "resnet18").with("optimiser.rate", 0.1);
    rows(all, "cifar10-linear", cifar.with("network.kind", "linear"));
    rows(all, "cifar10-convnet", cifar);
    rows(all, "cifar10-resnet18", resnet);
    rows(all, "cifar10-resnet18-tipool", resnet.with("network.ti-pooling", true));
    TrainConfig ham = ham10000();
    rows(all, "ham10000-convnet", ham);
    rows(all, "ham10000-resnet18", ham.with("network.kind", "resnet18"));
    rows(
        all,
        "ham10000-resnet18-tipool",
        ham.with("network.kind", "resnet18").with("network.ti-pooling", true).with("batch", 32));
    TrainConfig rotmnist = rotmnist();
    rows(all, "rotmnist-convnet", rotmnist);
    TrainConfig cub = cub200();
    rows(all, "cub200-resnet50", cub);
    rows(all, "cub200-resnet50-tipool", cub.with("network.ti-pooling", true).with("batch", 64));
    return all;
  }

  /** The preset with this name. */
  public static TrainConfig named(String name) {
    TrainConfig config = all().get(name);
    if (config == null) {
      throw new IllegalArgumentException(
          "preset: expected one of those that `orbit train --help` lists, such as %s, found %s"
              .formatted(all().keySet().iterator().next(), name));
    }
    return config;
  }

  /** Std, RA and RA-combined; each plain, and with the disc, paper and released mapping. */
  private static void rows(Map<String, TrainConfig> all, String name, TrainConfig base) {
    for (String scheme : new String[] {"std", "ra", "ra-combined"}) {
      TrainConfig c = base.with("scheme", scheme);
      String stem = name + (scheme.equals("std") ? "" : "-" + scheme);
      all.put(stem, c);
      for (String rule : new String[] {"disc", "paper", "released"}) {
        all.put(stem + "-" + rule, mapped(c, rule));
      }
    }
  }

  static TrainConfig mapped(TrainConfig c, String rule) {
    return c.with("mapping.when", "train+test").with("mapping.rule", rule);
  }

  /** Appendix E: both flips, colour jitter, rare classes repeated, Adam, final model. */
  static TrainConfig ham10000() {
    return TrainConfig.defaults()
        .with("data", "ham10000")
        .with("augmentation.crop", 0)
        .with("augmentation.vertical-flip", true)
        .with("augmentation.jitter", 0.2)
        .with("oversample", true)
        .with("optimiser.kind", "adam")
        .with("optimiser.rate", 1e-4)
        .with("schedule.kind", "exponential")
        .with("schedule.factor", 0.2)
        .with("epochs", 5)
        .with("validation", 0.1)
        .with("keep", "last");
  }

  /** Adam with an exponential schedule after 15 of 40 epochs, batch 64. */
  static TrainConfig rotmnist() {
    return TrainConfig.defaults()
        .with("data", "rotmnist")
        .with("augmentation.crop", 0)
        .with("augmentation.flip", false)
        .with("optimiser.kind", "adam")
        .with("optimiser.rate", 1e-3)
        .with("optimiser.weight-decay", 0.0)
        .with("schedule.kind", "exponential")
        .with("schedule.factor", 0.8)
        .with("schedule.after", 15)
        .with("epochs", 40)
        .with("batch", 64)
        .with("validation", 1.0 / 6);
  }

  /** Appendix E, but from scratch: no pretrained weights are included. */
  static TrainConfig cub200() {
    return TrainConfig.defaults()
        .with("data", "cub200")
        .with("size", 224)
        .with("network.kind", "resnet50")
        .with("augmentation.crop", 16)
        .with("optimiser.kind", "adam")
        .with("optimiser.rate", 1e-4)
        .with("schedule.kind", "exponential")
        .with("schedule.factor", 0.9)
        .with("epochs", 60)
        .with("validation", 0.1)
        .with("keep", "last");
  }
}
