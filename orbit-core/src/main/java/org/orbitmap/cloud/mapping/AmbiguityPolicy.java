package org.orbitmap.cloud.mapping;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.orbit.Canonical;

/** What to do with a cloud whose pose is {@linkplain CloudPose#ambiguous ambiguous}. */
public enum AmbiguityPolicy {
  /** Take the pose that was found and say so. */
  WARN,
  /** Give no answer. */
  ABSTAIN,
  /** Pool the network over all candidate frames ({@link CloudMapping#frames}). */
  FRAMES;

  /**
   * The invariant network with this policy; clear clouds see the network once, in their pose.
   *
   * @param net any network
   * @param pool combines the answers for several frames, in a way that does not depend on their
   *     order; only used by {@link #FRAMES}
   * @param told receives a sentence for each ambiguous cloud; only used by {@link #WARN}
   * @return the answer, empty only if this policy abstains
   */
  public <Y> Function<PointCloud, Optional<Y>> guard(
      CloudMapping mapping,
      Function<? super PointCloud, ? extends Y> net,
      Function<? super List<Y>, ? extends Y> pool,
      Consumer<String> told) {
    return x -> {
      CloudMapping.Aligned aligned = mapping.align(x);
      if (aligned.pose().ambiguous()) {
        switch (this) {
          case WARN -> told.accept(describe(aligned.pose()));
          case ABSTAIN -> {
            return Optional.empty();
          }
          case FRAMES -> {
            List<Y> answers =
                mapping.frames(aligned).stream().map(Canonical::point).<Y>map(net).toList();
            return Optional.of(pool.apply(answers));
          }
        }
      }
      return Optional.of(net.apply(aligned.canonical().point()));
    };
  }

  /** One sentence on why a pose is ambiguous. */
  public static String describe(CloudPose pose) {
    if (Double.isInfinite(pose.gapThreshold())) {
      return String.format(
          Locale.ROOT,
          "the pose is ambiguous: expected coordinates that hold the shape to %.2g of its size,"
              + " found %.2g: the points coincide, or lie too far from 0 for floats. Shift them to 0"
              + " before they are stored as floats, or store them as doubles or text",
          CloudPose.TOLERANCE,
          pose.precision());
    }
    boolean axes = pose.eigenGap() < pose.gapThreshold();
    return String.format(
        Locale.ROOT,
        axes
            ? "the pose is ambiguous: expected eigenGap >= %.2g, found %.2g: two axes are about as long"
            : "the pose is ambiguous: expected signMargin >= %.2g, found %.2g: an axis has no clear"
                + " direction",
        axes ? pose.gapThreshold() : pose.signThreshold(),
        axes ? pose.eigenGap() : pose.signMargin());
  }
}
