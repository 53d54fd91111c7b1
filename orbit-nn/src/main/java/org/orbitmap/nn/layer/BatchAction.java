package org.orbitmap.nn.layer;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.group.C4;
import org.orbitmap.group.O2;
import org.orbitmap.group.SO2;
import org.orbitmap.group.Sim2;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampler.Affine;
import org.orbitmap.image.SamplingGrid;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.tensor.Tensors;

/**
 * A group that acts on batches of raw inputs as tensors, with random elements: what a training
 * scheme moves its inputs by.
 */
public interface BatchAction {
  /** The group of rotations: SO(2) on images, SO(3) on clouds. */
  String ROTATIONS = "default";

  /** Random elements, one for each of n inputs: one row for each along the first axis. */
  Tensor sample(int n, RandomGenerator random);

  /** Each input moved by its element. */
  Tensor act(Tensor elements, Tensor x);

  /**
   * A group on inputs of a kind.
   *
   * @param group its name: so2, c4, o2, sim2 for images, those of {@link SimilarityGroup#names} for
   *     clouds, or {@link #ROTATIONS}
   * @param how images are read between pixels; black outside
   * @throws IllegalArgumentException if there is no such group
   */
  static BatchAction of(InputShape<?> shape, String group, Interpolation how) {
    boolean rotations = group.equals(ROTATIONS);
    if (shape instanceof InputShape.Images images) {
      return new OfImages(images, OfImages.elements(rotations ? "so2" : group), how);
    }
    if (shape instanceof InputShape.Clouds) {
      return new OfClouds(SimilarityGroup.named(rotations ? "so3" : group, 3));
    }
    throw new IllegalArgumentException("group: expected images or clouds, found " + shape);
  }

  /**
   * Elements are maps z → Az + t from where an output pixel is to where it is read: (n, 3, 2), Aᵀ
   * above t.
   *
   * @param shape of the images
   * @param elements draws one
   * @param how images are read between pixels
   */
  record OfImages(
      InputShape.Images shape, Function<RandomGenerator, Affine> elements, Interpolation how)
      implements BatchAction {
    private static Function<RandomGenerator, Affine> elements(String group) {
      return switch (group) {
        case "so2" -> r -> Affine.of(new SO2().sample(r));
        case "c4" -> r -> Affine.of(C4.turn(r.nextInt(4)).rotation());
        case "o2" -> r -> Affine.of(new O2().sample(r));
        case "sim2" -> r -> Affine.of(new Sim2().sample(r));
        default ->
            throw new IllegalArgumentException(
                "group: expected one of %s for images, found %s"
                    .formatted(List.of("so2", "c4", "o2", "sim2"), group));
      };
    }

    @Override
    public Tensor sample(int n, RandomGenerator random) {
      double[] all = new double[6 * n];
      for (int i = 0; i < n; i++) {
        write(elements.apply(random), all, 6 * i);
      }
      return Tensors.of(all, n, 3, 2);
    }

    /** Writes an element as this action takes it. */
    static void write(Affine g, double[] to, int at) {
      double[] row = {g.xx(), g.yx(), g.xy(), g.yy(), g.x(), g.y()};
      System.arraycopy(row, 0, to, at, 6);
    }

    @Override
    public Tensor act(Tensor elements, Tensor x) {
      int height = shape.height();
      int width = shape.width();
      SamplingGrid grid = SamplingGrid.of(height, width, Fill.ZERO);
      double[] places = new double[3 * height * width];
      for (int p = 0; p < height * width; p++) {
        places[3 * p] = grid.x()[p];
        places[3 * p + 1] = grid.y()[p];
        places[3 * p + 2] = 1;
      }
      Tensor read = torch.matmul(Tensors.of(places, 1, (long) height * width, 3), elements);
      Tensor as = read.to(ScalarType.Float).view(elements.size(0), height, width, 2);
      return GridSampling.sample(x, as, how);
    }
  }

  /**
   * Elements are x → sRx + t: (n, 4, 3), the transpose of sR above t.
   *
   * @param group what they are drawn from
   */
  record OfClouds(SimilarityGroup group) implements BatchAction {
    @Override
    public Tensor sample(int n, RandomGenerator random) {
      double[] all = new double[12 * n];
      for (int i = 0; i < n; i++) {
        Similarity g = group.sample(random);
        for (int j = 0; j < 3; j++) {
          for (int k = 0; k < 3; k++) {
            all[12 * i + 3 * k + j] = g.scale() * g.rotation()[3 * j + k];
          }
          all[12 * i + 9 + j] = g.translation()[j];
        }
      }
      return Tensors.of(all, n, 4, 3);
    }

    @Override
    public Tensor act(Tensor elements, Tensor x) {
      Tensor moved = torch.matmul(x.to(ScalarType.Double), elements.narrow(1, 0, 3));
      return moved.add(elements.narrow(1, 3, 1)).to(ScalarType.Float);
    }
  }
}
