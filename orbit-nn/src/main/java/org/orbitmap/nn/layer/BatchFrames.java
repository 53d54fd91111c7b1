package org.orbitmap.nn.layer;

import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.cloud.mapping.CloudFrames;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.InputShape;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightFrames;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.UprightFrames;
import org.orbitmap.upright.UprightMapping;

/** The poses of inputs that a network is asked about, on batches of raw inputs as tensors. */
public interface BatchFrames {
  /**
   * Inputs in poses.
   *
   * @param inputs all in their first pose, then all in the second, …: (m, n, axes of an input)
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
   * The frames of a mapping of the core: {@link CloudFrames} and {@link CloudUprightFrames}, of
   * which training sees one that is drawn, or {@link UprightFrames}, of which it sees all.
   *
   * @throws IllegalArgumentException if it does not have that many
   */
  static <X> BatchFrames of(OrbitMapping<?, X> mapping, InputShape<X> shape, int count) {
    if (mapping instanceof CloudMapping m) {
      return new AxisFrames(new CloudFrames(m, count), new CloudAlignment(m));
    }
    if (mapping instanceof CloudUprightMapping m) {
      return new CloudUprightAlignment(new CloudUprightFrames(m, count));
    }
    if (mapping instanceof UprightMapping<?> m
        && m.base() instanceof RotationMapping below
        && shape instanceof InputShape.Images images) {
      return new UprightAlignment(m, below, images, count);
    }
    throw new IllegalArgumentException(
        "frames: expected 1 with the mapping %s, found %d".formatted(mapping.name(), count));
  }
}
