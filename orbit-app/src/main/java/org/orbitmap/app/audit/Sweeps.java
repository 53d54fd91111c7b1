package org.orbitmap.app.audit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.orbitmap.cloud.CloudSweeps;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;

/** How inputs of each kind are moved. */
final class Sweeps {
  /** Random elements of the group that clouds are moved by. */
  private static final int RANDOM_POSES = 64;

  private static final int MOST_POSES = 36_000;

  private Sweeps() {}

  /** The groups that images are moved by, the default first. */
  static final List<String> OF_IMAGES = List.of("so2", "o2");

  /**
   * Images at some angles, a sweep for each way to rotate them.
   *
   * @param group one of {@link #OF_IMAGES}
   */
  static Map<String, Sweep<Image>> images(
      String group, List<Resampling> resamplings, double[] degrees) {
    Map<String, Sweep<Image>> sweeps = new LinkedHashMap<>();
    for (Resampling how : resamplings) {
      sweeps.put(
          how.interpolation().id(),
          group.equals("o2") ? AngleSweep.mirrored(how, degrees) : AngleSweep.at(how, degrees));
    }
    return sweeps;
  }

  /**
   * What a group can do to clouds: a sweep for each of its parts, and random elements.
   *
   * @param orders if above 0, so many orders of the points as well
   */
  static Map<String, Sweep<PointCloud>> clouds(
      SimilarityGroup group, int angles, int orders, long seed) {
    if (angles * (long) angles > MOST_POSES) {
      throw new IllegalArgumentException(
          "step: expected at most %,d rotations of clouds, found %d x %d; take a larger step"
              .formatted(MOST_POSES, angles, angles));
    }
    Map<String, Sweep<PointCloud>> sweeps = new LinkedHashMap<>();
    for (Sweep<PointCloud> s : CloudSweeps.of(group, angles, RANDOM_POSES, new Random(seed))) {
      sweeps.put(s.name(), s);
    }
    if (orders > 0) {
      sweeps.put("order", CloudSweeps.orders(orders, seed));
    }
    return sweeps;
  }
}
