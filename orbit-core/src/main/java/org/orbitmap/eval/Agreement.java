package org.orbitmap.eval;

import java.io.Serializable;

/**
 * How far the answers on moved inputs are those on the inputs as they are. It needs no labels: an
 * invariant classifier, right or wrong, has (1, 1, 0).
 *
 * @param labelKept the share of pairs of input and pose whose answer is that of the input as it is
 * @param allKept the share of inputs whose answer is the same in every pose
 * @param probabilityChange ½ Σ |p(pose) − p(as it is)| over the classes, the total variation
 *     distance of the class probabilities, in the mean over all inputs and poses
 */
public record Agreement(double labelKept, double allKept, double probabilityChange)
    implements Serializable {}
