package org.orbitmap.upright;

import java.io.Serializable;
import java.util.Map;
import org.orbitmap.image.Resampling;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.orbit.OrbitMapping;

/** The numbers of an upright mapping, of images or of clouds: what its file holds. */
public sealed interface Fitted extends Serializable permits FittedUpright, FittedCloudUpright {
  /** What it maps: {@code images} or {@code clouds}. */
  String kind();

  /** The group that it is invariant to. */
  String group();

  /** The numbers of its predictor, by name. */
  Map<String, FloatTensor> predictor();

  /** Those of its restorer; empty if it has none. */
  Map<String, FloatTensor> restorer();

  /** Where it comes from, and what it reached; free text by name. */
  Map<String, String> provenance();

  /**
   * The mapping.
   *
   * @param resampling how images are read; of no effect on clouds
   */
  OrbitMapping<?, ?> mapping(Resampling resampling);
}
