package org.orbitmap.app.cell;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * What a cell may take.
 *
 * @param memory bytes, all together
 * @param answer how long it may be silent when it is asked
 * @param whole how long it may work on one task
 * @param payload bytes of one answer
 */
public record CellLimits(long memory, Duration answer, Duration whole, int payload) {
  private static final long LEAST = 1L << 30;

  /** For models of visitors: an eighth of the machine, 1 to 3 GB; ten seconds for an answer. */
  public static CellLimits uploads() {
    return new CellLimits(
        Math.max(LEAST, Math.min(3L << 30, physical() / 8)),
        Duration.ofSeconds(10),
        Duration.ofMinutes(3),
        256 << 20);
  }

  /** For a model that a user tries on the own machine: half of it, two minutes for an answer. */
  public static CellLimits local() {
    return new CellLimits(
        Math.max(LEAST, physical() / 2), Duration.ofMinutes(2), Duration.ofDays(365), 1 << 30);
  }

  /** The part of the memory that Java may have; the rest is for the runtime of the models. */
  long heap() {
    return Math.min(8L << 30, memory * 2 / 5);
  }

  /** The memory, for people. */
  String memoryText() {
    return "%.1f GB".formatted(memory / (double) (1L << 30));
  }

  private static long physical() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : 8L << 30;
  }
}
