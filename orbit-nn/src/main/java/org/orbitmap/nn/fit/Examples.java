package org.orbitmap.nn.fit;

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
   * @param side of how many circles of bins the answer is on: a side of the mirror, an axis
   * @param radians the angle of the answer on that circle
   */
  record Posed<X, G>(X input, G upright, int side, double radians) {}

  /** What the predictor is given. */
  InputShape<X> shape();

  /** The predictor. */
  Architecture architecture();

  /** How many bins a circle of angles has. */
  int bins();

  /** An example for training, of an upright input. */
  Posed<X, G> draw(X upright, SplittableRandom random);

  /** An upright input that comes in any pose, in its canonical pose, as the mapping has it. */
  Posed<X, G> mapped(X upright, SplittableRandom random);

  /** What the predictor sees of inputs that it is given. */
  Tensor seen(TorchOperations ops, Tensor inputs);

  /** The answer of the probabilities of all bins. */
  G said(float[] probabilities);

  /** How far from upright an input is after an answer, in degrees. */
  double errorDegrees(G truth, G said);

  /** The probability of everything about an answer. */
  double near(float[] probabilities, G said);

  /**
   * The sum of the probabilities of the bins of a circle within 40° of an angle: twice as far as an
   * answer may be off, because the targets are soft.
   */
  static double near(float[] probabilities, int bins, int side, double radians) {
    double sum = 0;
    for (int k = 0; k < bins; k++) {
      double off = Math.IEEEremainder(radians - 2 * Math.PI * k / bins, 2 * Math.PI);
      sum += Math.abs(off) <= Math.toRadians(40) ? probabilities[side * bins + k] : 0;
    }
    return Math.min(1, sum);
  }
}
