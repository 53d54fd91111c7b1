package org.orbitmap.nn.train;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.eval.Progress;
import org.orbitmap.image.Image;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.Version;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.nn.network.Architecture;
import org.orbitmap.nn.network.MappingConfig;
import org.orbitmap.nn.network.Model;
import org.orbitmap.nn.scheme.Scheme;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.FloatTensor;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Safetensors;
import org.orbitmap.nn.tensor.Tensors;

/**
 * One training run in its folder: {@code config.yaml}, {@code provenance.json}, {@code
 * metrics.jsonl} (a line for each epoch), {@code checkpoint-*.safetensors} (the last two epochs)
 * and in the end {@code model.safetensors}.
 *
 * <p>Everything random depends on the seed, the epoch and the image alone, and a checkpoint holds
 * all the rest. So a run that was stopped at any moment and resumed ends with the same bits as one
 * that was not. Interrupting the thread stops a run before its next step.
 */
public final class Trainer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CHECKPOINT = "checkpoint-";
  private static final String SUFFIX = ".safetensors";
  private static final int VALIDATION_BATCH = 250;

  private final TrainConfig config;
  private final Scheme scheme;
  private final Path folder;
  private final ImageSet images;
  private final int[] training;
  private final int[] validation;
  private final Model model;
  private final Optimiser optimiser;
  private final Consumer<String> notes;
  private final Consumer<String> warnings;
  private final float[] buffer;
  private final int[] labels;

  private int epoch;
  private Schedule.State rate;
  private Map<String, FloatTensor> best;
  private double bestAccuracy = -1;
  private int bestEpoch;

  /**
   * How a run ended.
   *
   * @param folder where everything is
   * @param epochs how many it had
   * @param bestEpoch the epoch of the model that was kept
   * @param accuracy its share of right answers on the validation images
   * @param parameters the number of trainable parameters
   * @param seed of everything random
   */
  public record Result(
      String folder, int epochs, int bestEpoch, double accuracy, long parameters, long seed) {}

  private Trainer(
      TrainConfig config,
      ImageSet data,
      Path folder,
      Consumer<String> notes,
      Consumer<String> warnings) {
    this.config = config;
    this.folder = folder;
    this.notes = notes;
    this.warnings = warnings;
    scheme = Scheme.named(config.scheme());
    ImageSet used = config.limit() > 0 ? data.first(config.limit()) : data;
    used.requireEveryClass();
    images = used;
    int[] order = permutation(images.size(), random(config.seed(), -1, 0));
    int held = (int) Math.round(config.validation() * order.length);
    if (held >= order.length || (config.validation() > 0 && held == 0)) {
      throw new UserError(
          "%s: expected enough images for training and validation, found %d"
              .formatted(data.name(), order.length));
    }
    validation = Arrays.copyOf(order, held);
    training = Arrays.copyOfRange(order, held, order.length);
    Engine.threads(config.threads());
    model = new Model(description(config, images, training), config.seed());
    optimiser =
        config.optimiser().kind().equals("adam")
            ? new Optimiser.Adam(model.weights(), config.optimiser().weightDecay())
            : new Optimiser.Sgd(
                model.weights(), config.optimiser().momentum(), config.optimiser().weightDecay());
    rate = config.schedule().start(config.optimiser().rate());
    int most = Math.max(config.batch(), VALIDATION_BATCH);
    buffer = new float[most * images.channels() * images.height() * images.width()];
    labels = new int[most];
  }

  /** What the model of a configuration looks like; normalisation from the training images. */
  private static Model.Description description(TrainConfig c, ImageSet set, int[] training) {
    Architecture architecture =
        new Architecture(
            Architecture.Kind.named(c.network().kind()),
            c.network().width(),
            c.network().tiPooling(),
            set.channels(),
            set.height(),
            set.width(),
            set.classes().size());
    float[] mean = {.4914f, .4822f, .4465f};
    float[] std = {.2023f, .1994f, .2010f};
    if (!set.name().equals("cifar10")) {
      mean = new float[set.channels()];
      std = new float[set.channels()];
      int plane = set.height() * set.width();
      for (int ch = 0; ch < mean.length; ch++) {
        double sum = 0;
        double squares = 0;
        for (int i : training) {
          for (int p = ch * plane; p < (ch + 1) * plane; p++) {
            double v = (set.pixels()[i][p] & 255) / 255.0;
            sum += v;
            squares += v * v;
          }
        }
        double n = (double) training.length * plane;
        mean[ch] = (float) (sum / n);
        std[ch] = (float) Math.sqrt(Math.max(1e-6, squares / n - sum / n * sum / n));
      }
    }
    return new Model.Description(architecture, set.classes(), mean, std, c.mapping());
  }

  /**
   * Starts a run in a folder that must be empty or absent.
   *
   * @param notes told what the user should know
   */
  public static Result start(
      TrainConfig config, ImageSet data, Path folder, Progress progress, Consumer<String> notes)
      throws IOException {
    if (Files.exists(folder.resolve("config.yaml")) || isFull(folder)) {
      throw UserError.expected(
          folder.toString(),
          "an empty or new folder for the run",
          "files",
          "Go on with --resume, or choose another folder");
    }
    Trainer trainer = new Trainer(config, data, folder, notes, notes);
    // What resuming needs comes first; it writes the provenance if that is missing.
    AtomicFiles.write(folder.resolve("config.yaml"), config.toYaml());
    trainer.writeProvenance();
    return trainer.run(progress);
  }

  /**
   * Goes on with a run where its last whole checkpoint left it; progress is that of the rest.
   *
   * @param notes told what the user may want to know
   * @param warnings told what was not as it should be, such as a damaged checkpoint
   */
  public static Result resume(
      Path folder,
      ImageSet data,
      Progress progress,
      Consumer<String> notes,
      Consumer<String> warnings)
      throws IOException {
    Trainer trainer = new Trainer(config(folder), data, folder, notes, warnings);
    trainer.requireSameData();
    trainer.removeLeftovers();
    trainer.restore();
    return trainer.run(progress);
  }

  /** Starts a run, or goes on with the one of the same configuration that the folder holds. */
  public static Result startOrResume(
      TrainConfig config,
      ImageSet data,
      Path folder,
      Progress progress,
      Consumer<String> notes,
      Consumer<String> warnings)
      throws IOException {
    return requireSameOrNew(config, folder)
        ? resume(folder, data, progress, notes, warnings)
        : start(config, data, folder, progress, notes);
  }

  /**
   * Whether a folder holds a run of this configuration.
   *
   * @throws UserError if it holds one of another
   */
  public static boolean requireSameOrNew(TrainConfig config, Path folder) throws IOException {
    if (!Files.exists(folder.resolve("config.yaml"))) {
      return false;
    }
    if (!config(folder).equals(config)) {
      throw UserError.expected(
          folder.toString(),
          "a new folder or a run of the same configuration",
          "another one in its config.yaml",
          "Choose another --out");
    }
    return true;
  }

  /** The configuration of a run, from its folder or the file of its model. */
  public static TrainConfig config(Path folder) throws IOException {
    if (Files.isRegularFile(folder)) {
      String text = Safetensors.read(folder).metadata().get("config");
      if (text == null) {
        throw new FormatException(folder, "a model of orbit with its configuration", "none");
      }
      return TrainConfig.parse(folder, text);
    }
    Path file = folder.resolve("config.yaml");
    if (!Files.exists(file)) {
      throw UserError.expected(
          folder.toString(), "the folder of a run, with config.yaml", "none", "");
    }
    return TrainConfig.read(file);
  }

  /** The model of a finished run. */
  public static Path modelFile(Path folder) {
    return folder.resolve("model" + SUFFIX);
  }

  private static boolean isFull(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Files.exists(folder);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(f -> !AtomicFiles.isLeftover(f));
    }
  }

  private void removeLeftovers() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path f : files.filter(AtomicFiles::isLeftover).toList()) {
        Files.deleteIfExists(f);
      }
    }
  }

  /** What computed a result. */
  public static Map<String, String> environment() {
    Map<String, String> e = new LinkedHashMap<>();
    e.put("orbit", Version.current());
    e.put("engine", Engine.version());
    e.put("device", Engine.device());
    e.put("java", System.getProperty("java.version"));
    e.put("platform", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    e.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    return e;
  }

  private Map<String, String> provenance() {
    Map<String, String> p = environment();
    p.put("threads", Integer.toString(Engine.threads()));
    p.put("seed", Long.toString(config.seed()));
    p.put("data", images.name());
    p.put("images", training.length + " training, " + validation.length + " validation");
    p.put("data-sha256", images.digest());
    p.put("started", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    return p;
  }

  private void writeProvenance() throws IOException {
    AtomicFiles.write(
        folder.resolve("provenance.json"),
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(provenance()) + "\n");
  }

  private void requireSameData() throws IOException {
    Path file = folder.resolve("provenance.json");
    if (!Files.exists(file)) {
      writeProvenance();
      return;
    }
    String before;
    try {
      before = JSON.readTree(Files.readString(file)).path("data-sha256").asText("");
    } catch (JsonProcessingException | CharacterCodingException e) {
      throw UserError.expected(
          file.toString(),
          "JSON, with the SHA-256 of the data",
          "a damaged file",
          "Remove it to go on without comparing the data");
    }
    if (!before.isEmpty() && !before.equals(images.digest())) {
      throw UserError.expected(
          images.name(),
          "the data that the run started with (SHA-256 %s)".formatted(before),
          images.digest(),
          "Give the same data, or start a new run");
    }
  }

  private Result run(Progress progress) throws IOException {
    int[] order = epochOrder(0);
    long perEpoch = order.length;
    long before = epoch * perEpoch;
    Progress rest = (done, total) -> progress.update(done - before, total - before);
    while (epoch < config.epochs()) {
      long started = System.nanoTime();
      double loss = trainEpoch(epoch, perEpoch, rest);
      if (!model.weights().finite()) {
        throw diverged("finite weights", "others", "after epoch " + (epoch + 1));
      }
      double[] checked = validate(epoch);
      if (!Double.isFinite(checked[0])) {
        throw diverged("a finite validation loss", checked[0], "after epoch " + (epoch + 1));
      }
      double used = rate.rate();
      epoch++;
      rate = config.schedule().after(rate, epoch, checked[0]);
      boolean last = config.keep().equals("last");
      if (last || checked[1] > bestAccuracy) {
        bestAccuracy = checked[1];
        bestEpoch = epoch;
        best = model.weights().snapshot();
      }
      ObjectNode line = JSON.createObjectNode();
      line.put("epoch", epoch);
      line.put("trainLoss", loss);
      if (validation.length > 0) {
        line.put("validationLoss", checked[0]);
        line.put("validationAccuracy", checked[1]);
      }
      line.put("rate", used);
      line.put("seconds", Math.round((System.nanoTime() - started) / 1e6) / 1000.0);
      try {
        // The line first: if the run is stopped in between, resuming drops it and writes it again.
        Files.writeString(
            folder.resolve("metrics.jsonl"),
            line + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
        checkpoint();
      } catch (IOException e) {
        throw stopped(e);
      }
    }
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("config", config.toYaml());
    metadata.put("data-sha256", images.digest());
    metadata.put("epoch", Integer.toString(bestEpoch));
    model.save(modelFile(folder), best, metadata);
    return new Result(
        folder.toString(),
        config.epochs(),
        bestEpoch,
        validation.length == 0 ? Double.NaN : bestAccuracy,
        model.parameters(),
        config.seed());
  }

  /** What to say when an epoch cannot be written, as on a full disk. */
  private IOException stopped(IOException cause) {
    List<Path> whole = checkpoints();
    return new IOException(
        "%s: expected to write epoch %d, found: %s. %s Make room, then go on with: orbit train --resume %s"
            .formatted(
                folder,
                epoch,
                cause.getMessage(),
                whole.isEmpty()
                    ? "There is no checkpoint yet."
                    : "The last whole checkpoint is %s.".formatted(whole.get(0).getFileName()),
                folder),
        cause);
  }

  private UserError diverged(String expected, Object found, String when) {
    List<Path> whole = checkpoints();
    return UserError.expected(
        "training",
        expected,
        found + " " + when,
        "The last good checkpoint is %s. Try a lower learning rate"
            .formatted(whole.isEmpty() ? "none" : whole.get(0)));
  }

  private double trainEpoch(int epoch, long perEpoch, Progress progress) throws IOException {
    int[] order = epochOrder(epoch);
    double total = 0;
    for (int start = 0, step = 0; start < order.length; start += config.batch(), step++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException(
            "%s: training was interrupted in epoch %d, step %d. Go on with: orbit train --resume %s"
                .formatted(folder, epoch + 1, step + 1, folder));
      }
      int n = Math.min(config.batch(), order.length - start);
      fill(order, start, n, epoch, true);
      long key = -1L - start;
      float loss = NativeScope.scoped(() -> step(n, random(config.seed(), epoch, key)));
      if (!Float.isFinite(loss)) {
        throw diverged(
            "a finite loss", loss, "in epoch %d, step %d".formatted(epoch + 1, step + 1));
      }
      total += (double) loss * n;
      progress.update(epoch * perEpoch + start + n, config.epochs() * perEpoch);
    }
    return total / order.length;
  }

  /** One step on the images in the buffer; its loss. A loss that is not finite changes nothing. */
  private float step(int n, SplittableRandom random) {
    Tensor x = model.input(buffer, n, true);
    Tensor loss = scheme.loss(model, x, Tensors.ofLabels(labels, n), random);
    float value = loss.item_float();
    if (Float.isFinite(value)) {
      loss.backward();
      optimiser.step(rate.rate());
      model.weights().zeroGradients();
    }
    return value;
  }

  /** Loss and accuracy on the validation images. */
  private double[] validate(int epoch) {
    // A mapping that is for testing only must not change which epoch is the best.
    boolean map = config.mapping().when().equals("train+test");
    Model checked = map ? model : model.with(MappingConfig.NONE);
    double loss = 0;
    int right = 0;
    for (int start = 0; start < validation.length; start += VALIDATION_BATCH) {
      int n = Math.min(VALIDATION_BATCH, validation.length - start);
      fill(validation, start, n, epoch, false);
      float[] rows =
          NativeScope.inference(
              () -> {
                Tensor x = checked.input(buffer, n, false);
                return Tensors.toArray(torch.log_softmax(checked.logits(x, false), 1));
              });
      int classes = images.classes().size();
      for (int i = 0; i < n; i++) {
        loss -= rows[i * classes + labels[i]];
        right += argmax(rows, i, classes) == labels[i] ? 1 : 0;
      }
    }
    int n = Math.max(1, validation.length);
    return new double[] {loss / n, (double) right / n};
  }

  static int argmax(float[] rows, int row, int columns) {
    int best = 0;
    for (int c = 1; c < columns; c++) {
      if (rows[row * columns + c] > rows[row * columns + best]) {
        best = c;
      }
    }
    return best;
  }

  /** Fills the buffer with changed images, in parallel; the result does not depend on how. */
  private void fill(int[] indices, int start, int n, int epoch, boolean train) {
    int size = images.channels() * images.height() * images.width();
    IntStream.range(0, n)
        .parallel()
        .forEach(
            i -> {
              int index = indices[start + i];
              // In an oversampled epoch the same image comes again, changed differently.
              SplittableRandom random = random(config.seed(), epoch, train ? start + i : -index);
              Image image = images.image(index);
              Image changed =
                  train
                      ? scheme.augment(image, config.augmentation(), random)
                      : scheme.validate(image, random(config.seed(), -2, index));
              System.arraycopy(changed.data(), 0, buffer, i * size, size);
              labels[i] = images.labels()[index];
            });
  }

  /** The training images in the order of an epoch, rare classes repeated if asked for. */
  private int[] epochOrder(int epoch) {
    SplittableRandom random = random(config.seed(), epoch, Integer.MAX_VALUE);
    int[] base = training;
    if (config.oversample()) {
      List<List<Integer>> byClass = new ArrayList<>();
      images.classes().forEach(c -> byClass.add(new ArrayList<>()));
      for (int i : training) {
        byClass.get(images.labels()[i]).add(i);
      }
      int most = byClass.stream().mapToInt(List::size).max().orElse(0);
      int[] all = new int[(int) byClass.stream().filter(c -> !c.isEmpty()).count() * most];
      int at = 0;
      for (List<Integer> members : byClass) {
        for (int k = 0; k < most && !members.isEmpty(); k++) {
          all[at++] = members.get(k % members.size());
        }
      }
      base = all;
    }
    int[] order = permutation(base.length, random);
    for (int i = 0; i < order.length; i++) {
      order[i] = base[order[i]];
    }
    return order;
  }

  private static int[] permutation(int n, SplittableRandom random) {
    int[] p = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int t = p[i];
      p[i] = p[j];
      p[j] = t;
    }
    return p;
  }

  /** A generator that depends on nothing but these numbers. */
  static SplittableRandom random(long seed, long epoch, long index) {
    long h = mix(seed + 0x9E3779B97F4A7C15L);
    h = mix(h ^ (epoch + 0x632BE59BD9B4E019L));
    return new SplittableRandom(mix(h ^ (index + 0xD1B54A32D192ED03L)));
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private void checkpoint() throws IOException {
    Map<String, FloatTensor> tensors = new LinkedHashMap<>();
    model.weights().snapshot().forEach((k, v) -> tensors.put("weights/" + k, v));
    optimiser.snapshot().forEach((k, v) -> tensors.put("optimiser/" + k, v));
    best.forEach((k, v) -> tensors.put("best/" + k, v));
    Map<String, String> m = new LinkedHashMap<>();
    m.put("epoch", Integer.toString(epoch));
    m.put("rate", Double.toString(rate.rate()));
    m.put("lowest-loss", Double.toString(rate.best()));
    m.put("waited", Integer.toString(rate.waited()));
    m.put("best-accuracy", Double.toString(bestAccuracy));
    m.put("best-epoch", Integer.toString(bestEpoch));
    m.put("steps", Long.toString(optimiser.steps()));
    m.put("config", config.toYaml());
    new Safetensors(m, tensors)
        .write(folder.resolve("%s%06d%s".formatted(CHECKPOINT, epoch, SUFFIX)));
    // Two are kept: if the newest is damaged, the one before it serves.
    List<Path> all = checkpoints();
    for (Path old : all.subList(Math.min(2, all.size()), all.size())) {
      Files.deleteIfExists(old);
    }
  }

  /** Newest first. */
  private List<Path> checkpoints() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(f -> f.getFileName().toString().matches(CHECKPOINT + "\\d+\\" + SUFFIX))
          .sorted(Comparator.comparing((Path f) -> f.getFileName().toString()).reversed())
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private void restore() throws IOException {
    for (Path file : checkpoints()) {
      try {
        Safetensors read = Safetensors.read(file);
        Map<String, String> m = read.metadata();
        Map<String, FloatTensor> weights = part(read, "weights/");
        Map<String, FloatTensor> memory = part(read, "optimiser/");
        Map<String, FloatTensor> kept = part(read, "best/");
        // All of it is looked at before anything is taken.
        model.weights().requireLike(weights);
        model.weights().requireLike(kept);
        optimiser.requireLike(memory);
        Schedule.State schedule =
            new Schedule.State(
                number(m, "rate"), number(m, "lowest-loss"), (int) number(m, "waited"));
        double accuracy = number(m, "best-accuracy");
        int accurate = (int) number(m, "best-epoch");
        int epochs = (int) number(m, "epoch");
        long steps = (long) number(m, "steps");
        model.weights().restore(weights);
        optimiser.restore(memory);
        best = kept;
        rate = schedule;
        bestAccuracy = accuracy;
        bestEpoch = accurate;
        epoch = epochs;
        optimiser.steps(steps);
        notes.accept("going on after epoch " + epoch + " from " + file);
        trimMetrics();
        return;
      } catch (IOException | IllegalArgumentException e) {
        warnings.accept(
            "%s cannot be used (%s): the one before it is taken"
                .formatted(file.getFileName(), e.getMessage()));
      }
    }
    warnings.accept("no usable checkpoint in " + folder + ": starting from the beginning");
    Files.deleteIfExists(folder.resolve("metrics.jsonl"));
  }

  private static double number(Map<String, String> metadata, String name) {
    return Double.parseDouble(metadata.getOrDefault(name, "no " + name));
  }

  private static Map<String, FloatTensor> part(Safetensors all, String prefix) {
    Map<String, FloatTensor> part = new LinkedHashMap<>();
    all.tensors()
        .forEach(
            (k, v) -> {
              if (k.startsWith(prefix)) {
                part.put(k.substring(prefix.length()), v);
              }
            });
    return part;
  }

  /** Drops the lines of epochs that come again. */
  private void trimMetrics() throws IOException {
    Path file = folder.resolve("metrics.jsonl");
    if (!Files.exists(file)) {
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
}
