package org.orbitmap.app.serve.model;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Scores;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.wrap.Wrap;

/**
 * A model of point clouds. The mapped one is behind the mapping that it was trained with, or else
 * invariant under all similarities of space.
 */
public final class ServedClouds implements Served {
  private final String name;
  private final ModelInput<?> input;
  private final List<String> classes;
  private final OnnxModel bare;
  private final OnnxModel mapped;

  /**
   * Opens a model and wraps it.
   *
   * @throws IOException if it cannot be run
   */
  public ServedClouds(String name, OnnxFile file, ModelInput.Hints hints, List<String> classes)
      throws IOException {
    this(name, file, Wrap.of(file).hints(hints).build(), hints, classes);
  }

  /**
   * Opens a model that comes bare and mapped.
   *
   * @param classes the names of the classes; empty if unknown
   * @throws IOException if it cannot be run
   */
  public ServedClouds(
      String name, OnnxFile file, OnnxFile wrapped, ModelInput.Hints hints, List<String> classes)
      throws IOException {
    this.name = name;
    this.input = file.input(hints);
    this.classes = List.copyOf(classes);
    bare = OnnxModel.open(file);
    try {
      mapped = OnnxModel.open(wrapped);
    } catch (IOException | RuntimeException e) {
      bare.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ModelInput<?> input() {
    return input;
  }

  /** How many points it takes; 0 for any number. */
  public int points() {
    return input instanceof ModelInput.Clouds clouds ? clouds.pointsOr(0) : 0;
  }

  /**
   * The class probabilities of a cloud.
   *
   * @param behind whether the mapped model is asked
   */
  public double[] probabilities(PointCloud cloud, boolean behind) {
    ModelInput.Clouds clouds = (ModelInput.Clouds) input;
    OnnxModel model = behind ? mapped : bare;
    float[] row =
        model.classifier(clouds, Preprocessing.NONE, model.scoreOutput()).scores(List.of(cloud))[0];
    return Scores.probabilities(row);
  }

  /** The names of so many classes. */
  public List<String> classes(int count) {
    return classes.size() == count
        ? classes
        : IntStream.range(0, count).mapToObj(i -> "class " + i).toList();
  }

  @Override
  public OnnxModel bareModel() {
    return bare;
  }

  @Override
  public OnnxModel mappedModel() {
    return mapped;
  }

  @Override
  public void close() {
    bare.close();
    mapped.close();
  }
}
