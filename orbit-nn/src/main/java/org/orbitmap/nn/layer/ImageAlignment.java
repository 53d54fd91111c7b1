package org.orbitmap.nn.layer;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.image.mapping.WeightMap;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/**
 * A rotation mapping of the core on batches of tensors (paper, section 4.1): c = ⟨W, mean over
 * channels of u⟩ is one matrix product, and the images are rotated by c/|c|. The weight map and the
 * conventions are the core's.
 */
final class ImageAlignment implements BatchMapping {
  private final InputShape.Images shape;
  private final BatchRotation rotation;
  private final Tensor weights;
  private final double threshold;

  ImageAlignment(RotationMapping mapping, InputShape.Images shape) {
    this.shape = shape;
    rotation = new BatchRotation(shape.height(), shape.width(), mapping.resampling());
    WeightMap map = mapping.rule().weights(shape.height(), shape.width());
    int n = shape.height() * shape.width();
    double[] w = new double[2 * n];
    System.arraycopy(map.re(), 0, w, 0, n);
    System.arraycopy(map.im(), 0, w, n, n);
    threshold = WeightMap.NOTHING * map.norm() / Math.sqrt(n);
    weights = NativeScope.keep(() -> Tensors.of(w, 2, n).transpose(0, 1).contiguous());
  }

  @Override
  public Tensor map(Tensor x) {
    Pose pose = pose(x);
    return rotation.rotate(x, pose.cos, pose.sin);
  }

  /** The poses of a batch: cosines and sines, (n, 1) each, in double precision. */
  record Pose(Tensor cos, Tensor sin) {}

  /** The rotation that brings each image to its canonical pose. */
  Pose pose(Tensor x) {
    long n = x.size(0);
    long plane = (long) shape.height() * shape.width();
    Tensor mean = x.contiguous().view(n, shape.channels(), plane).to(ScalarType.Double);
    mean = torch.mean(mean, 1);
    // A constant image must give c = 0 exactly: measure from the first sample.
    mean = mean.sub(mean.narrow(1, 0, 1));
    Tensor c = torch.mm(mean, weights);
    Tensor a = c.narrow(1, 0, 1);
    Tensor b = c.narrow(1, 1, 1);
    Tensor norm = torch.sqrt(a.mul(a).add(b.mul(b)));
    Tensor size = torch.sum(mean.abs(), new long[] {1}, true, null);
    Tensor seen = norm.gt(size.mul(new Scalar(threshold)));
    Tensor cos = torch.where(seen, a.div(norm), torch.ones_like(a));
    Tensor sin = torch.where(seen, b.div(norm), torch.zeros_like(b));
    return new Pose(cos, sin);
  }
}
