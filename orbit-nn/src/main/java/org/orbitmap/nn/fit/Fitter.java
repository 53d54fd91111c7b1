package org.orbitmap.nn.fit;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.nn.model.Documents;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.train.Provenance;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.Sampler;
import org.orbitmap.nn.train.TrainingListener;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightSettings;

/**
 * Learns from upright images how any image is made upright, without labels: each image is rotated
 * by a known angle, which is what the predictor must find.
 *
 * <pre>{@code
 * FitResult result = Fitter.of(config, images).fit(Path.of("upright.safetensors"));
 * }</pre>
 *
 * <p>Checkpoints are in a folder beside the file. The same call after a stop at any moment goes on
 * from the last of them; the folder goes away when the file is written.
 */
public final class Fitter {
  /** The share of the inputs that is kept for validation, and the most of them. */
  private static final double HELD = 0.1;

  private static final int MOST_HELD = 2000;
  private static final int LEAST = 20;
  private static final int MISTAKES = 6;

  private final FitConfig config;
  private final DataSet<Image> training;
  private final DataSet<Image> validation;
  private TrainingListener listener = TrainingListener.NONE;
  private double limit;
  private long started = System.nanoTime();

  private Fitter(FitConfig config, DataSet<Image> training, DataSet<Image> validation) {
    this.config = config;
    this.training = training;
    this.validation = validation;
    int[] axes = training.shape().axes();
    if (axes[1] != axes[2] || !training.shape().equals(validation.shape())) {
      throw new IllegalArgumentException(
          "%s: expected square images of one size, found %s and %s"
              .formatted(training.name(), training.shape(), validation.shape()));
    }
    if (training.size() < LEAST) {
      throw UserError.expected(
          training.name(),
          "at least %d images to learn from".formatted(LEAST),
          training.size(),
          "");
    }
  }

  /** Learns from some images and is measured on others. */
  public static Fitter of(FitConfig config, DataSet<Image> training, DataSet<Image> validation) {
    return new Fitter(config, training, validation.first(MOST_HELD));
  }

  /** Learns from some of the images and is measured on the rest: a tenth, at most 2,000. */
  public static Fitter of(FitConfig config, DataSet<Image> data) {
    double share = Math.min(HELD, (double) MOST_HELD / data.size());
    Sampler parts = new Sampler(data, config.seed(), share, false);
    int[] rest = parts.training().clone();
    Arrays.sort(rest);
    return new Fitter(config, data.subset(rest), data.subset(parts.validation()));
  }

  /** Tells somebody what happens. */
  public Fitter listener(TrainingListener told) {
    listener = told;
    return this;
  }

  /**
   * Takes no longer than this, counted over all parts of a fit that was stopped: fewer examples if
   * need be.
   */
  public Fitter seconds(double most) {
    limit = most;
    return this;
  }

  /** Counts the time from a moment on that has passed, by {@link System#nanoTime}. */
  public Fitter since(long nanoTime) {
    started = nanoTime;
    return this;
  }

  /** The folder of the checkpoints of a fit. */
  public static Path checkpoints(Path out) {
    String name = out.toAbsolutePath().getFileName().toString().replaceFirst("\\.safetensors$", "");
    return out.resolveSibling(name + ".fit");
  }

  /** What the predictor will be. */
  public UprightSettings settings() {
    FitRecipe r = config.recipe();
    int[] axes = training.shape().axes();
    return new UprightSettings(
        config.group(),
        "disc",
        config.mirrors() ? r.network() + "-o2" : r.network(),
        r.widthFactor(),
        axes[0],
        config.size(),
        r.bins(),
        r.views(),
        r.reading(),
        r.outside(),
        config.restore() ? r.restorer() : "");
  }

  /** Fits, or goes on with the fit that was stopped, and writes the file. */
  public FitResult fit(Path out) throws IOException {
    try (FolderLock lock = FolderLock.take(checkpoints(out))) {
      lock.removeLeftovers();
      return locked(out);
    }
  }

