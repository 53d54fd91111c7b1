package org.orbitmap.io.data;

/**
 * One file to fetch.
 *
 * @param address where it is
 * @param md5 its published checksum
 * @param bytes its size, for the progress before the server has told
 */
public record Download(String address, String md5, long bytes) {
  /** The name of the file. */
  public String file() {
    return address.substring(address.lastIndexOf('/') + 1);
  }

  /** Whether it is to be unpacked. */
  public boolean isArchive() {
    return file().endsWith(".tar.gz") || file().endsWith(".tgz");
  }
}
