package org.orbitmap.app.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Watches the signs of life of a server, and tells what grew. */
final class Leaks {
  /** Of a heap that is collected now and then, so much more is nothing. */
  private static final long MEMORY = 256L << 20;

  private static final double SHARE = 0.25;

  /** Threads and descriptors that a server may open when it first needs them. */
  private static final long FEW = 16;

  private final ServedProcess server;
  private final List<ServedProcess.Vitals> seen = new ArrayList<>();

  Leaks(ServedProcess server) {
    this.server = server;
  }

  /** Looks once. */
  void look() throws IOException {
    if (server.alive()) {
      seen.add(server.vitals());
    }
  }

  /** Adds what was seen to the figures, and what grew to what broke. */
  void tell(Map<String, Object> figures, List<String> broken) {
    if (!server.alive()) {
      broken.add("the server is gone");
    }
    if (seen.isEmpty() || seen.get(0).threads() < 0) {
      figures.put("leaks", "not seen on this system");
      return;
    }
    tell("residentBytes", ServedProcess.Vitals::residentBytes, MEMORY, figures, broken);
    tell("threads", ServedProcess.Vitals::threads, FEW, figures, broken);
    tell("descriptors", ServedProcess.Vitals::descriptors, FEW, figures, broken);
  }

  /** The means of the second and the last fifth of the time: the first fifth warms up. */
  private void tell(
      String name,
      ToLongFunction<ServedProcess.Vitals> which,
      long few,
      Map<String, Object> figures,
      List<String> broken) {
    int fifth = Math.max(1, seen.size() / 5);
    int from = Math.min(fifth, seen.size() - 1);
    double before = mean(seen.subList(from, Math.min(seen.size(), from + fifth)), which);
    double after = mean(seen.subList(seen.size() - fifth, seen.size()), which);
    figures.put(name + "Before", Math.round(before));
    figures.put(name + "After", Math.round(after));
    if (after > before * (1 + SHARE) + few) {
      broken.add("%s grew from %.0f to %.0f".formatted(name, before, after));
    }
  }

  private static double mean(
      List<ServedProcess.Vitals> part, ToLongFunction<ServedProcess.Vitals> which) {
    return part.stream().mapToLong(which).average().orElseThrow();
  }
}
