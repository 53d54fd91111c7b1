package org.orbitmap.network.front;

import java.util.List;
import org.orbitmap.network.Architecture;
import org.orbitmap.network.Front;
import org.orbitmap.network.Network;
import org.orbitmap.network.Operations;

/**
 * A front before a network, as one network; called {@code front+network}. The names of the
 * network's parameters stay as they are.
 *
 * @param front what the network looks through
 * @param network the network
 */
public record FrontedNetwork(Front front, Network network) implements Network {
  public FrontedNetwork {
    if (!front.takes().equals(network.takes())) {
      throw new IllegalArgumentException(
          "%s: expected a network of %s, found %s, which takes %s"
              .formatted(front.name(), front.takes(), network.name(), network.takes()));
    }
  }

  @Override
  public String name() {
    return front.name() + "+" + network.name();
  }

  @Override
  public String takes() {
    return network.takes();
  }

  @Override
  public int leastSide() {
    return Math.max(front.leastSide(), network.leastSide());
  }

  @Override
  public String own(String name) {
    return network.own(name);
  }

  @Override
  public <T> List<T> views(Operations<T> ops, T x, Architecture settings) {
    return front.views(ops, x, settings);
  }

  @Override
  public <T> T features(Operations<T> ops, T x, Architecture settings) {
    return network.features(ops, x, settings);
  }

  @Override
  public <T> T scores(Operations<T> ops, T features, Architecture settings) {
    return network.scores(ops, features, settings);
  }
}
