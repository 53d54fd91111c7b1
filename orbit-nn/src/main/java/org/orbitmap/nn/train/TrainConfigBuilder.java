package org.orbitmap.nn.train;

import java.util.function.UnaryOperator;
import org.orbitmap.nn.model.MappingConfig;
import org.orbitmap.nn.scheme.Attack;
import org.orbitmap.nn.scheme.Augmentation;
import org.orbitmap.nn.scheme.CloudAugmentation;

/** Changes to a {@link TrainConfig}, for {@link TrainConfig#with}; checked when all are made. */
public final class TrainConfigBuilder {
  private String data;
  private int size;
  private int points;
  private int limit;
  private TrainConfig.Net network;
  private String weights;
  private TrainConfig.Normalise normalise;
  private MappingConfig mapping;
  private String scheme;
  private Attack attack;
  private Augmentation augmentation;
  private CloudAugmentation cloudAugmentation;
  private boolean oversample;
  private TrainConfig.Method optimiser;
  private FineTuning fineTuning;
  private Schedule schedule;
  private int epochs;
  private int batch;
  private double validation;
  private TrainConfig.Keep keep;
  private long seed;
  private int threads;

  TrainConfigBuilder(TrainConfig c) {
    data = c.data();
    size = c.size();
    points = c.points();
    limit = c.limit();
    network = c.network();
    weights = c.weights();
    normalise = c.normalise();
    mapping = c.mapping();
    scheme = c.scheme();
    attack = c.attack();
    augmentation = c.augmentation();
    cloudAugmentation = c.cloudAugmentation();
    oversample = c.oversample();
    optimiser = c.optimiser();
    fineTuning = c.fineTuning();
    schedule = c.schedule();
    epochs = c.epochs();
    batch = c.batch();
    validation = c.validation();
    keep = c.keep();
    seed = c.seed();
    threads = c.threads();
  }

  TrainConfig build() {
    return new TrainConfig(
        data,
        size,
        points,
        limit,
        network,
        weights,
        normalise,
        mapping,
        scheme,
        attack,
        augmentation,
        cloudAugmentation,
        oversample,
        optimiser,
        fineTuning,
        schedule,
        epochs,
        batch,
        validation,
        keep,
        seed,
        threads);
  }

  /** The data set: a name or a folder. */
  public TrainConfigBuilder data(String value) {
    data = value;
    return this;
  }

  /** The side of images from files. */
  public TrainConfigBuilder size(int value) {
    size = value;
    return this;
  }

  /** The points of clouds. */
  public TrainConfigBuilder points(int value) {
    points = value;
    return this;
  }

  /** How many training inputs to use; 0 for all. */
  public TrainConfigBuilder limit(int value) {
    limit = value;
    return this;
  }

  /** The network. */
  public TrainConfigBuilder network(TrainConfig.Net value) {
    network = value;
    return this;
  }

  /** What the network starts with: {@code random}, or a file. */
  public TrainConfigBuilder weights(String value) {
    weights = value;
    return this;
  }

  /** By which statistics images are normalised. */
  public TrainConfigBuilder normalise(TrainConfig.Normalise value) {
    normalise = value;
    return this;
  }

  /** The orbit mapping. */
  public TrainConfigBuilder mapping(MappingConfig value) {
    mapping = value;
    return this;
  }

  /** The training scheme by name. */
  public TrainConfigBuilder scheme(String value) {
    scheme = value;
    return this;
  }

  /** How the adversarial schemes move inputs. */
  public TrainConfigBuilder attack(Attack value) {
    attack = value;
    return this;
  }

  /** The changes of training images. */
  public TrainConfigBuilder augmentation(Augmentation value) {
    augmentation = value;
    return this;
  }

  /** The changes of training clouds. */
  public TrainConfigBuilder cloudAugmentation(CloudAugmentation value) {
    cloudAugmentation = value;
    return this;
  }

  /** Whether rare classes are repeated. */
  public TrainConfigBuilder oversample(boolean value) {
    oversample = value;
    return this;
  }

  /** How gradients become steps. */
  public TrainConfigBuilder optimiser(TrainConfig.Method value) {
    optimiser = value;
    return this;
  }

  /** Parts that learn otherwise. */
  public TrainConfigBuilder fineTuning(FineTuning value) {
    fineTuning = value;
    return this;
  }

  /** The learning rate from epoch to epoch. */
  public TrainConfigBuilder schedule(Schedule value) {
    schedule = value;
    return this;
  }

  /** Passes over the training inputs. */
  public TrainConfigBuilder epochs(int value) {
    epochs = value;
    return this;
  }

  /** Inputs in one step. */
  public TrainConfigBuilder batch(int value) {
    batch = value;
    return this;
  }

  /** The share kept for validation. */
  public TrainConfigBuilder validation(double value) {
    validation = value;
    return this;
  }

  /** Which model is the result. */
  public TrainConfigBuilder keep(TrainConfig.Keep value) {
    keep = value;
    return this;
  }

  /** The seed of everything random. */
  public TrainConfigBuilder seed(long value) {
    seed = value;
    return this;
  }

  /** Threads of the engine; 0 for one on each processor. */
  public TrainConfigBuilder threads(int value) {
    threads = value;
    return this;
  }

  /** The network, changed. */
  public TrainConfigBuilder network(UnaryOperator<TrainConfig.Net> change) {
    return network(change.apply(network));
  }

  /** The changes of training clouds, changed. */
  public TrainConfigBuilder cloudAugmentation(UnaryOperator<CloudAugmentation> change) {
    return cloudAugmentation(change.apply(cloudAugmentation));
  }

  /** The orbit mapping, changed. */
  public TrainConfigBuilder mapping(UnaryOperator<MappingConfig> change) {
    return mapping(change.apply(mapping));
  }
}
