package org.orbitmap.app.option;

import picocli.CommandLine.Option;

/** A model that is asked behind another mapping than its own, as options. */
public final class BehindMapping {
  @Option(
      names = "--mapping",
      paramLabel = "RULE",
      description =
          "Ask the model behind this mapping: disc, paper, …, upright:FILE, skewness, …, or none for"
              + " a run without its own. An ONNX file is wrapped with it, in memory.")
  private String mapping;

  @Option(
      names = "--frames",
      paramLabel = "K",
      description = "With --mapping and an ONNX file: in how many poses it is asked, as for wrap.")
  private Integer frames;

  /** The mapping by its rule; null if the model is asked as it is. */
  public String mapping() {
    return mapping;
  }

  /** In how many poses it is asked; null if that is not said. */
  public Integer frames() {
    return frames;
  }
}
