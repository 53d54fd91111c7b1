package org.orbitmap.nn.train;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.io.network.TensorFile;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.nn.model.Model;
import org.orbitmap.upright.Fitted;

/**
 * The folder of a training run: {@code config.yaml}, {@code provenance.json}, {@code metrics.jsonl}
 * (a line for each epoch), {@code checkpoint-*.safetensors} (the last two epochs) and in the end
 * {@code model.safetensors}.
 *
 * @param path the folder
 */
public record RunFolder(Path path) {
  private static final Pattern SECONDS = Pattern.compile("\"seconds\":([0-9.E-]+)");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CHECKPOINT = "checkpoint-";
  private static final String SUFFIX = ".safetensors";

  /** Two are kept: if the newest is damaged, the one before it serves. */
  private static final int CHECKPOINTS = 2;

  private Path configFile() {
    return path.resolve("config.yaml");
  }

  private Path provenanceFile() {
    return path.resolve("provenance.json");
  }

  private Path metricsFile() {
    return path.resolve("metrics.jsonl");
  }

  /** The model of a finished run. */
  public Path modelFile() {
    return path.resolve("model" + SUFFIX);
  }

  /** The upright mapping of the run, if it has one: a copy, so that the run needs nothing else. */
  private Path mappingFile() {
    return path.resolve("upright" + SUFFIX);
  }

  void writeMapping(Fitted fitted) throws IOException {
    UprightFile.write(mappingFile(), fitted);
  }

  /** The upright mapping that the run started with; null if it has none. */
  Fitted mapping() throws IOException {
    return Files.exists(mappingFile()) ? UprightFile.readAny(mappingFile()) : null;
  }

  /** Whether the run is finished. */
  public boolean finished() {
    return Files.exists(modelFile());
  }

  /** Whether the folder holds a run, finished or not. */
  public boolean isRun() {
    return Files.exists(configFile());
  }

  /** The configuration of the run. */
  public TrainConfig config() throws IOException {
    if (!isRun()) {
      throw UserError.expected(
          path.toString(), "the folder of a run, with config.yaml", "none", "");
    }
    return TrainConfig.read(configFile());
  }

  /** Whether the file of a model has the configuration of a run in it; an imported one has none. */
  public static boolean isTrained(Path file) throws IOException {
    try (TensorFile opened = TensorFile.open(file)) {
      return opened.metadata().containsKey("config");
    }
  }

  /** The configuration of a run, from its folder or the file of its model. */
  public static TrainConfig config(Path run) throws IOException {
    if (!Files.isRegularFile(run)) {
      return new RunFolder(run).config();
    }
    String text = Safetensors.read(run).metadata().get("config");
    if (text == null) {
      throw new FormatException(run, "a model of orbit with its configuration", "none");
    }
    return TrainConfig.parse(run, text);
  }

  /** The model of a run, from its folder or its own file. */
  public static Model<?> model(Path run) throws IOException {
    if (!Files.exists(run)) {
      throw UserError.expected(run.toString(), "the folder of a run", "nothing there", "");
    }
    RunFolder folder = new RunFolder(run);
    if (Files.isDirectory(run) && !folder.finished()) {
      throw UserError.expected(
          run.toString(),
          "a finished run, with " + folder.modelFile().getFileName(),
          folder.isRun() ? "an unfinished one" : "none",
          folder.isRun() ? "Resume it first" : "");
    }
    return Model.load(Files.isDirectory(run) ? folder.modelFile() : run);
  }

  /**
   * Whether the folder holds a run of this configuration.
   *
   * @throws UserError if it holds one of another
   */
  public boolean holds(TrainConfig config) throws IOException {
    if (!isRun()) {
      return false;
    }
    if (!config().equals(config)) {
      throw UserError.expected(
          path.toString(),
          "a new folder or a run of the same configuration",
          "another one in its config.yaml",
          "Choose another folder");
    }
    return true;
  }

  /** Checks that a new run can begin here. */
  public void requireEmpty() throws IOException {
    boolean full = Files.exists(path) && !Files.isDirectory(path);
    if (Files.isDirectory(path)) {
      try (Stream<Path> files = Files.list(path)) {
        full = files.anyMatch(f -> !AtomicFiles.isLeftover(f) && !FolderLock.isLock(f));
      }
    }
    if (full) {
      throw UserError.expected(
          path.toString(),
          "an empty or new folder for the run",
          "files",
          "Resume the run in it, or choose another folder");
    }
  }

