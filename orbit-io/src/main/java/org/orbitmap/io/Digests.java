package org.orbitmap.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digests that every Java has. */
public final class Digests {
  private Digests() {}

  /** For data and models: the same digest means the same content. */
  public static MessageDigest sha256() {
    return named("SHA-256");
  }

  /** The SHA-256 of a file, in hexadecimal digits. */
  public static String sha256(Path file) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[(int) Math.max(1 << 12, Math.min(1 << 16, Files.size(file)))];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n; (n = in.read(buffer)) >= 0; ) {
        digest.update(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
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
