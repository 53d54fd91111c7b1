package org.orbitmap.app.cell;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the system can forbid a child process, from most to least, found out by trying.
 *
 * <p>On Linux with namespaces the child sees a file system of its own: Java, its class path, the
 * system's libraries, all of it read-only, and nothing else; no network, no other process, no
 * privilege; limits on memory, on files that are written and on open files. Where namespaces are
 * not allowed only the limits remain, and elsewhere only the separate process: {@link #missing}
 * says so.
 */
public enum Confinement {
  /** Own file system, network and processes. */
  NAMESPACES,
  /** Limits of the shell alone. */
  LIMITS,
  /** A separate process. */
  NONE;

  private static final String NEW_ROOT =
      """
      set -e
      root=$1
      shift
      mount -t tmpfs -o size=1m,mode=755 orbit "$root"
      cd "$root"
      while [ "$1" != -- ]; do
        if [ -L "$1" ]; then
          mkdir -p ".${1%/*}"
          cp -P "$1" ".$1"
        elif [ -d "$1" ]; then
          mkdir -p ".$1"
          mount --bind "$1" ".$1"
          mount -o remount,bind,ro ".$1" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev ".$1"
        elif [ -e "$1" ]; then
          mkdir -p ".${1%/*}"
          : >".$1"
          mount --bind "$1" ".$1"
        fi
        shift
      done
      shift
      mkdir -p proc orbit-empty orbit-scratch etc
      echo 00000000000000000000000000000000 >etc/machine-id
      echo ID=linux >etc/os-release
      mount -t proc proc proc
      mount -t tmpfs -o size=4k,nr_inodes=2,mode=700 orbit orbit-scratch
      mount -o remount,bind,ro "$root"
      ulimit -f 0
      exec unshare --root="$root" --wd=/orbit-empty "$@"
      """;

  private static final String LIMIT =
      "ulimit -d $1 && ulimit -c 0 && ulimit -n 512 && shift && exec \"$@\"";

  private static final String NO_FILES = "ulimit -f 0 && exec \"$@\"";

  private static final List<String> UNSHARE =
      List.of(
          "unshare",
          "--user",
          "--map-root-user",
          "--net",
          "--ipc",
          "--uts",
          "--pid",
          "--fork",
          "--kill-child",
          "--mount",
          "sh",
          "-c",
          NEW_ROOT,
          "orbit");

  private static final List<String> DROP =
      List.of("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all");

  /** What every program on Linux needs of its system. */
  private static final List<String> SYSTEM =
      List.of(
          "/lib",
          "/lib32",
          "/lib64",
          "/usr/lib",
          "/usr/lib32",
          "/usr/lib64",
          "/etc/ld.so.cache",
          "/sys/devices/system/cpu",
          "/dev/null",
          "/dev/zero",
          "/dev/random",
          "/dev/urandom");

  private static Confinement found;

  /** The best that this machine offers; tried once. */
  public static synchronized Confinement best() {
    if (found == null) {
      found = Stream.of(NAMESPACES, LIMITS).filter(Confinement::works).findFirst().orElse(NONE);
    }
    return found;
  }

  private boolean works() {
    if (File.separatorChar != '/') {
      return false;
    }
    try {
      Path folder = Files.createTempDirectory("orbit-cell");
      try {
        Process process =
            new ProcessBuilder(
                    command(folder, CellLimits.uploads(), List.of(), List.of(java(), "-version")))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
      } finally {
        Files.delete(folder);
      }
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * Where the runtime of the models may make the one empty folder that it insists on when it
   * starts. There is room for no more than that.
   */
  String temporary(Path folder) {
    return this == NAMESPACES ? "/orbit-scratch" : folder.toString();
  }

  /**
   * The command that starts a child so confined.
   *
   * @param folder an empty one: the new root, or the working folder
   * @param readable what the child has to read beside Java and the system's libraries
   */
  List<String> command(Path folder, CellLimits limits, List<Path> readable, List<String> child) {
    List<String> all = new ArrayList<>();
    if (this == NONE) {
      return child;
    }
    all.addAll(List.of("sh", "-c", LIMIT, "orbit", Long.toString(limits.memory() >> 10)));
    if (this == NAMESPACES) {
      all.addAll(UNSHARE);
      all.add(folder.toString());
      all.addAll(SYSTEM);
      Path setpriv = onPath("setpriv");
      Set<String> seen = new LinkedHashSet<>();
      seen.add(System.getProperty("java.home"));
      configurations().forEach(c -> seen.add(c.toString()));
      readable.forEach(p -> seen.add(p.toString()));
      seen.add(setpriv.toString());
      seen.removeIf(p -> SYSTEM.stream().anyMatch(s -> p.startsWith(s + "/")));
      all.addAll(seen);
      all.add("--");
      all.add(setpriv.toString());
      all.addAll(DROP);
    } else {
      all.addAll(List.of("sh", "-c", NO_FILES, "orbit"));
    }
    all.addAll(child);
    return all;
  }

  /** Where a Linux system keeps what Java's own folder only points to. */
  private static List<Path> configurations() {
    try (Stream<Path> etc = Files.list(Path.of("/etc"))) {
      return etc.filter(p -> p.getFileName().toString().startsWith("java")).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Path onPath(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":"))
        .map(d -> Path.of(d, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(Path.of("/usr/bin", program));
  }

  /** The folders and files that hold a class path, few of them. */
  static List<Path> holders(String classPath) {
    Map<Path, Path> groups = new LinkedHashMap<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath().normalize();
      if (entry.isEmpty() || !Files.exists(path)) {
        continue;
      }
      Path holder = Files.isDirectory(path) ? path : path.getParent();
      boolean deep = holder.getNameCount() >= 3;
      groups.merge(deep ? holder.subpath(0, 3) : path, deep ? holder : path, Confinement::common);
    }
    return List.copyOf(groups.values());
  }

  private static Path common(Path a, Path b) {
    Path both = a;
    while (!b.startsWith(both)) {
      both = both.getParent();
    }
    return both;
  }

  /** What is enforced, a few words each. */
  public List<String> enforced() {
    List<String> all =
        new ArrayList<>(List.of("a process of its own", "a time limit", "an empty working folder"));
    if (this != NONE) {
      all.addAll(List.of("a memory limit", "no file can be written"));
    }
    if (this == NAMESPACES) {
      all.addAll(List.of("no other file can be read", "no network", "no privilege"));
    }
    return all;
  }

  /** What is not, a few words each. */
  public List<String> missing() {
    List<String> all = new ArrayList<>(NAMESPACES.enforced());
    all.removeAll(enforced());
    return all;
  }
}
