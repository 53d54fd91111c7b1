package org.orbitmap.nn.network;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.image.mapping.WeightMap;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.nn.tensor.Weights;

/**
 * An image mapping of the core on batches of tensors (paper, section 4.1): c = ⟨W, mean over
 * channels of u⟩ is one matrix product, and the canonical images are read at a fixed grid that is
 * rotated by c/|c|. The weight map, the grid and the conventions are the core's.
 */
public final class MappingLayer {
  private final RotationMapping mapping;
  private final int channels;
  private final int height;
  private final int width;
  private final Tensor weights;
  private final Tensor gridX;
  private final Tensor gridY;
  private final Tensor mask;
  private final double threshold;

  public MappingLayer(RotationMapping mapping, int channels, int height, int width) {
    this.mapping = mapping;
    this.channels = channels;
    this.height = height;
    this.width = width;
    WeightMap map = mapping.rule().weights(height, width);
    int n = height * width;
    double[] w = new double[2 * n];
    System.arraycopy(map.re(), 0, w, 0, n);
    System.arraycopy(map.im(), 0, w, n, n);
    threshold = WeightMap.NOTHING * map.norm(channels);
    Fill fill = mapping.resampling().fill();
    double radius = Resampling.inscribedRadius(height, width);
    double[] x = new double[n];
    double[] y = new double[n];
    float[] inside = new float[n];
    for (int i = 0; i < height; i++) {
      for (int j = 0; j < width; j++) {
        double dx = j - (width - 1) / 2.0;
        double dy = i - (height - 1) / 2.0;
        double r = Math.hypot(dx, dy);
        double f = r > radius ? fill.reads(r, radius) / r : 1;
        x[i * width + j] = dx * f;
        y[i * width + j] = dy * f;
        inside[i * width + j] = r <= radius + 1e-9 ? 1 : 0;
      }
    }
    weights =
        NativeScope.scoped(() -> Weights.kept(Tensors.of(w, 2, n).transpose(0, 1).contiguous()));
    gridX = NativeScope.scoped(() -> Weights.kept(Tensors.of(x, 1, n)));
    gridY = NativeScope.scoped(() -> Weights.kept(Tensors.of(y, 1, n)));
    mask = Weights.keep(inside, 1, 1, height, width);
  }

  /** The canonical images of a batch (n, channels, height, width) with samples in [0, 1]. */
  public Tensor apply(Tensor x) {
    long n = x.size(0);
    Tensor mean = x.contiguous().view(n, channels, (long) height * width).to(ScalarType.Double);
    mean = torch.mean(mean, 1);
    // A constant image must give c = 0 exactly: measure from the first sample.
    mean = mean.sub(mean.narrow(1, 0, 1));
    Tensor c = torch.mm(mean, weights);
    Tensor a = c.narrow(1, 0, 1);
    Tensor b = c.narrow(1, 1, 1);
    Tensor norm = torch.sqrt(a.mul(a).add(b.mul(b)));
    Tensor seen = norm.gt(new Scalar(threshold));
    Tensor cos = torch.where(seen, a.div(norm), torch.ones_like(a));
    Tensor sin = torch.where(seen, b.div(norm), torch.zeros_like(b));
    // align_corners: -1 and 1 are the centres of the first and last pixel.
    Tensor gx = cos.mul(gridX).sub(sin.mul(gridY)).mul(new Scalar(2.0 / Math.max(1, width - 1)));
    Tensor gy = sin.mul(gridX).add(cos.mul(gridY)).mul(new Scalar(2.0 / Math.max(1, height - 1)));
    TensorVector both = new TensorVector(gx, gy);
    Tensor grid = torch.stack(both, 2).to(ScalarType.Float).view(n, height, width, 2);
    float fill = mapping.resampling().fill().value();
    Tensor u = fill == 0 ? x : x.sub(new Scalar(fill));
    Tensor rotated = torch.grid_sampler(u, grid, mode(), 0, true);
    if (mapping.resampling().mask()) {
      rotated = rotated.mul(mask);
    }
    return fill == 0 ? rotated : rotated.add(new Scalar(fill));
  }

  private long mode() {
    return switch (mapping.resampling().interpolation()) {
      case BILINEAR -> 0;
      case NEAREST -> 1;
      case BICUBIC -> 2;
    };
  }
}
