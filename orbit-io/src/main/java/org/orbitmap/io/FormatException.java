package org.orbitmap.io;

import java.io.IOException;
import java.nio.file.Path;

/** A file is not what it should be; the message says which file, what was expected, what came. */
public final class FormatException extends IOException {
  private static final long serialVersionUID = 1L;

  /** "file: expected …, found …". */
  public FormatException(Path file, String expected, Object found) {
    super("%s: expected %s, found %s".formatted(file, expected, found));
  }
}
