package org.orbitmap.extension;

/** Something that users choose by its name: a network, a scheme, a mapping, a data set. */
public interface Named {
  /** The name users choose it by, in lower case. */
  String name();
}
