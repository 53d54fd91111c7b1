package org.orbitmap.nn.fit;

import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.network.Architecture;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.nn.layer.Weights;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/** The predictor: it learns what makes a canonical input upright. */
final class PredictorTask<X, G> implements FitTask {
  private final FitRecipe recipe;
  private final DataSet<X> data;
  private final Architecture architecture;
  private final Examples<X, G> examples;
  private final Weights weights;
  private final Validation<X, G> validation;
  private final int length;
  private final float[] buffer;
  private final float[] targets;

  PredictorTask(
      FitConfig config, DataSet<X> data, Examples<X, G> examples, Validation<X, G> validation) {
    recipe = config.recipe();
    this.data = data;
    this.examples = examples;
    this.validation = validation;
    architecture = examples.architecture();
    weights = new Weights(architecture.declare().parameters(), config.seed());
    length = examples.shape().length();
    int rows = course().batch() * examples.copies();
    buffer = new float[Math.multiplyExact(rows, length)];
    targets = new float[Math.multiplyExact(rows, examples.targets())];
  }

  @Override
  public String name() {
    return "predictor";
  }

  @Override
  public Weights weights() {
    return weights;
  }

  @Override
  public FitRecipe.Course course() {
    return recipe.predicting();
  }

  @Override
  public void fill(int place, int index, SplittableRandom random) {
    int row = place * examples.copies();
    for (Examples.Posed<X, G> posed : examples.draw(data.input(index), random)) {
      examples.shape().copy(posed.input(), buffer, row * length);
      examples.target(posed.upright(), targets, row * examples.targets());
      row++;
    }
  }

  @Override
  public Tensor loss(SplittableRandom random) {
    int n = course().batch() * examples.copies();
    TorchOperations ops = TorchOperations.training(weights, random);
    Tensor scores = scores(ops, Tensors.of(buffer, examples.shape().batch(n)));
    return examples.loss(scores, Tensors.of(targets, n, examples.targets()));
  }

  private Tensor scores(TorchOperations ops, Tensor inputs) {
    Tensor seen = examples.seen(ops, inputs);
    return architecture.scores(ops, TorchOperations.arranged(seen));
  }

  /** The scores of canonical inputs, one row after another. */
  float[] scores(float[] inputs, int n) {
    return NativeScope.inference(
        () -> {
          Tensor x = Tensors.of(inputs, examples.shape().batch(n));
          return Tensors.toArray(scores(TorchOperations.inference(weights), x));
        });
  }

  @Override
  public Score score() {
    double within = validation.quick(this).within20();
    return new Score(within, "%.1f %% within 20°".formatted(100 * within));
  }
}
