package org.orbitmap.nn.fit;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.nn.model.Documents;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.train.Provenance;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.Sampler;
import org.orbitmap.nn.train.TrainingListener;

/**
 * Learns from upright images or clouds how any of them is made upright, without labels: each is
 * brought into a known pose, which is what the predictor must find.
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

  /** What differs between fits of images and of clouds: networks, figures, the file. */
  interface Kind {
    /** The networks to be trained, in this order; the predictor last, as it may use the others. */
    List<FitTask> tasks();

    /** What the trained networks reach on the validation inputs. */
    Measured measure();

    /**
     * Writes the file.
     *
     * @param weights by network
     */
    void write(
        Path out, Map<String, Map<String, FloatTensor>> weights, Map<String, String> provenance)
        throws IOException;

    /**
     * What trained networks reach.
     *
     * @param errors of the predictor
     * @param errorsDegrees each of them
     * @param restorations what the restorer gains; none without one
     * @param shown examples
     */
    record Measured(
        PoseErrors errors,
        double[] errorsDegrees,
        List<FitResult.Restoration> restorations,
        List<FitResult.Shown> shown) {}
  }

  private final FitConfig config;
  private final DataSet<?> training;
  private final DataSet<?> validation;
  private final Kind kind;
  private TrainingListener listener = TrainingListener.NONE;
  private double limit;
  private long started = System.nanoTime();

  private Fitter(FitConfig config, DataSet<?> training, DataSet<?> validation, Kind kind) {
    this.config = config;
    this.training = training;
    this.validation = validation;
    this.kind = kind;
  }

  /** Learns from some inputs and is measured on others of the same kind, at most 2,000. */
  public static Fitter of(FitConfig config, DataSet<?> training, DataSet<?> validation) {
    if (training.size() < LEAST) {
      throw UserError.expected(
          training.name(),
          "at least %d %s to learn from".formatted(LEAST, training.shape().kind()),
          training.size(),
          "");
    }
    config.requireFor(training.shape());
    DataSet<?> held = validation.first(MOST_HELD);
    Engine.threads(config.threads());
    return new Fitter(config, training, held, kind(config, training, held));
  }

  @SuppressWarnings("unchecked") // the shapes say so
  private static Kind kind(FitConfig config, DataSet<?> training, DataSet<?> validation) {
    return training.shape() instanceof InputShape.Images
        ? new ImageFit(config, (DataSet<Image>) training, (DataSet<Image>) validation)
        : new CloudFit(config, (DataSet<PointCloud>) training, (DataSet<PointCloud>) validation);
  }

  /** Learns from some of the inputs and is measured on the rest: a tenth, at most 2,000. */
  public static Fitter of(FitConfig config, DataSet<?> data) {
    double share = Math.min(HELD, (double) MOST_HELD / data.size());
    Sampler parts = new Sampler(data, config.seed(), share, false);
    int[] rest = parts.training().clone();
    Arrays.sort(rest);
    return of(config, data.subset(rest), data.subset(parts.validation()));
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

  /** Fits, or goes on with the fit that was stopped, and writes the file. */
  public FitResult fit(Path out) throws IOException {
    try (FolderLock lock = FolderLock.take(checkpoints(out))) {
      lock.removeLeftovers();
      return locked(out);
    }
  }

  private FitResult locked(Path out) throws IOException {
    Engine.threads(config.threads());
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
    List<FitTask> tasks = kind.tasks();
    FitTask predictor = tasks.get(tasks.size() - 1);
    Map<String, Map<String, FloatTensor>> weights = run.run(tasks);
    Kind.Measured measured = kind.measure();
    long examples = run.examples(predictor.name());
    kind.write(out, weights, provenance(measured.errors(), examples));
    remove(folder.path());
    return new FitResult(
        out,
        training.size(),
        examples,
        predictor.weights().count(),
        run.seconds(),
        measured.errors(),
        measured.restorations(),
        run.history(),
        measured.errorsDegrees(),
        measured.shown());
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
