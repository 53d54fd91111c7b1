package org.orbitmap.app.soak;

import java.util.Map;
import org.orbitmap.eval.Progress;

/** Very many well-behaved visitors at once: all are answered in time, nothing leaks. */
final class ConnectionSoak implements SoakTarget {
  private static final int THREADS = 16;
  private static final int CONNECTIONS = 1000;

  /** Requests in a second, all together: each visitor asks every ten seconds. */
  private static final int RATE = 100;

  private static final double MOST_SECONDS = 2;

  @Override
  public String name() {
    return "connections";
  }

  @Override
  public String about() {
    return "1,000 connections that ask in turn, %d requests a second together".formatted(RATE);
  }

  @Override
  public String unit() {
    return "seconds";
  }

  @Override
  public int usual() {
    return 300;
  }

  @Override
  public Result run(int amount, long seed, Progress progress, Keeper keeper) throws Exception {
    return ServedProcess.under(
        (load, leaks, broken) -> {
          Map<String, Object> figures =
              load.run(THREADS, CONNECTIONS, amount, RATE, leaks, progress);
          if (!figures.get("failed").equals(0)) {
            broken.add(figures.get("failed") + " requests were not answered");
          }
          if ((double) figures.get("p99Millis") > 1e3 * MOST_SECONDS) {
            broken.add("1 in 100 waited longer than %s s".formatted(MOST_SECONDS));
          }
          return figures;
        });
  }
}
