package org.orbitmap.nn.fit;

import java.util.List;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.nn.layer.TorchOperations;

/**
 * Inputs in poses as a predictor meets them, made from upright ones, and what its answers mean.
 *
 * @param <X> the inputs
 * @param <G> what makes an input upright
 */
interface Examples<X, G> {
  /**
   * An input in a pose.
   *
   * @param input what the predictor may look at
   * @param upright what must be done to it
   */
  record Posed<X, G>(X input, G upright) {}

  /** What the predictor is given. */
  InputShape<X> shape();

  /** The predictor. */
  Architecture architecture();

  /** In how many ways an example for training comes. */
  int copies();

  /** An example for training, of an upright input: as many copies as that. */
  List<Posed<X, G>> draw(X upright, SplittableRandom random);

  /** An upright input that comes in any pose, in its canonical pose, as the mapping has it. */
  Posed<X, G> mapped(X upright, SplittableRandom random);

  /** What the predictor sees of inputs that it is given. */
  Tensor seen(TorchOperations ops, Tensor inputs);

  /** How many numbers tell the loss what the answer should have been. */
  int targets();

  /** Writes these numbers from a place on. */
  void target(G upright, float[] to, int at);

  /**
   * The mean loss of scores, (n, scores), those of the copies of an example one after another.
   *
   * @param targets (n, targets)
   */
  Tensor loss(Tensor scores, Tensor targets);

  /** The answer of the scores of one input. */
  G said(float[] scores);

  /** How far from upright an input is after an answer, in degrees. */
  double errorDegrees(G truth, G said);

  /** The probability of everything about an answer. */
  double near(float[] scores, G said);
}
