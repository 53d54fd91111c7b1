package org.orbitmap.nn.train;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.zoo.Networks;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.scheme.Attack;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.scheme.CloudAugmentation;
import org.orbitmap.nn.scheme.Schemes;

/**
 * A training run: with the data, everything that determines its result.
 *
 * @param data the data set: a name such as {@code cifar10}, or a folder
 * @param size the side of images: those from files are cropped and scaled to it, those in records
 *     must have it; 0 leaves them as they are
 * @param points of clouds; 0 leaves them as they are
 * @param limit how many training inputs to use; 0 for all
 * @param network which network
 * @param weights what the network starts with: {@code random}, or a file of weights that {@link
 *     org.orbitmap.io.network.ImportedWeights} reads
 * @param normalise by which mean and deviation images are normalised
 * @param mapping orbit mapping in front of it
 * @param scheme std, ra, ra-combined, adv, mixed, adv-kl, adv-alp or a user's own
 * @param attack how the adversarial schemes move inputs
 * @param augmentation crop, flip and colour jitter of images
 * @param cloudAugmentation dropout of points, scale and shift of clouds
 * @param oversample whether rare classes are repeated until all are equally frequent
 * @param optimiser how gradients become steps
 * @param fineTuning parts that learn otherwise
 * @param schedule of the learning rate
 * @param epochs passes over the training inputs
 * @param batch inputs in one step
 * @param validation the share of the training inputs kept for validation
 * @param keep which model is the result
 * @param seed of everything random
 * @param threads of the engine; 0 takes one for each processor
 */
