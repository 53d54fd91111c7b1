package org.orbitmap.app.option;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Standard output, which may be a full disk or a pipe that nobody reads any more. Writers on top of
 * it keep silent about that; this remembers it.
 */
public final class StandardOutput extends FilterOutputStream {
  private String failure;

  /** Writes there. */
  public StandardOutput(OutputStream to) {
    super(to);
  }

  /** What went wrong first, if anything did. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      throw remembered(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw remembered(e);
    }
  }

  private IOException remembered(IOException e) {
    failure = failure == null ? Errors.message(e) : failure;
    return e;
  }
}
