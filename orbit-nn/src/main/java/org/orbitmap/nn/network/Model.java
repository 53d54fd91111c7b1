package org.orbitmap.nn.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.eval.Classifier;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.FloatTensor;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Safetensors;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.nn.tensor.Weights;

/**
 * A classifier of images: orbit mapping, normalisation, network. Images have samples in [0, 1]; the
 * mapping works on them before they are normalised.
 */
public final class Model implements Classifier<Image> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BATCH = 250;

  private final Network network;
  private final Description description;
  private final Tensor mean;
  private final Tensor std;
  private final MappingLayer layer;

  /**
   * Everything about a model but its weights.
   *
   * @param architecture the network
   * @param classes the names of the outputs
   * @param mean of each channel, subtracted from the images
   * @param std of each channel, by which they are then divided
   * @param mapping orbit mapping in front of all that
   */
  public record Description(
      Architecture architecture,
      List<String> classes,
      float[] mean,
      float[] std,
      MappingConfig mapping) {}

  /** A model with random weights. */
  public Model(Description description, long seed) {
    this(description, new Network(description.architecture(), seed));
  }

  private Model(Description description, Network network) {
    this.network = network;
    this.description = description;
    Architecture a = description.architecture();
    if (description.classes().size() != a.classes()
        || description.mean().length != a.channels()
        || description.std().length != a.channels()) {
      throw new IllegalArgumentException(
          "model: expected %d classes and %d means and deviations, found %d, %d and %d"
              .formatted(
                  a.classes(),
                  a.channels(),
                  description.classes().size(),
                  description.mean().length,
                  description.std().length));
    }
    mean = Weights.keep(description.mean(), 1, a.channels(), 1, 1);
    std = Weights.keep(description.std(), 1, a.channels(), 1, 1);
    MappingConfig m = description.mapping();
    layer =
        m.active(false) && m.place().equals("layer")
            ? new MappingLayer(m.mapping(), a.channels(), a.height(), a.columns())
            : null;
  }

  /** Everything but the weights. */
  public Description description() {
    return description;
  }

  /** The same weights behind another mapping; nothing is copied. */
  public Model with(MappingConfig mapping) {
    return new Model(
        new Description(
            description.architecture,
            description.classes,
            description.mean,
            description.std,
            mapping),
        network);
  }

  public Weights weights() {
    return network.weights();
  }

  /** Copies of all weights and running statistics, by name. */
  public Map<String, FloatTensor> tensors() {
    return network.weights().snapshot();
  }

  /** The number of trainable parameters. */
  public long parameters() {
    return network.weights().count();
  }

  /** The scores of a batch from {@link #input}. */
  public Tensor logits(Tensor images, boolean training) {
    Tensor x = layer != null && description.mapping.active(training) ? layer.apply(images) : images;
    return network.logits(x.sub(mean).div(std), training);
  }

  /**
   * A batch as a tensor. Where the mapping belongs to the data pipeline, it happens here.
   *
   * @param pixels n images, one after another; overwritten by their canonical ones
   */
  public Tensor input(float[] pixels, int n, boolean training) {
    Architecture a = description.architecture;
    int size = a.channels() * a.height() * a.columns();
    MappingConfig m = description.mapping;
    if (m.active(training) && m.place().equals("data")) {
      RotationMapping mapping = m.mapping();
      IntStream.range(0, n)
          .parallel()
          .forEach(
              i -> {
                float[] u = Arrays.copyOfRange(pixels, i * size, (i + 1) * size);
                Image image = new Image(a.channels(), a.height(), a.columns(), u);
                System.arraycopy(mapping.map(image).point().data(), 0, pixels, i * size, size);
              });
    }
    return Tensors.of(pixels, n, a.channels(), a.height(), a.columns());
  }

  /**
   * Class probabilities.
   *
   * @throws UserError if the network gives none, as with weights that are not finite
   */
  @Override
  public float[][] scores(List<? extends Image> batch) {
    Architecture a = description.architecture;
    int size = a.channels() * a.height() * a.columns();
    float[][] rows = new float[batch.size()][];
    for (int start = 0; start < batch.size(); start += BATCH) {
      int n = Math.min(BATCH, batch.size() - start);
      float[] pixels = new float[n * size];
      for (int i = 0; i < n; i++) {
        Image image = batch.get(start + i);
        if (image.channels() != a.channels()
            || image.height() != a.height()
            || image.width() != a.columns()) {
          throw new IllegalArgumentException(
              "model: expected images of %d x %d x %d, found %d x %d x %d"
                  .formatted(
                      a.channels(),
                      a.height(),
                      a.columns(),
                      image.channels(),
                      image.height(),
                      image.width()));
        }
        System.arraycopy(image.data(), 0, pixels, i * size, size);
      }
      float[] p =
          NativeScope.inference(
              () -> Tensors.toArray(torch.softmax(logits(input(pixels, n, false), false), 1)));
      for (int i = 0; i < n; i++) {
        rows[start + i] = Arrays.copyOfRange(p, i * a.classes(), (i + 1) * a.classes());
        if (!Float.isFinite(p[i * a.classes()])) { // with softmax, all of a row or none
          throw UserError.expected(
              "model", "probabilities", p[i * a.classes()], "Train it again, or look at the image");
        }
      }
    }
    return rows;
  }

  /** Writes the model: one safetensors file that needs nothing else. */
  public void save(Path file, Map<String, FloatTensor> weights, Map<String, String> provenance)
      throws IOException {
    Map<String, String> metadata = new TreeMap<>(provenance);
    metadata.put("model", JSON.writeValueAsString(description));
    new Safetensors(metadata, weights).write(file);
  }

  /** Reads a model. */
  public static Model load(Path file) throws IOException {
    Engine.load(); // what is wrong with the engine is not the file's fault
    Safetensors read = Safetensors.read(file);
    String text = read.metadata().get("model");
    if (text == null) {
      throw new FormatException(file, "a model of orbit", "other tensors");
    }
    try {
      Model model = new Model(JSON.readValue(text, Description.class), 0);
      model.weights().restore(read.tensors());
      return model;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new FormatException(file, "a model of orbit", e.getMessage());
    }
  }
}
