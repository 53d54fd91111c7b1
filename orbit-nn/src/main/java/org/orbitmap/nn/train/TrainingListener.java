package org.orbitmap.nn.train;

/** Told what happens in a training run. */
public interface TrainingListener {
  /** Nobody is told. */
  TrainingListener NONE = new TrainingListener() {};

  /** Inputs of this call that are done, and in all; after every step. */
  default void progress(long done, long total) {}

  /** After every epoch. */
  default void epoch(EpochMetrics metrics) {}

  /** What the user may want to know. */
  default void note(String text) {}

  /** What was not as it should be, such as a damaged checkpoint. */
  default void warn(String text) {}
}
