package org.orbitmap.model;

import org.orbitmap.extension.Named;

/**
 * Orbit mappings that are kept in files: users write {@code name:FILE} where they write the name of
 * another mapping. Found by {@link org.orbitmap.extension.Registry}.
 */
public interface MappingFile extends Named {
  /**
   * The family of mappings in a file.
   *
   * @throws IllegalArgumentException if the file cannot be read, or holds no such mapping
   */
  MappingFamily read(String file);
}
