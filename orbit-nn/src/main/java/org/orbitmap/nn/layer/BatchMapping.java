package org.orbitmap.nn.layer;

import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.TensorMapping;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightFrames;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.UprightMapping;

/** An orbit mapping on batches of raw inputs as tensors. */
@FunctionalInterface
public interface BatchMapping {
  /** The canonical inputs of a batch. */
  Tensor map(Tensor x);

  /**
   * A mapping of the core on tensors: rotations of images and similarities of clouds run in the
   * engine, a mapping that is written in operations does too, and any other runs in Java, input by
   * input. All give the same canonical inputs up to rounding. Upright images are restored if the
   * mapping has a restorer.
   */
  static <X> BatchMapping of(OrbitMapping<?, X> mapping, InputShape<X> shape) {
    if (mapping instanceof RotationMapping m && shape instanceof InputShape.Images images) {
      return new ImageAlignment(m, images);
    }
    if (mapping instanceof UprightMapping<?> m
        && m.base() instanceof RotationMapping below
        && shape instanceof InputShape.Images images) {
      return new UprightAlignment(m, below, images, 1);
    }
    if (mapping instanceof CloudMapping m && m.group().dimension() == 3) {
      return new CloudAlignment(m);
    }
    if (mapping instanceof CloudUprightMapping m) {
      return new CloudUprightAlignment(new CloudUprightFrames(m, 1));
    }
    if (mapping instanceof TensorMapping m) {
      return x -> m.map(TorchOperations.withoutWeights(), x);
    }
    return inJava(mapping, shape);
  }

  /** Any mapping, input by input, on all cores. */
  static <X> BatchMapping inJava(OrbitMapping<?, X> mapping, InputShape<X> shape) {
    UnaryOperator<X> canonical =
        x -> {
          if (mapping instanceof UprightMapping<?> m && x instanceof Image image) {
            @SuppressWarnings("unchecked") // the inputs are images
            X restored = (X) m.shown(image);
            return restored;
          }
          return mapping.map(x).point();
        };
    return x -> {
      float[] numbers = Tensors.toArray(x);
      int length = shape.length();
      int n = numbers.length / length;
      IntStream.range(0, n)
          .parallel()
          .forEach(
              i ->
                  shape.copy(
                      canonical.apply(shape.input(numbers, i * length)), numbers, i * length));
      return Tensors.of(numbers, shape.batch(n));
    };
  }
}
