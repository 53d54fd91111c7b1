package org.orbitmap.nn.train;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One epoch: a line of {@code metrics.jsonl}.
 *
 * @param epoch from 1
 * @param trainLoss the mean over the training inputs
 * @param validationLoss the mean over the validation inputs; null without any
 * @param validationAccuracy the share of right answers on them; null without any
 * @param validationClassAccuracy the mean over the classes of the share of right answers on them;
 *     null without any
 * @param rate the learning rate
 * @param seconds that it took
 * @param waited of these, seconds in which the network waited for inputs
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EpochMetrics(
    int epoch,
    double trainLoss,
    Double validationLoss,
    Double validationAccuracy,
    Double validationClassAccuracy,
    double rate,
    double seconds,
    double waited) {}
