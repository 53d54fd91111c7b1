package org.orbitmap.io.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.orbitmap.extension.Named;

/**
 * A data set that can be read: one class for each, built in or a user's own. A user's own is a
 * public class with a public constructor without parameters, named on a line of {@code
 * META-INF/services/org.orbitmap.io.data.DataSource}.
 *
 * <p>To implement: {@link #name}, {@link #holds} and {@link #read}. The rest has defaults.
 */
public interface DataSource extends Named {
  /** Whether a folder (or a file) holds this data set, by the names of the files in it. */
  boolean holds(Path folder) throws IOException;

  /**
   * Reads one part.
   *
   * @param folder one that holds this data set; null if it {@linkplain #isGenerated() is generated}
   * @param choice what does not apply to this data set is ignored; more inputs than the limit may
   *     be given, the first of them count
   */
  DataSet<?> read(Path folder, Split split, Choice choice) throws IOException;

  /** The name of its folder in a folder of data sets. */
  default String home() {
    return name();
  }

  /** Whether it is made, not read: then it is everywhere, and in no folder. */
  default boolean isGenerated() {
    return false;
  }

  /**
   * Whether it is only a way to lay out files, such as a folder for each class. Layouts are not
   * found by name, and a folder is asked for them last.
   */
  default boolean isLayout() {
    return false;
  }

  /**
   * What a model that was trained elsewhere is measured on: the test part, or everything if the
   * data itself names no test part.
   */
  default Split auditSplit(Path folder) throws IOException {
    return Split.TEST;
  }

  /** The parts that the data itself has: training and test, or everything. */
  default List<Split> parts(Path folder) throws IOException {
    return auditSplit(folder) == Split.ALL ? List.of(Split.ALL) : List.of(Split.TRAIN, Split.TEST);
  }

  /**
   * What a part holds as it is, each input read to the end. A data set whose inputs may differ in
   * size tells their sizes here.
   */
  default Inventory inventory(Path folder, Split part) throws IOException {
    return Inventory.of(read(folder, part, Choice.ALL));
  }

  /** The files it consists of, at their official addresses; none if they cannot be fetched. */
  default List<Download> downloads() {
    return List.of();
  }

  /** A sentence on how to get what cannot be fetched, or an empty string. */
  default String howToGet() {
    return "";
  }
}
