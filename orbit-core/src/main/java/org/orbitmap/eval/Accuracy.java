package org.orbitmap.eval;

import java.io.Serializable;

/**
 * Shares of right answers, from 0 to 1.
 *
 * @param clean on the inputs as they are
 * @param average over all inputs and poses
 * @param worst of the inputs that are right in every pose
 */
public record Accuracy(double clean, double average, double worst) implements Serializable {}
