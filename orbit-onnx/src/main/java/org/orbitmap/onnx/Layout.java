package org.orbitmap.onnx;

/** The order of an image tensor's axes. */
public enum Layout {
  /** Batch, channels, rows, columns. */
  NCHW,
  /** Batch, rows, columns, channels. */
  NHWC;

  int channelAxis() {
    return this == NCHW ? 1 : 3;
  }

  int rowAxis() {
    return this == NCHW ? 2 : 1;
  }

  int columnAxis() {
    return this == NCHW ? 3 : 2;
  }
}
