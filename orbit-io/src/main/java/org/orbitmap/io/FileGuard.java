package org.orbitmap.io;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Lets one file of many be refused, whatever its content does to a reader: a mistake inside a
 * decoder, a nesting that is too deep for the stack, a size that memory cannot hold.
 */
public final class FileGuard {
  /** Does something with a file. */
  @FunctionalInterface
  public interface Reader<T> {
    /** What the file gives. */
    T read(Path file) throws IOException;
  }

  private FileGuard() {}

  /**
   * What a reader makes of a file.
   *
   * @throws IOException if it cannot be used, for whatever reason
   * @throws UserError as the reader throws it, and so for {@link IllegalArgumentException}
   */
  public static <T> T read(Path file, Reader<T> reader) throws IOException {
    try {
      return reader.read(file);
    } catch (UserError | IllegalArgumentException e) {
      throw e;
    } catch (StackOverflowError e) {
      throw new FormatException(file, "a file of ordinary structure", "one nested too deeply");
    } catch (OutOfMemoryError e) {
      throw new FormatException(
          file, "to fit into memory", "it too large; give the program more memory, or shrink it");
    } catch (RuntimeException e) {
      throw new FormatException(file, "a file that can be used", "an error inside orbit: " + e);
    }
  }
}
