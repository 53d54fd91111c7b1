package org.orbitmap.app.model;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.orbitmap.eval.Accuracy;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.model.ModelInput;
import org.orbitmap.orbit.OrbitMapping;

/** A model that was read and can be run. Close it when it is not needed any more. */
public interface LoadedModel extends AutoCloseable {
  /** Where it was read. */
  Path source();

  /** What to call it: the name of its file or folder. */
  default String name() {
    Path last = source().toAbsolutePath().normalize().getFileName();
    return last == null ? "model" : last.toString();
  }

  /** What it takes; empty for a TorchScript file, which does not tell: the data decides. */
  Optional<ModelInput<?>> input();

  /** The names of its classes; empty if it does not tell. */
  List<String> classes();

  /** Whether several threads may use it at once. */
  boolean concurrent();

  /** What is said of it where its results are shown, by name. */
  Map<String, String> facts() throws IOException;

  /** The mean colour of the images that it was trained on; empty if it does not tell. */
  default float[] meanColour() {
    return new float[0];
  }

  /**
   * The mapping whose margins tell how safe poses are: the model's own, or else the default one.
   *
   * @param group that inputs are moved by
   */
  default <X> OrbitMapping<?, X> mapping(InputShape<X> shape, String group) {
    return new MappingSpec("", group, Resampling.BILINEAR).mapping(shape);
  }

  /**
   * A model to set beside another.
   *
   * @param own what the other one is called beside it
   * @param name what it is called itself
   */
  record Counterpart(String own, String name, LoadedModel model) {}

  /** The same network without its mapping, or with one if it has none; empty if unknown. */
  default Optional<Counterpart> counterpart() {
    return Optional.empty();
  }

  /**
   * What the paper has for a network that was trained and is used like this one.
   *
   * @param note what to say beside the figures
   * @param figures by the name of the sweep
   */
  record Published(String note, Map<String, Accuracy> figures) {}

  /** The paper's figures on a data set; empty if it has none. */
  default Optional<Published> published(String data) throws IOException {
    return Optional.empty();
  }

  /**
   * The model as a classifier of inputs of a shape.
   *
   * @throws IllegalArgumentException if it does not take them
   */
  <X> Classifier<X> classifier(InputShape<X> shape);

  /** How many inputs share a call of the model when it is measured. */
  default int batch(Robustness.Settings settings) {
    return Math.max(settings.batch(), input().map(ModelInput::batch).orElse(-1));
  }

  /**
   * Every answer of the model over a sweep of data.
   *
   * @param settings as many threads and inputs at once as the model allows
   */
  default <X> Robustness measure(
      DataSet<X> data, Sweep<X> sweep, Robustness.Settings settings, Progress progress) {
    return Robustness.measure(
        classifier(data.shape()),
        data.items(),
        sweep,
        settings.withThreads(concurrent() ? settings.threads() : 1).withBatch(batch(settings)),
        progress);
  }

  /** A model on its way to another JVM. */
  @FunctionalInterface
  interface Parcel extends Serializable {
    /** The model, which answers as where it came from; needs no file that was there. */
    LoadedModel open() throws IOException;
  }

  /** The model as it can be sent to another JVM. */
  Parcel parcel() throws IOException;

  @Override
  void close();
}
