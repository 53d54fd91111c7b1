package org.orbitmap.io.data;

import java.util.Locale;

/** Which part of a data set. */
public enum Split {
  /** For training and validation. */
  TRAIN,
  /** For the final figures. */
  TEST,
  /** Both parts, the training part first. */
  ALL;

  /** Such as {@code train}, as in the names of files and folders. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether an input belongs to this part.
   *
   * @param test whether it is for testing
   */
  public boolean has(boolean test) {
    return this == ALL || (this == TEST) == test;
  }
}
