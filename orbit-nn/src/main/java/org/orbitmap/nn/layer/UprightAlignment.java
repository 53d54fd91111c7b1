package org.orbitmap.nn.layer;

import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.InputShape;
import org.orbitmap.nn.tensor.Tensors;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightModes;
import org.orbitmap.upright.UprightPredictor;
import org.orbitmap.upright.UprightSettings;
import org.orbitmap.upright.UprightView;

/**
 * An upright mapping of the core on batches of tensors: the mapping below and the predictor run in
 * the engine, the best mode of a few probabilities is found by the core, and the images are rotated
 * once, from the inputs. Nothing of it is trained.
 */
final class UprightAlignment implements BatchMapping {
  private final UprightSettings settings;
  private final ImageAlignment below;
  private final BatchRotation rotation;
  private final BatchRotation view;
  private final Weights predictor;
  private final Weights restorer;

  UprightAlignment(UprightMapping<?> mapping, RotationMapping below, InputShape.Images shape) {
    settings = mapping.fitted().settings();
    this.below = new ImageAlignment(below, shape);
    rotation = new BatchRotation(shape.height(), shape.width(), mapping.resampling());
    boolean reduces = UprightView.reduces(shape.height(), shape.width(), settings);
    int side = UprightView.side(settings);
    view =
        new BatchRotation(
            reduces ? side : shape.height(), reduces ? side : shape.width(), below.resampling());
    predictor = Weights.fixed(mapping.fitted().predictor());
    restorer = Weights.fixed(mapping.fitted().restorer());
  }

  @Override
  public Tensor map(Tensor x) {
    ImageAlignment.Pose pose = below.pose(x);
    TorchOperations ops = TorchOperations.inference(predictor);
    Tensor small = UprightView.reduced(ops, x, settings);
    Tensor seen = TorchOperations.arranged(view.rotate(small, pose.cos(), pose.sin()));
    TorchOperations restoring = TorchOperations.inference(restorer);
    Tensor clear = UprightPredictor.cleared(restoring, seen, settings);
    float[] p = Tensors.toArray(UprightPredictor.probabilities(ops, clear, settings));
    float[] cos = Tensors.toArray(pose.cos().to(ScalarType.Float));
    float[] sin = Tensors.toArray(pose.sin().to(ScalarType.Float));
    int n = cos.length;
    double[] x2 = new double[n];
    double[] y2 = new double[n];
    for (int i = 0; i < n; i++) {
      float[] own = Arrays.copyOfRange(p, i * settings.scores(), (i + 1) * settings.scores());
      Rotation2 upright = UprightModes.of(own, settings, 1).get(0).rotation();
      Rotation2 g = upright.times(Rotation2.towards(cos[i], sin[i]));
      x2[i] = g.cos();
      y2[i] = g.sin();
    }
    Tensor rotated = rotation.rotate(x, Tensors.of(x2, n, 1), Tensors.of(y2, n, 1));
    return UprightPredictor.restored(restoring, rotated, settings);
  }
}
