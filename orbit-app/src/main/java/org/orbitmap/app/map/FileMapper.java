package org.orbitmap.app.map;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Map;
import org.orbitmap.io.InputFile;

/**
 * Brings files of one kind to their canonical pose, for {@code orbit map}. A mapper can be sent to
 * another JVM and does there what it does here.
 */
public interface FileMapper extends Serializable {
  /** What such files are called, with an article. */
  String kind();

  /** Whether the file's name says that it is of this kind. */
  boolean accepts(Path file);

  /**
   * Whether a file that was met in a folder is of this kind; stricter than {@link #accepts} where
   * other things go by the same name.
   */
  default boolean expects(Path file) throws IOException {
    return accepts(file);
  }

  /** The name of the result for a file of this name. */
  String outputName(String fileName);

  /** Everything that a result depends on beside the file, by name. */
  Map<String, String> settings();

  /**
   * Reads a file and computes its canonical form; nothing is written here.
   *
   * @param output where the result will go, below the output folder
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if its content cannot be mapped
   */
  Mapped map(InputFile file, Path output) throws IOException;
}
