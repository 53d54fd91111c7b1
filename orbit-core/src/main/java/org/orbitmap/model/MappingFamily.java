package org.orbitmap.model;

import java.util.List;
import org.orbitmap.extension.Named;
import org.orbitmap.image.Resampling;
import org.orbitmap.orbit.OrbitMapping;

/**
 * Orbit mappings that share a rule, by the name that users write: {@code disc} for images, {@code
 * skewness} for clouds. A user's own is found by {@link org.orbitmap.extension.Registry}.
 */
public interface MappingFamily extends Named {
  /** The groups that it maps on inputs of this kind, the default first; empty if on none. */
  List<String> groups(InputShape<?> shape);

  /**
   * The mapping.
   *
   * @param shape the inputs, of a kind that it maps
   * @param group one of {@link #groups}
   * @param resampling how canonical images are computed; of no effect on other kinds
   */
  OrbitMapping<?, ?> mapping(InputShape<?> shape, String group, Resampling resampling);
}