  private FitResult locked(Path out) throws IOException {
    Engine.threads(config.threads());
    UprightSettings settings = settings();
    RunFolder folder = new RunFolder(checkpoints(out));
    Files.createDirectories(folder.path());
    folder.removeLeftovers();
    FitRun run =
        new FitRun(
            training,
            identity(),
            config.seed(),
            folder,
            listener,
            limit,
            () -> (System.nanoTime() - started) / 1e9);
    Validation measured = new Validation(config, validation, settings);
    PredictorTask predictor = new PredictorTask(config, training, settings, measured);
    List<FitTask> tasks = new ArrayList<>(List.of(predictor));
    RestorerTask restorer =
        config.restore() ? new RestorerTask(config, training, validation) : null;
    if (restorer != null) {
      tasks.add(restorer);
    }
    Map<String, Map<String, FloatTensor>> weights = run.run(tasks);
    List<PoseErrors.Answer> answers = measured.all(predictor);
    PoseErrors errors = PoseErrors.of(answers);
    List<Restoration> restorations =
        restorer == null
            ? List.of()
            : Arrays.stream(Interpolation.values()).map(restorer::restoration).toList();
    long examples = run.examples(predictor.name());
    FittedUpright fitted =
        new FittedUpright(
            settings,
            weights.get(predictor.name()),
            restorer == null ? Map.of() : weights.get(restorer.name()),
            provenance(errors, examples));
    UprightFile.write(out, fitted);
    remove(folder.path());
    return new FitResult(
        out,
        training.size(),
        examples,
        predictor.weights().count(),
        run.seconds(),
        errors,
        restorations,
        run.history(),
        answers.stream().mapToDouble(PoseErrors.Answer::errorDegrees).toArray(),
        shown(answers, measured, restorer));
  }

  /** What a checkpoint must be of to be gone on with. */
  private String identity() {
    try {
      return Documents.json().writeValueAsString(config)
          + " "
          + training.digest()
          + " "
          + validation.digest();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where the predictor comes from; nothing that depends on the time or the machine. */
  private Map<String, String> provenance(PoseErrors errors, long examples) throws IOException {
    Map<String, String> p = new LinkedHashMap<>();
    Map<String, String> environment = Provenance.environment();
    p.put("created-by", "orbit " + environment.get("orbit") + ", " + environment.get("engine"));
    p.put("seed", Long.toString(config.seed()));
    p.put("data", training.name());
    p.put("data-digest", training.digest());
    p.put(training.shape().kind(), Integer.toString(training.size()));
    p.put("examples", Long.toString(examples));
    p.put("recipe", Documents.json().writeValueAsString(config.recipe()));
    p.put("validation", Integer.toString(errors.count()));
    p.put("within10", number(errors.within10()));
    p.put("within20", number(errors.within20()));
    p.put("mean-error-degrees", number(errors.meanErrorDegrees()));
    p.put("median-error-degrees", number(errors.medianErrorDegrees()));
    p.put("calibration-error", number(errors.calibrationError()));
    p.put("oriented", Boolean.toString(errors.oriented()));
    return p;
  }

  private static String number(double x) {
    return String.format(Locale.ROOT, "%.4f", x);
  }

  private List<FitResult.Shown> shown(
      List<PoseErrors.Answer> answers, Validation measured, RestorerTask restorer) {
    Stream<PoseErrors.Answer> worst =
        answers.stream()
            .skip(FitResult.FIRST)
            .filter(a -> a.errorDegrees() > 20)
            .sorted(Comparator.comparingDouble(PoseErrors.Answer::confidence).reversed())
            .limit(MISTAKES);
    List<PoseErrors.Answer> first = answers.subList(0, Math.min(FitResult.FIRST, answers.size()));
    return Stream.concat(first.stream(), worst)
        .map(
            a -> {
              Image canonical = measured.posed(a.index()).image();
              Image upright =
                  new ImageOrthogonal(Resampling.of(config.recipe().reading()))
                      .act(a.said(), canonical);
              return new FitResult.Shown(
                  validation.input(a.index()),
                  canonical,
                  restorer == null ? upright : restorer.restored(upright),
                  a.errorDegrees(),
                  a.confidence());
            })
        .toList();
  }

  private static void remove(Path folder) throws IOException {
    List<Path> inside;
    try (Stream<Path> files = Files.list(folder)) {
      inside = files.toList();
    }
    for (Path f : inside) {
      Files.deleteIfExists(f);
    }
    Files.deleteIfExists(folder);
  }
}
