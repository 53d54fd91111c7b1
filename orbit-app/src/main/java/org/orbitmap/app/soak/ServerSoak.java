package org.orbitmap.app.soak;

import org.orbitmap.eval.Progress;

/** Requests with wrong bytes: no crash, no error inside the server, no leak. */
final class ServerSoak implements SoakTarget {
  @Override
  public String name() {
    return "server";
  }

  @Override
  public String about() {
    return "requests that are right but for a few bytes, cut off, or not right at all";
  }

  @Override
  public String unit() {
    return "requests";
  }

  @Override
  public int usual() {
    return 50_000;
  }

  @Override
  public Result run(int amount, long seed, Progress progress, Keeper keeper) throws Exception {
    return ServedProcess.under(
        (load, leaks, broken) -> load.fuzz(amount, seed, leaks, progress, broken));
  }
}
