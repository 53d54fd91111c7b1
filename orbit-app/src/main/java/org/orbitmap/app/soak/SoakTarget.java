package org.orbitmap.app.soak;

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
   */
  Result run(int amount, long seed, Progress progress) throws Exception;

  /**
   * What came of it.
   *
   * @param figures what was measured, by name
   * @param broken what did not hold, a sentence each; empty if all held
   */
  record Result(Map<String, Object> figures, List<String> broken) {}
}
