package org.orbitmap.io;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digests that every Java has. */
public final class Digests {
  private Digests() {}

  /** For data and models: the same digest means the same content. */
  public static MessageDigest sha256() {
    return named("SHA-256");
  }

  /** For checksums that others published. */
  public static MessageDigest md5() {
    return named("MD5");
  }

  private static MessageDigest named(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
