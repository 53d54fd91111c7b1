package org.orbitmap.app.model;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.orbitmap.io.network.ImportedWeights;
import org.orbitmap.io.network.TensorFile;
import org.orbitmap.io.network.TorchFile;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Network;
import org.orbitmap.network.zoo.Networks;

/**
 * What is in a file of weights.
 *
 * @param format of the file
 * @param numbers how many there are of each type
 * @param classes of the last layer; 0 if that is not known
 * @param networks whose weights they are
 * @param tensors the shapes by name
 */
public record WeightReport(
    String file,
    String format,
    Map<String, Long> numbers,
    int classes,
    List<String> networks,
    Map<String, long[]> tensors) {
  /** How many tensors are listed in text. */
  private static final int LISTED = 8;

  private static final InputShape.Images INPUT = new InputShape.Images(3, 224, 224);

  /**
   * The report on a file, if it is one of weights alone.
   *
   * @throws IOException if it is damaged or holds anything to execute
   */
  public static Optional<WeightReport> of(Path file) throws IOException {
    boolean named = file.toString().matches("(?i).*\\.(safetensors|pth?)"); // or damaged
    if (!Files.isRegularFile(file)
        || TorchFile.isTorchScript(file)
        || !(named || TorchFile.isStateDictionary(file))) {
      return Optional.empty();
    }
    try (TensorFile opened = TensorFile.open(file)) {
      if (opened.metadata().containsKey("model")) {
        return Optional.empty(); // a model, which says more of itself
      }
      Map<String, Long> numbers = new TreeMap<>();
      Map<String, long[]> tensors = new LinkedHashMap<>();
      opened
          .entries()
          .forEach(
              (name, e) -> {
                numbers.merge(e.type(), e.count(), Long::sum);
                tensors.put(name, e.shape());
              });
      int classes = 0;
      List<String> networks = new ArrayList<>();
      for (Network network : Networks.all()) {
        int own = ImportedWeights.classes(opened, network);
        if (network.takes().equals(INPUT.kind()) && fits(opened, network, Math.max(2, own))) {
          networks.add(network.name());
          classes = own;
        }
      }
      return Optional.of(
          new WeightReport(file.toString(), opened.format(), numbers, classes, networks, tensors));
    }
  }

  private static boolean fits(TensorFile file, Network network, int classes) {
    try {
      return ImportedWeights.fits(file, Architecture.of(network, INPUT, classes));
    } catch (IllegalArgumentException e) {
      return false; // not a network for such images or so many classes
    }
  }

  /** The report for people. */
  public void print(PrintWriter out) {
    out.printf("%s%n  format     %s%n", file, format);
    numbers.forEach((type, n) -> out.printf("  numbers    %,d of type %s%n", n, type));
    out.printf(
        "  fits       %s%n",
        networks.isEmpty()
            ? "no network here"
            : String.join(", ", networks)
                + (classes == 0 ? "" : ", %,d classes".formatted(classes)));
    out.printf("  tensors    %,d%n", tensors.size());
    tensors.entrySet().stream()
        .limit(LISTED)
        .forEach(
            e -> out.printf("    %s %s%n", e.getKey(), java.util.Arrays.toString(e.getValue())));
    if (tensors.size() > LISTED) {
      out.printf("    … (all of them with --json)%n");
    }
  }
}
