package org.orbitmap.network.zoo;

import org.orbitmap.network.Architecture;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;

/** One linear layer on the pixels (paper, appendix, network architectures). */
public final class LinearNetwork implements Network {
  @Override
  public String name() {
    return "linear";
  }

  @Override
  public String takes() {
    return "images";
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    return ops.flatten(x);
  }
}
