package org.orbitmap.nn.train;

/**
 * How a run ended.
 *
 * @param folder where everything is
 * @param epochs how many it had
 * @param bestEpoch the epoch of the model that was kept
 * @param accuracy its share of right answers on the validation inputs; NaN without any
 * @param classAccuracy the mean over the classes of their shares of right answers; NaN likewise
 * @param parameters the number of trainable parameters
 * @param seed of everything random
 */
public record TrainingResult(
    String folder,
    int epochs,
    int bestEpoch,
    double accuracy,
    double classAccuracy,
    long parameters,
    long seed) {}
