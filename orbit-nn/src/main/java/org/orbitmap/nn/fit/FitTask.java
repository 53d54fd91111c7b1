package org.orbitmap.nn.fit;

import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.nn.layer.Weights;

/** A network that is trained on examples made from the inputs: what the loop needs to know. */
interface FitTask {
  /** What it is, in notes and checkpoints. */
  String name();

  /** What is trained. */
  Weights weights();

  /** How long and how fast. */
  FitRecipe.Course course();

  /**
   * Puts an example at a place of the batch; called by several threads at once.
   *
   * @param index of the input
   * @param random that of the example
   */
  void fill(int place, int index, SplittableRandom random);

  /** The loss of the batch, with gradients. */
  Tensor loss(SplittableRandom random);

  /** How good the network is by now: a figure for the user. */
  Score score();

  /**
   * A figure.
   *
   * @param value such as 0.75
   * @param text such as {@code 75.0 % within 20°}
   */
  record Score(double value, String text) {}
}
