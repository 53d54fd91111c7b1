package org.orbitmap.network;

/**
 * An orbit mapping that is also written in operations. A user's own {@link
 * org.orbitmap.orbit.OrbitMapping} that implements this, too, runs in the training engine and is
 * exported with the network; both must give the same canonical inputs.
 */
public interface TensorMapping {
  /** The canonical inputs of a batch of raw ones; without trainable parameters. */
  <T> T map(Operations<T> ops, T x);
}
