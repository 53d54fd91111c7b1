package org.orbitmap.paper;

import java.util.Locale;

/** How large the runs of a table are. */
public enum Scale {
  /** What two cores finish in about an hour. */
  CPU,
  /** The full protocol. */
  PAPER;

  /** The name users write. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
