package org.orbitmap.paper;

import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param commonest the share of inputs of the commonest class, which is what a network that always
 *     gives this answer comes to; null where the protocol does not tell classes apart
 * @param byClass the means over the classes of the same shares; null where the protocol does not
 *     tell them apart
 */
public record Score(
    int images,
    double clean,
    Map<String, Double> average,
    Map<String, Double> worst,
    int checked,
    int differing,
    @JsonInclude(JsonInclude.Include.NON_NULL) Double commonest,
    @JsonInclude(JsonInclude.Include.NON_NULL) Score byClass) {
  /** Without classes. */
  public Score(
      int images,
      double clean,
      Map<String, Double> average,
      Map<String, Double> worst,
      int checked,
      int differing) {
    this(images, clean, average, worst, checked, differing, null, null);
  }
}
