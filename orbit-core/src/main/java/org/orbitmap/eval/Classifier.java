package org.orbitmap.eval;

import java.util.List;

/**
 * Any classifier, as a function from a batch of inputs to a row of scores for each; the largest
 * score is the prediction. Safe to call from several threads unless it says otherwise.
 *
 * @param <X> the inputs
 */
@FunctionalInterface
public interface Classifier<X> {
  /** One row of scores for each input, all rows of the same length. */
  float[][] scores(List<? extends X> batch);
}
