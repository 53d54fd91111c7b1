package org.orbitmap.nn.layer;

import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightFrames;
import org.orbitmap.upright.CloudUprightMapping;

/** The poses of clouds that a network is asked about, on batches of raw inputs as tensors. */
public interface BatchFrames {
  /**
   * Inputs in poses.
   *
   * @param inputs all in their first pose, then all in the second, …: (m, n, points, 3)
   * @param weights how much each counts, with sum 1 for each input: (m, n)
   */
  record Framed(Tensor inputs, Tensor weights) {
    /** How many poses there are. */
    public long count() {
      return inputs.size(0);
    }
  }

  /** All poses, for prediction. */
  Framed of(Tensor x);

  /** The poses that a step of training sees. */
  Framed inTraining(Tensor x, RandomGenerator random);

  /**
   * The frames of a mapping of the core: {@link CloudFrames}, of which training sees one that is
   * drawn, or {@link CloudUprightFrames}, of which it sees all.
   *
   * @throws IllegalArgumentException if it does not have that many
   */
  static BatchFrames of(OrbitMapping<?, ?> mapping, int count) {
    if (mapping instanceof CloudMapping m) {
      return new AxisFrames(new CloudFrames(m, count), new CloudAlignment(m));
    }
    if (mapping instanceof CloudUprightMapping m) {
      return new CloudUprightAlignment(new CloudUprightFrames(m, count));
    }
    throw new IllegalArgumentException(
        "frames: expected 1 with the mapping %s, found %d".formatted(mapping.name(), count));
  }
}
