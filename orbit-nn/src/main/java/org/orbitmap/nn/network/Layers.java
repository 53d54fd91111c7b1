package org.orbitmap.nn.network;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.nn.tensor.Weights;

/** The layers that networks are made of; their numbers are in {@link Weights} under a name. */
final class Layers {
  private static final long[] NO_DILATION = {1, 1};

  private Layers() {}

  static void makeLinear(Weights w, String name, long in, long out) {
    double bound = 1 / Math.sqrt((double) in);
    w.uniform(name + ".weight", bound, out, in);
    w.uniform(name + ".bias", bound, out);
  }

  static Tensor linear(Weights w, String name, Tensor x) {
    return torch.linear(x, w.get(name + ".weight"), new TensorOptional(w.get(name + ".bias")));
  }

  /**
   * A convolution that starts by He's rule, uniform in ±√(6/fan-in): the signal keeps its size from
   * layer to layer, also without batch normalisation.
   */
  static void makeConv(Weights w, String name, long in, long out, long side, boolean bias) {
    w.uniform(name + ".weight", Math.sqrt(6.0 / (in * side * side)), out, in, side, side);
    if (bias) {
      w.constant(name + ".bias", 0, out);
    }
  }

  static Tensor conv(Weights w, String name, Tensor x, long stride, long padding) {
    Tensor bias = w.get(name + ".bias");
    return torch.conv2d(
        x,
        w.get(name + ".weight"),
        bias == null ? new TensorOptional() : new TensorOptional(bias),
        new long[] {stride, stride},
        new long[] {padding, padding},
        NO_DILATION,
        1);
  }

  static void makeNorm(Weights w, String name, long channels) {
    w.constant(name + ".weight", 1, channels);
    w.constant(name + ".bias", 0, channels);
    w.buffer(name + ".running_mean", 0, channels);
    w.buffer(name + ".running_var", 1, channels);
  }

  static Tensor norm(Weights w, String name, Tensor x, boolean training) {
    return torch.batch_norm(
        x,
        new TensorOptional(w.get(name + ".weight")),
        new TensorOptional(w.get(name + ".bias")),
        new TensorOptional(w.get(name + ".running_mean")),
        new TensorOptional(w.get(name + ".running_var")),
        training,
        0.1,
        1e-5,
        false);
  }

  static Tensor maxPool(Tensor x, long side, long stride, long padding) {
    return torch.max_pool2d(
        x,
        new long[] {side, side},
        new long[] {stride, stride},
        new long[] {padding, padding},
        NO_DILATION,
        false);
  }
}
