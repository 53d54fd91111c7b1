package org.orbitmap.nn.layer;

import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.image.Offset;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/**
 * Rotates batches of images about their centre, each by its own angle: act(α, u)(z) = u(r(α)z), the
 * action of the core on tensors. The grid of places, the fill and the mask are the core's.
 * Mappings, schemes and networks all rotate with this.
 */
public final class BatchRotation {
  private final Resampling how;
  private final int height;
  private final int width;
  private final int readings;
  private final Tensor gridX;
  private final Tensor gridY;
  private final Tensor mask;

  /** For images of one size. */
  public BatchRotation(int height, int width, Resampling how) {
    this(height, width, how, Offset.PLAIN);
  }

  /** The same, and each pixel is read once for each offset. */
  public BatchRotation(int height, int width, Resampling how, List<Offset> offsets) {
    this.how = how;
    this.height = height;
    this.width = width;
    readings = offsets.size();
    SamplingGrid grid = SamplingGrid.of(height, width, how.fill(), offsets);
    int n = readings * height * width;
    gridX = NativeScope.keep(() -> Tensors.of(grid.x(), 1, n));
    gridY = NativeScope.keep(() -> Tensors.of(grid.y(), 1, n));
    mask = NativeScope.keep(grid.inside(), 1, 1, (long) readings * height, width);
  }

  /**
   * The rotated images, of each channel all readings.
   *
   * @param x (n, channels, height, width)
   * @param cos of the angles, (n, 1), in double precision
   * @param sin of the angles, likewise
   */
  public Tensor rotate(Tensor x, Tensor cos, Tensor sin) {
    long n = x.size(0);
    // align_corners: -1 and 1 are the centres of the first and last pixel.
    Tensor gx = cos.mul(gridX).sub(sin.mul(gridY)).mul(new Scalar(2.0 / Math.max(1, width - 1)));
    Tensor gy = sin.mul(gridX).add(cos.mul(gridY)).mul(new Scalar(2.0 / Math.max(1, height - 1)));
    TensorVector both = new TensorVector(gx, gy);
    Tensor grid =
        torch.stack(both, 2).to(ScalarType.Float).view(n, (long) readings * height, width, 2);
    float fill = how.fill().value();
    Tensor u = fill == 0 ? x : x.sub(new Scalar(fill));
    Tensor rotated = torch.grid_sampler(u, grid, GridSampling.mode(how.interpolation()), 0, true);
    if (how.mask()) {
      rotated = rotated.mul(mask);
    }
    Tensor filled = fill == 0 ? rotated : rotated.add(new Scalar(fill));
    return readings == 1 ? filled : filled.reshape(n, x.size(1) * readings, height, width);
  }
}
