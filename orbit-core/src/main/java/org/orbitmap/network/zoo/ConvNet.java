package org.orbitmap.network.zoo;

import org.orbitmap.network.Architecture;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;

/**
 * Five 3 x 3 convolutions with ReLU, two max-pools, a linear layer; no batch normalisation (paper,
 * appendix, network architectures). 289,290 parameters on CIFAR-10.
 */
public final class ConvNet implements Network {
  private static final int[] CHANNELS = {32, 64, 64, 128, 128};

  @Override
  public String name() {
    return "convnet";
  }

  @Override
  public String takes() {
    return "images";
  }

  @Override
  public int leastSide() {
    return 9;
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    T y = x;
    for (int i = 0; i < CHANNELS.length; i++) {
      Convolution how = Convolution.of(settings.channels(CHANNELS[i]), 3).padding(1);
      y = ops.relu(ops.convolution(y, "conv" + (i + 1), how));
      if (i >= 3) {
        y = ops.maxPool(y, 3, 3, 0);
      }
    }
    return ops.flatten(y);
  }
}
