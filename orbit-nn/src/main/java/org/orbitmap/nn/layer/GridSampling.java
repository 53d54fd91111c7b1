package org.orbitmap.nn.layer;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.image.Interpolation;

/** Reads batches of images between their pixels, with gradients for images and places. */
final class GridSampling {
  private GridSampling() {}

  /**
   * The images at places; 0 outside.
   *
   * @param x (n, channels, height, width)
   * @param places (n or 1, rows, columns, 2): pixels to the right of the centre and below it
   */
  static Tensor sample(Tensor x, Tensor places, Interpolation how) {
    // align_corners: -1 and 1 are the centres of the first and last pixel.
    double perX = 2.0 / Math.max(1, x.size(3) - 1);
    double perY = 2.0 / Math.max(1, x.size(2) - 1);
    Tensor gx = places.select(3, 0).mul(new Scalar(perX));
    Tensor gy = places.select(3, 1).mul(new Scalar(perY));
    Tensor grid = torch.stack(new TensorVector(gx, gy), 3);
    if (grid.size(0) != x.size(0)) {
      grid = grid.expand(x.size(0), grid.size(1), grid.size(2), 2);
    }
    return torch.grid_sampler(x, grid, mode(how), 0, true);
  }

  /** The engine's number of an interpolation. */
  static long mode(Interpolation how) {
    return switch (how) {
      case BILINEAR -> 0;
      case NEAREST -> 1;
      case BICUBIC -> 2;
    };
  }
}
