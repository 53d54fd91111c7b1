package org.orbitmap.eval;

import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import java.util.Map;

/**
 * Other machines that do pieces of work: what {@link Workers} are for the threads of this one.
 *
 * <p>The pieces do not depend on each other or on the machine, so a piece that is lost with a
 * machine is done again elsewhere, and the results are those of doing all of them here, one after
 * the other.
 */
public interface Cluster extends AutoCloseable {
  /**
   * What is done to each piece. It is sent once to each process of the cluster, where all threads
   * share it; what it makes there lazily and keeps in transient fields lives as long.
   *
   * @param <P> the pieces
   * @param <R> the results
   */
  @FunctionalInterface
  interface Work<P, R> extends Serializable {
    /** The result of a piece; the same wherever and however often it is asked for. */
    R on(P piece) throws Exception;
  }

  /**
   * Is told each result once, as soon as it is there, in any order but one at a time.
   *
   * @param <R> the results
   */
  @FunctionalInterface
  interface Results<R> {
    /** The result of a piece, by its number. */
    void add(int piece, R result) throws IOException;
  }

  /** Knows how to reach clusters of one kind; found by {@link java.util.ServiceLoader}. */
  interface Provider {
    /** Whether an address, such as {@code spark://host:7077}, is of this kind. */
    boolean accepts(String address);

    /** The address of the cluster that started this process; null if none did. */
    default String around() {
      return null;
    }

    /**
     * Reaches a cluster.
     *
     * @param settings further settings by the names that this kind gives them
     * @throws IOException if it is not there
     */
    Cluster open(String address, Map<String, String> settings) throws IOException;
  }

  /** What it is and how large, for reports. */
  String description();

  /** How many pieces are worked on at once. */
  int width();

  /**
   * Does work on every piece. Pieces are taken as they are needed, some times {@link #width} ahead
   * of the first whose result is not told yet, and nothing is kept of a result once it is told: so
   * memory here does not grow with the number of pieces, nor does that of a caller who puts results
   * back into their order.
   *
   * @param name for people who watch the cluster
   * @throws IOException the failure of a piece, with its message, or of the cluster
   * @throws IllegalArgumentException if that is what a piece failed with
   */
  <P extends Serializable, R extends Serializable> void run(
      String name, Work<P, R> work, Iterator<P> pieces, Results<R> results) throws IOException;

  @Override
  void close();
}
