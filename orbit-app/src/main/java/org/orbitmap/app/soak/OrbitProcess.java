package org.orbitmap.app.soak;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The command {@code orbit} in a process of its own, with the class path of this one and the
 * archive of classes that this one was started with.
 */
final class OrbitProcess {
  /** The command itself stands above all that it can do. */
  private static final String MAIN = String.join(".", "org", "orbitmap", "app", "Main");

  private OrbitProcess() {}

  /** A process that is ready to start. */
  static ProcessBuilder of(String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-XX:+UseParallelGC");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(a -> a.startsWith("-XX:SharedArchiveFile=") || a.startsWith("-Xshare:"))
        .forEach(command::add);
    command.add("-Djava.awt.headless=true");
    command.add("-Dorbit.root=" + System.getProperty("orbit.root", ""));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(MAIN);
    command.addAll(Arrays.asList(args));
    return new ProcessBuilder(command);
  }
}
