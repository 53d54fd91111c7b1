package org.orbitmap.group;

import java.io.Serializable;
import java.util.random.RandomGenerator;

/**
 * A group as a value: the laws live here, the elements are plain records.
 *
 * <p>Laws, checked by the law kit for every built-in group (equality is {@link #distance} within
 * rounding):
 *
 * <ul>
 *   <li>associativity: (gh)k = g(hk);
 *   <li>identity: eg = g = ge;
 *   <li>inverse: g⁻¹g = e = gg⁻¹.
 * </ul>
 *
 * <p>Groups compare by value: two groups that are {@code equals} are the same group. That is how a
 * composition of mappings is checked ({@link org.orbitmap.orbit.OrbitMapping#then}). Groups and
 * their elements can be sent to another JVM.
 *
 * @param <G> the elements
 */
public interface Group<G> extends Serializable {
  /** The name users see, such as {@code SO(2)}. */
  String name();

  /** The neutral element e. */
  G identity();

  /** The product gh: first h, then g. */
  G compose(G g, G h);

  /** The inverse g⁻¹. */
  G inverse(G g);

  /** How far two elements are apart; 0 exactly when they are the same element. */
  double distance(G g, G h);

  /** A random element: uniform (Haar) on compact groups, a wide documented spread on others. */
  G sample(RandomGenerator random);
}
