package org.orbitmap.image.mapping;

import java.io.Serializable;

/** How the weights of a {@link PoseRule} come about: what is to be known of it for every size. */
interface WeightRule extends Serializable {
  /** Which turns of the pixel grid the weights are made exactly antisymmetric under. */
  enum Symmetry {
    NONE,
    HALF,
    QUARTER
  }

  /** The name users choose it by. */
  String label();

  /** What is made exact after {@link #build}. */
  Symmetry symmetry();

  /** Fills in the weights of one size. */
  void build(Weights weights);
}
