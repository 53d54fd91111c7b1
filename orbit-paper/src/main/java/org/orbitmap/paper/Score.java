package org.orbitmap.paper;

import java.util.Map;

/**
 * What one row came to with one seed.
 *
 * @param images inputs measured
 * @param clean the share of right answers on the inputs as they are
 * @param average for each sweep, the share of right answers over all poses
 * @param worst for each sweep, the share of inputs that are right in every pose
 * @param checked answers compared for a shortcut of the protocol
 * @param differing how many of them differed
 */
public record Score(
    int images,
    double clean,
    Map<String, Double> average,
    Map<String, Double> worst,
    int checked,
    int differing) {}