  /** Removes what a killed run leaves. */
  public void removeLeftovers() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      for (Path f : files.filter(AtomicFiles::isLeftover).toList()) {
        Files.deleteIfExists(f);
      }
    }
  }

  void writeConfig(TrainConfig config) throws IOException {
    AtomicFiles.write(configFile(), config.toYaml());
  }

  void writeProvenance(Map<String, String> facts) throws IOException {
    AtomicFiles.write(
        provenanceFile(), JSON.writerWithDefaultPrettyPrinter().writeValueAsString(facts) + "\n");
  }

  boolean hasProvenance() {
    return Files.exists(provenanceFile());
  }

  /** Checks that the run goes on with the data that it started with. */
  void requireData(String name, String digest) throws IOException {
    requireSame("data", digest, name);
  }

  /** Checks that the run goes on with the data or weights it started with, by their digest. */
  void requireSame(String what, String digest, String name) throws IOException {
    String before;
    try {
      before = JSON.readTree(Files.readString(provenanceFile())).path(what + "-sha256").asText("");
    } catch (JsonProcessingException | CharacterCodingException e) {
      throw UserError.expected(
          provenanceFile().toString(),
          "JSON, with the SHA-256 of the data",
          "a damaged file",
          "Remove it to go on without comparing the data");
    }
    if (!before.isEmpty() && !before.equals(digest)) {
      throw UserError.expected(
          name,
          "the %s that the run started with (SHA-256 %s)".formatted(what, before),
          digest,
          "Give the same %s, or start a new run".formatted(what));
    }
  }

  void append(EpochMetrics metrics) throws IOException {
    Files.writeString(
        metricsFile(),
        JSON.writeValueAsString(metrics) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** The seconds of the fastest epoch so far; NaN before the first. */
  public double fastestEpoch() throws IOException {
    if (!Files.exists(metricsFile())) {
      return Double.NaN;
    }
    try (Stream<String> lines = Files.lines(metricsFile())) {
      return lines
          .map(SECONDS::matcher)
          .filter(Matcher::find)
          .mapToDouble(m -> Double.parseDouble(m.group(1)))
          .min()
          .orElse(Double.NaN);
    }
  }

  /** Drops the metrics of epochs that come again; all of them for epoch 0. */
  void trimMetrics(int epoch) throws IOException {
    Path file = metricsFile();
    if (!Files.exists(file)) {
      return;
    }
    if (epoch == 0) {
      Files.delete(file);
      return;
    }
    StringBuilder kept = new StringBuilder();
    for (String line : Files.readString(file, StandardCharsets.UTF_8).split("\n", -1)) {
      try {
        JsonNode node = JSON.readTree(line);
        if (node != null && node.has("epoch") && node.get("epoch").asInt() <= epoch) {
          kept.append(line).append('\n');
        }
      } catch (JsonProcessingException e) {
        // A line that was cut when the run was stopped.
      }
    }
    AtomicFiles.write(file, kept.toString());
  }

  /** Writes a checkpoint and removes those that are no longer needed. */
  void write(Checkpoint checkpoint, TrainConfig config) throws IOException {
    write(checkpoint.epoch(), file -> checkpoint.write(file, config));
  }

  /**
   * Writes a checkpoint and removes those that are no longer needed.
   *
   * @param number higher than those before
   * @param writer writes it, whole or not at all
   */
  public void write(long number, AtomicFiles.PathWriter writer) throws IOException {
    writer.write(path.resolve("%s%06d%s".formatted(CHECKPOINT, number, SUFFIX)));
    List<Path> all = checkpoints();
    for (Path old : all.subList(Math.min(CHECKPOINTS, all.size()), all.size())) {
      Files.deleteIfExists(old);
    }
  }

  /** The complete checkpoints, newest first. */
  public List<Path> checkpoints() {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(f -> f.getFileName().toString().matches(CHECKPOINT + "\\d+\\" + SUFFIX))
          .sorted(Comparator.comparing((Path f) -> f.getFileName().toString()).reversed())
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The newest checkpoint in words. */
  public String lastCheckpoint() {
    List<Path> all = checkpoints();
    return all.isEmpty()
        ? "There is no checkpoint yet"
        : "The last complete checkpoint is " + all.get(0).getFileName();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
