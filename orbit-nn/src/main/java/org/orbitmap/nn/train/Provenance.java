package org.orbitmap.nn.train;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.io.Version;
import org.orbitmap.nn.tensor.Engine;

/** Where numbers come from. */
public final class Provenance {
  private Provenance() {}

  /** What computed a result: versions, device, machine. */
  public static Map<String, String> environment() {
    Map<String, String> e = new LinkedHashMap<>();
    e.put("orbit", Version.current());
    e.put("engine", Engine.version());
    e.put("device", Engine.device());
    e.put("java", System.getProperty("java.version"));
    e.put("platform", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    e.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    return e;
  }

  /** The time, to the second. */
  public static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
