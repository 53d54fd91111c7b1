package org.orbitmap.nn.layer;

import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.SimilarityGroup.Rotations;
import org.orbitmap.nn.tensor.Tensors;

/**
 * A mapping of clouds in space on batches of tensors (paper, section 4.2): centre, rotate the
 * principal axes onto the coordinate axes (about the vertical: those of x and y), scale; each step
 * only if the group has it. The choice of the signs is the core's: along the score of each axis,
 * and if a proper frame is asked for and the result is left-handed, the axis with the weakest score
 * turns around.
 */
final class CloudAlignment implements BatchMapping {
  /** Below this share of the trace an eigenvalue counts as this share. */
  private static final double FLAT = 1e-15;

  private final CloudMapping mapping;

  CloudAlignment(CloudMapping mapping) {
    this.mapping = mapping;
  }

  @Override
  public Tensor map(Tensor clouds) {
    Tensor own = own(clouds);
    Tensor x = clouds.to(ScalarType.Double);
    if (mapping.group().moves()) {
      Tensor about = x.sub(x.narrow(1, 0, 1)); // the first point: digits survive far away
      x = about.sub(mean(about, own));
    }
    Tensor canonical = x;
    int mixed = mapping.group().rotated();
    if (mixed > 0) {
      Tensor turning = x.narrow(2, 0, mixed);
      canonical = torch.matmul(turning, frame(turning, own).transpose(1, 2));
      if (mixed < x.size(2)) {
        canonical =
            torch.cat(new TensorVector(canonical, x.narrow(2, mixed, x.size(2) - mixed)), 2);
      }
    }
    if (mapping.group().scales()) {
      canonical = canonical.div(size(x, own));
    }
    return canonical.to(ScalarType.Float);
  }

  /**
   * Which points count: those before the cloud begins again from its first point on, in the same
   * order to the end; null if all do. (n, points, 1), 1 or 0.
   */
  private static Tensor own(Tensor x) {
    long points = x.size(1);
    Tensor same = x.eq(x.narrow(1, 0, 1)).all(2); // (n, points)
    Tensor later = same.narrow(1, 1, points - 1);
    if (points == 1 || !later.any().item_bool()) {
      return null;
    }
    Tensor back = torch.argmax(later.to(ScalarType.Int), new LongOptional(1), true);
    Tensor first = back.add(new Scalar(1L));
    Tensor place = torch.cumsum(torch.ones_like(same.to(ScalarType.Long)), 1).sub(new Scalar(1L));
    Tensor index = place.remainder(first).unsqueeze(2).expand(Tensors.shape(x));
    Tensor repeats = x.gather(1, index).eq(x).flatten(1, -1).all(1, true);
    repeats = repeats.logical_and(later.any(1, true));
    return place.lt(first).logical_or(repeats.logical_not()).to(ScalarType.Double).unsqueeze(2);
  }

  /** The mean over the points that count: (n, 1, …). */
  private static Tensor mean(Tensor x, Tensor own) {
    return own == null
        ? torch.mean(x, new long[] {1}, true, null)
        : torch
            .sum(x.mul(own), new long[] {1}, true, null)
            .div(torch.sum(own, new long[] {1}, true, null));
  }

  /** What becomes 1, and 1 for a cloud without extent: (n, 1, 1). */
  private Tensor size(Tensor x, Tensor own) {
    Tensor distances = torch.sqrt(torch.sum(x.mul(x), new long[] {2}, true, null));
    Tensor size =
        mapping.size() == ScaleRule.MAX_NORM
            ? torch.amax(distances, new long[] {1}, true)
            : mean(distances, own);
    return torch.where(size.gt(new Scalar(Double.MIN_NORMAL)), size, torch.ones_like(size));
  }

  /** The axes with their directions, as rows: (n, d, d) for the d coordinates that rotate. */
  private Tensor frame(Tensor x, Tensor own) {
    BatchPca pca = BatchPca.of(x, own);
    Tensor scores = scores(x, own, pca);
    Tensor ones = torch.ones_like(scores);
    Tensor signs = torch.where(scores.lt(new Scalar(0.0)), ones.neg(), ones);
    if (mapping.group().rotations() != Rotations.ALL) {
      Tensor handed = pca.handedness().mul(torch.prod(signs, 1));
      Tensor left = handed.lt(new Scalar(0.0)).unsqueeze(1);
      Tensor weakest = torch.argmin(scores.abs(), new LongOptional(1), true);
      Tensor opposite = signs.scatter(1, weakest, signs.gather(1, weakest).neg());
      signs = torch.where(left, opposite, signs);
    }
    return pca.axes().mul(signs.unsqueeze(2));
  }

  /** The evidence for the present direction of each axis: (n, d). */
  private Tensor scores(Tensor x, Tensor own, BatchPca pca) {
    Tensor trace = torch.sum(pca.values(), new long[] {1}, true, null);
    Tensor extended = trace.gt(new Scalar(0.0));
    Tensor r = torch.where(extended, torch.sqrt(trace.abs()), torch.ones_like(trace));
    Tensor along = torch.matmul(x, pca.axes().transpose(1, 2)); // (n, points, d)
    Tensor scores;
    if (mapping.signs() == AxisSignRule.FIRST_POINT) {
      scores = along.narrow(1, 0, 1).squeeze(1).div(r);
    } else {
      Tensor third = mean(along.mul(along).mul(along), own).squeeze(1);
      Tensor second = torch.maximum(pca.values(), trace.mul(new Scalar(FLAT)));
      Tensor unit = second.mul(r).mul(new Scalar(3.0));
      scores = third.div(torch.where(extended, unit, torch.ones_like(unit)));
    }
    return torch.where(extended, scores, torch.zeros_like(scores));
  }
}
