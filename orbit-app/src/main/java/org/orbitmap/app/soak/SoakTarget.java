package org.orbitmap.app.soak;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.orbitmap.eval.Progress;

/** Something that is put under strain. */
interface SoakTarget {
  /** What the command line calls it. */
  String name();

  /** One sentence: what is done to what. */
  String about();

  /** What is counted: requests, files, seconds. */
  String unit();

  /** How much of it is usual. */
  int usual();

  /**
   * Does it.
   *
   * @param amount how much
   * @param seed of everything drawn
   * @param keeper told what has come so far, after each part of a target that has several
   */
  Result run(int amount, long seed, Progress progress, Keeper keeper) throws Exception;

  /** Keeps what has come so far, so that it is not lost when the rest is stopped. */
  @FunctionalInterface
  interface Keeper {
    void keep(Result soFar) throws IOException;
  }

  /**
   * What came of it.
   *
   * @param figures what was measured, by name
   * @param broken what did not hold, a sentence each; empty if all held
   */
  record Result(Map<String, Object> figures, List<String> broken) {}
}
