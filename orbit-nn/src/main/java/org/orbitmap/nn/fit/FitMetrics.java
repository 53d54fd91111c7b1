package org.orbitmap.nn.fit;

/**
 * A line of the history of a fit, about one epoch.
 *
 * @param network which of its networks
 * @param examples seen so far
 * @param loss the mean since the line before
 * @param rate the learning rate
 * @param score such as the share within 20° of some validation images
 */
public record FitMetrics(String network, long examples, double loss, double rate, double score) {}
