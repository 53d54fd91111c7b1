package org.orbitmap.nn.layer;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The principal axes of a batch of centred clouds: eigenvectors of the second moments, largest
 * eigenvalue first. Everything is in double precision.
 *
 * @param values the eigenvalues, (n, d), descending
 * @param axes the axes as rows, (n, d, d); a frame of either hand
 */
public record BatchPca(Tensor values, Tensor axes) {
  /**
   * Of clouds about the origin, (n, points, d).
   *
   * @param counted 1 for each point that counts, else 0, (n, points, 1); null if all do
   */
  public static BatchPca of(Tensor x, Tensor counted) {
    Tensor moments =
        counted == null
            ? torch.matmul(x.transpose(1, 2), x).div(new Scalar((double) x.size(1)))
            : torch
                .matmul(x.mul(counted).transpose(1, 2), x)
                .div(torch.sum(counted, new long[] {1}, true, null));
    T_TensorTensor_T found = torch.linalg_eigh(moments);
    return new BatchPca(
        torch.flip(found.get0(), 1), torch.flip(found.get1().transpose(1, 2), 1).contiguous());
  }

  /** +1 for a right-handed frame, -1 for a left-handed one, (n). */
  public Tensor handedness() {
    return torch.sign(torch.linalg_det(axes));
  }
}
