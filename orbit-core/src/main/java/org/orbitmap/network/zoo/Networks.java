package org.orbitmap.network.zoo;

import java.util.List;
import org.orbitmap.extension.Registry;
import org.orbitmap.network.Network;
import org.orbitmap.network.front.FrontedNetwork;
import org.orbitmap.network.front.Fronts;

/** All networks: a new one is a class and its line here, a user's own is found. */
public final class Networks {
  private static final Registry<Network> ALL =
      Registry.of(
          Network.class,
          "network",
          List.of(
              new LinearNetwork(),
              new ConvNet(),
              ResNet.small("resnet18", 2, 2, 2, 2),
              ResNet.basic("resnet18-imagenet", 2, 2, 2, 2),
              ResNet.basic("resnet34", 3, 4, 6, 3),
              ResNet.bottleneck("resnet50", 3, 4, 6, 3),
              ResNet.bottleneck("resnet101", 3, 4, 23, 3),
              NfNet.f0(),
              SteerableNet.published(4),
              SteerableNet.published(16),
              SteerableNet.free(),
              UprightNet.ofRotations(),
              UprightNet.ofMirrorings(),
              new UprightCube(),
              PointNet.plain(),
              PointNet.withTransforms()));

  private Networks() {}

  /** All networks, built in or found. */
  public static List<Network> all() {
    return ALL.all();
  }

  /**
   * The network with this name; {@code front+network} for one behind a {@link
   * org.orbitmap.network.Front}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Network named(String name) {
    int plus = name.indexOf('+');
    return plus < 0
        ? ALL.named(name)
        : new FrontedNetwork(
            Fronts.named(name.substring(0, plus)), named(name.substring(plus + 1)));
  }
}
