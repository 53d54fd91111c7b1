package org.orbitmap.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of Orbit, as the build wrote it: it goes into every result and every model. */
public final class Version {
  private Version() {}

  /** Such as {@code 0.1.0}. */
  public static String current() {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("build.properties")) {
      build.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version");
  }
}
