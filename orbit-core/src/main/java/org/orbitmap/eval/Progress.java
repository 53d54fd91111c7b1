package org.orbitmap.eval;

/** Told how far a long computation is; must be cheap and safe to call from several threads. */
@FunctionalInterface
public interface Progress {
  /** Nobody is told. */
  Progress OFF = (done, total) -> {};

  /** Called after each unit of work, with the number done so far and the number in all. */
  void update(long done, long total);
}
