package org.orbitmap.nn.layer;

import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SO2;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.tensor.Tensors;

/**
 * A group that acts on batches of raw inputs as tensors, with random elements: what a training
 * scheme moves its inputs by.
 */
public interface BatchAction {
  /** Random elements, one for each of n inputs. */
  Tensor sample(int n, RandomGenerator random);

  /** Each input moved by its element. */
  Tensor act(Tensor elements, Tensor x);

  /**
   * The rotations of inputs of a kind: SO(2) on images, SO(3) on clouds.
   *
   * @param how images are read between pixels
   */
  static BatchAction rotations(InputShape<?> shape, Interpolation how) {
    if (shape instanceof InputShape.Images images) {
      return new OfImages(new BatchRotation(images.height(), images.width(), Resampling.of(how)));
    }
    if (shape instanceof InputShape.Clouds) {
      return new OfClouds();
    }
    throw new IllegalArgumentException("rotations: expected images or clouds, found " + shape);
  }

  /** Elements are cos α and sin α: (n, 2). */
  record OfImages(BatchRotation rotation) implements BatchAction {
    @Override
    public Tensor sample(int n, RandomGenerator random) {
      double[] elements = new double[2 * n];
      for (int i = 0; i < n; i++) {
        Rotation2 g = new SO2().sample(random);
        elements[2 * i] = g.cos();
        elements[2 * i + 1] = g.sin();
      }
      return Tensors.of(elements, n, 2);
    }

    @Override
    public Tensor act(Tensor elements, Tensor x) {
      return rotation.rotate(x, elements.narrow(1, 0, 1), elements.narrow(1, 1, 1));
    }
  }

  /** Elements are rotation matrices: (n, 3, 3). */
  record OfClouds() implements BatchAction {
    @Override
    public Tensor sample(int n, RandomGenerator random) {
      double[] elements = new double[9 * n];
      for (int i = 0; i < n; i++) {
        System.arraycopy(SimilarityGroup.so(3).sample(random).rotation(), 0, elements, 9 * i, 9);
      }
      return Tensors.of(elements, n, 3, 3);
    }

    @Override
    public Tensor act(Tensor elements, Tensor x) {
      return torch.matmul(x.to(ScalarType.Double), elements.transpose(1, 2)).to(ScalarType.Float);
    }
  }
}
