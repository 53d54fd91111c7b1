package org.orbitmap.model;

/** The order of an image tensor's axes. */
public enum Layout {
  /** Batch, channels, rows, columns. */
  NCHW,
  /** Batch, rows, columns, channels. */
  NHWC;

  /** The axis of the channels. */
  public int channelAxis() {
    return this == NCHW ? 1 : 3;
  }

  /** The axis of the rows. */
  public int rowAxis() {
    return this == NCHW ? 2 : 1;
  }

  /** The axis of the columns. */
  public int columnAxis() {
    return this == NCHW ? 3 : 2;
  }
}
