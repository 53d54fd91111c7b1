package org.orbitmap.nn.layer;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
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
final class UprightAlignment implements BatchMapping, BatchFrames {
  private final UprightSettings settings;
  private final int frames;
  private final ImageAlignment below;
  private final BatchRotation rotation;
  private final BatchRotation view;
  private final Weights predictor;
  private final Weights restorer;

  /**
   * A mapping of images of one shape.
   *
   * @param below the mapping that it refines
   * @param frames how many poses are found
   */
  UprightAlignment(
      UprightMapping<?> mapping, RotationMapping below, InputShape.Images shape, int frames) {
    settings = mapping.fitted().settings();
    this.frames = frames;
    this.below = new ImageAlignment(below, shape);
    rotation =
        new BatchRotation(
            shape.height(),
            shape.width(),
            mapping.resampling(),
            UprightPredictor.offsets(settings));
    boolean reduces = UprightView.reduces(shape.height(), shape.width(), settings);
    int height = reduces ? UprightView.side(settings) : shape.height();
    int width = reduces ? UprightView.side(settings) : shape.width();
    view =
        new BatchRotation(
            height, width, below.resampling(), UprightPredictor.offsets(height, width, settings));
    predictor = Weights.fixed(mapping.fitted().predictor());
    restorer = Weights.fixed(mapping.fitted().restorer());
  }

  /** The images in the best of their poses. */
  @Override
  public Tensor map(Tensor x) {
    return of(x).inputs().select(0, 0);
  }

  @Override
  public Framed of(Tensor x) {
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
    double[] x2 = new double[frames * n];
    double[] y2 = new double[frames * n];
    double[] weights = new double[frames * n];
    for (int i = 0; i < n; i++) {
      float[] own = Arrays.copyOfRange(p, i * settings.scores(), (i + 1) * settings.scores());
      List<UprightModes.Mode> modes = UprightModes.of(own, settings, frames);
      Rotation2 canonical = Rotation2.towards(cos[i], sin[i]);
      for (int k = 0; k < frames; k++) {
        Rotation2 g = modes.get(k).rotation().times(canonical);
        x2[k * n + i] = g.cos();
        y2[k * n + i] = g.sin();
        weights[k * n + i] = modes.get(k).weight();
      }
    }
    int all = frames * n;
    Tensor rotated =
        rotation.rotate(x.repeat(frames, 1, 1, 1), Tensors.of(x2, all, 1), Tensors.of(y2, all, 1));
    Tensor upright = UprightPredictor.restored(restoring, rotated, settings);
    return new Framed(
        upright.reshape(frames, n, upright.size(1), upright.size(2), upright.size(3)),
        Tensors.of(weights, frames, n).to(ScalarType.Float));
  }

  /** All: the network learns what the mean of its answers says. */
  @Override
  public Framed inTraining(Tensor x, RandomGenerator random) {
    return of(x);
  }
}