public record TrainConfig(
    String data,
    int size,
    int points,
    int limit,
    Net network,
    String weights,
    Normalise normalise,
    MappingConfig mapping,
    String scheme,
    Attack attack,
    Augmentation augmentation,
    CloudAugmentation cloudAugmentation,
    boolean oversample,
    Method optimiser,
    FineTuning fineTuning,
    Schedule schedule,
    int epochs,
    int batch,
    double validation,
    Keep keep,
    long seed,
    int threads)
    implements Serializable {
  /** On its way to another JVM it is what it is in a file. */
  private record Sent(String yaml) implements Serializable {
    private Object readResolve() throws ObjectStreamException {
      try {
        return parse(Path.of("configuration"), yaml);
      } catch (IOException e) {
        InvalidObjectException invalid = new InvalidObjectException(e.getMessage());
        invalid.initCause(e);
        throw invalid;
      }
    }
  }

  private Object writeReplace() {
    return new Sent(toYaml());
  }

  /** The weights of a network that nobody trained. */
  public static final String RANDOM = "random";

  /** Images of this side and larger ones are not kept in memory. */
  private static final int PHOTOGRAPH = 128;

  /** By which statistics images are normalised. */
  public enum Normalise {
    /** Those published for the data, or else measured on the training images. */
    DATA,
    /** Those of ImageNet, as networks expect that were trained on it. */
    IMAGENET
  }

  /** Which model is the result of a run. */
  public enum Keep {
    /** The one with the best validation accuracy. */
    BEST,
    /** That of the last epoch. */
    LAST
  }

  /**
   * Which network.
   *
   * @param name of the network
   * @param widthFactor factor on the channels of the hidden layers
   * @param tiPooling whether features are pooled over four quarter turns
   * @param options what only some networks have
   */
  public record Net(
      String name, double widthFactor, boolean tiPooling, Map<String, String> options) {
    public Net {
      name = Networks.named(name).name();
      options = new TreeMap<>(options);
    }

    /** A network as published. */
    public static Net of(String name) {
      return new Net(name, 1, false, Map.of());
    }

    /** The same with another width factor. */
    public Net widthFactor(double other) {
      return new Net(name, other, tiPooling, options);
    }

    /** The same with an option that some networks have. */
    public Net option(String key, Object value) {
      Map<String, String> all = new TreeMap<>(options);
      all.put(key, String.valueOf(value));
      return new Net(name, widthFactor, tiPooling, all);
    }

    /** The same with or without TI-pooling. */
    public Net tiPooling(boolean other) {
      return new Net(name, widthFactor, other, options);
    }
  }

  /**
   * How gradients become steps.
   *
   * @param kind which method
   * @param rate the learning rate at the start
   * @param momentum of SGD
   * @param weightDecay the factor of the weights added to the gradient (L2)
   * @param l1 the factor of their signs added to the gradient (L1)
   */
  public record Method(Kind kind, double rate, double momentum, double weightDecay, double l1) {
    /** The methods. */
    public enum Kind {
      /** Stochastic gradient descent with momentum. */
      SGD,
      /** The same with Nesterov's momentum. */
      NESTEROV,
      /** Adam (Kingma and Ba, 2015). */
      ADAM
    }

    public Method {
      // The engine computes in single precision.
      if (!(rate > 0 && rate <= Float.MAX_VALUE)
          || !(momentum >= 0 && momentum < 1)
          || !(weightDecay >= 0 && weightDecay <= Float.MAX_VALUE)
          || !(l1 >= 0 && l1 <= Float.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "optimiser: expected rate > 0, momentum in [0, 1), weight-decay >= 0, l1 >= 0, all in single precision, found %s, %s, %s, %s"
                .formatted(rate, momentum, weightDecay, l1));
      }
    }

    /** SGD with a momentum of 0.9. */
    public static Method sgd(double rate, double weightDecay) {
      return new Method(Kind.SGD, rate, 0.9, weightDecay, 0);
    }

    /** Adam. */
    public static Method adam(double rate, double weightDecay) {
      return new Method(Kind.ADAM, rate, 0.9, weightDecay, 0);
    }

    /** The same with L1 regularisation. */
    public Method l1(double other) {
      return new Method(kind, rate, momentum, weightDecay, other);
    }
  }

  public TrainConfig {
    scheme = Schemes.named(scheme).name();
    if (epochs < 1 || batch < 1 || limit < 0 || size < 0 || points < 0 || threads < 0) {
      throw new IllegalArgumentException(
          "training: expected epochs >= 1, batch >= 1, limit >= 0, size >= 0, points >= 0, threads >= 0, found %d, %d, %d, %d, %d, %d"
              .formatted(epochs, batch, limit, size, points, threads));
    }
    if (!(validation >= 0 && validation < 1)) {
      throw new IllegalArgumentException(
          "validation: expected a share in [0, 1), found " + validation);
    }
    if (fineTuning.accumulate() > batch) {
      throw new IllegalArgumentException(
          "fine-tuning.accumulate: expected at most %d passes, one for each input, found %d"
              .formatted(batch, fineTuning.accumulate()));
    }
    if (keep == Keep.BEST && validation == 0) {
      throw new IllegalArgumentException(
          "keep: expected last, found best without validation inputs");
    }
    if (schedule.kind() == Schedule.Kind.PLATEAU && validation == 0) {
      throw new IllegalArgumentException(
          "schedule.kind: expected another than plateau without validation inputs, found plateau");
    }
  }

  /** The paper's protocol for CIFAR-10 with the ConvNet, standard training, no mapping. */
  public static TrainConfig defaults() {
    return new TrainConfig(
        "cifar10",
        0,
        0,
        0,
        Net.of("convnet"),
        RANDOM,
        Normalise.DATA,
        MappingConfig.NONE,
        "std",
        Attack.PAPER,
        new Augmentation(4, true, false, 0),
        CloudAugmentation.NONE,
        false,
        Method.sgd(0.01, 5e-4),
        FineTuning.NONE,
        new Schedule(Schedule.Kind.PLATEAU, 0.5, 5, 0),
        150,
        128,
        0.2,
        Keep.BEST,
        0,
        0);
  }

  /** A small network that learns the generated signs in seconds. */
  public static TrainConfig glyphs() {
    return defaults()
        .with(
            c ->
                c.data("glyphs")
                    .limit(1600)
                    .network(Net.of("convnet").widthFactor(0.5))
                    .augmentation(new Augmentation(2, false, false, 0))
                    .optimiser(Method.adam(1e-3, 0))
                    .schedule(Schedule.exponential(0.8, 0))
                    .epochs(4)
                    .batch(32));
  }

  /** The same run with some values changed, all at once. */
  public TrainConfig with(UnaryOperator<TrainConfigBuilder> changes) {
    return changes.apply(new TrainConfigBuilder(this)).build();
  }

  /** How its inputs are read: large images, and those of which parts are drawn, when needed. */
  public Choice choice() {
    boolean photographs = size >= PHOTOGRAPH || (size > 0 && augmentation.area() > 0);
    return Choice.ALL
        .withSide(size)
        .withPoints(points)
        .withLimit(limit)
        .readWhenNeeded(photographs);
  }

  /**
   * Refuses data whose images have another size than this run asks for: sets in records have the
   * sizes they have.
   */
  public void requireSize(DataSet<?> set) {
    if (size > 0
        && set.shape() instanceof InputShape.Images u
        && (u.height() != size || u.width() != size)) {
      throw UserError.expected(
          "size",
          "0 or one that %s has, such as %d".formatted(set.name(), u.width()),
          size,
          "Only images in files of their own are scaled");
    }
  }

  /** The same run with another seed. */
  public TrainConfig withSeed(long other) {
    return with(c -> c.seed(other));
  }

  /**
   * The same run with some values changed, all at once, as text from a user.
   *
   * @param changes by path, such as {@code epochs} or {@code mapping.rule}
   * @throws IllegalArgumentException naming the key that is wrong
   */
  public TrainConfig changed(Map<String, String> changes) {
    return ConfigYaml.changed(this, changes);
  }

  /** The configuration as YAML, every value written out. */
  public String toYaml() {
    return ConfigYaml.write(this);
  }

  /** Reads a YAML file; what it leaves out keeps its default. */
  public static TrainConfig read(Path file) throws IOException {
    return ConfigYaml.read(file);
  }

  /** Reads YAML that was in a file. */
  static TrainConfig parse(Path file, String text) throws FormatException {
    return ConfigYaml.parse(file, text);
  }
}
