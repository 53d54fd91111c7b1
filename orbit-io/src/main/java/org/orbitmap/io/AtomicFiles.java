package org.orbitmap.io;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes whole files or none: into a temporary file beside the target, which then takes its place
 * in one step. Whoever reads meanwhile sees the old content or the new, never half of it. Missing
 * folders are created.
 */
public final class AtomicFiles {
  /** This process, in the names of its temporary files: the machine and the number. */
  private static final String OWNER = machine() + "_" + ProcessHandle.current().pid();

  /** More wait for each other, fewer keep the disk waiting. */
  private static final int SYNCED_AT_ONCE = 16;

  private static final Pattern LEFTOVER = Pattern.compile("\\.\\w+?(_(\\w+)_(\\d+))?\\.tmp\\.(.*)");

  private AtomicFiles() {}

  /** Fills a stream. */
  @FunctionalInterface
  public interface Body {
    /** Writes the content; the stream is buffered, and closed by the caller. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Fills a file, for libraries that only take a path. */
  @FunctionalInterface
  public interface PathWriter {
    /** Writes the content to a file that does not exist yet. */
    void write(Path temporary) throws IOException;
  }

  /** Writes a file through a stream. */
  public static void write(Path target, Body content) throws IOException {
    try (Pending pending = preparePath(target, writer(target, content), true)) {
      pending.sync();
      pending.commit();
    }
  }

  /**
   * The same up to the last steps, for whoever writes many files: bring them to the disk together
   * with {@link #sync}, do what is to be done before they appear, then commit each. What killed
   * processes left of this file stays: who writes many files to a folder looks once.
   */
  public static Pending prepare(Path target, Body content) throws IOException {
    return preparePath(target, writer(target, content), false);
  }

  /**
   * Brings prepared files to the disk, many at a time: the disk's journal takes those that wait for
   * it together, so that a group costs little more than one file.
   *
   * @return what went wrong with which; empty if nothing did
   */
  public static Map<Pending, IOException> sync(Collection<Pending> files) {
    Map<Pending, IOException> failed = new ConcurrentHashMap<>();
    if (files.isEmpty()) {
      return failed;
    }
    Queue<Pending> left = new ConcurrentLinkedQueue<>(files);
    Runnable some =
        () -> {
          for (Pending file = left.poll(); file != null; file = left.poll()) {
            try {
              file.sync();
            } catch (IOException e) {
              failed.put(file, e);
            }
          }
        };
    int threads = Math.min(SYNCED_AT_ONCE, files.size());
    ExecutorService waiting =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "sync");
              thread.setDaemon(true);
              return thread;
            });
    try {
      CompletableFuture<?>[] all = new CompletableFuture<?>[threads];
      Arrays.setAll(all, i -> CompletableFuture.runAsync(some, waiting));
      CompletableFuture.allOf(all).join();
    } finally {
      waiting.shutdown();
    }
    return failed;
  }

  private static PathWriter writer(Path target, Body content) {
    return temporary -> {
      try (OutputStream out = new BufferedOutputStream(named(target, temporary))) {
        content.writeTo(out);
      }
    };
  }

  /** A stream to the temporary file whose errors, as of a full disk, name the target. */
  private static OutputStream named(Path target, Path temporary) throws IOException {
    return new FilterOutputStream(Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW)) {
      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        try {
          out.write(bytes, from, length);
        } catch (IOException e) {
          throw new IOException(
              "%s: expected to write it, found: %s".formatted(target, e.getMessage()), e);
        }
      }
    };
  }

  /** Writes a file from bytes. */
  public static void write(Path target, byte[] content) throws IOException {
    write(target, out -> out.write(content));
  }

  /** Writes a text file in UTF-8. */
  public static void write(Path target, String content) throws IOException {
    write(target, content.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes a file through a library that wants a path. The temporary path ends with the target's
   * name, so that a library which looks at the ending sees the right one.
   */
  public static void writePath(Path target, PathWriter content) throws IOException {
    try (Pending pending = preparePath(target, content, true)) {
      pending.sync();
      pending.commit();
    }
  }

  private static Pending preparePath(Path target, PathWriter content, boolean clean)
      throws IOException {
    // A symbolic link stays one: what it points to is replaced.
    boolean there = Files.exists(target);
    Path real = there ? target.toRealPath() : target.toAbsolutePath();
    if (there && !Files.isRegularFile(real)) {
      // Not only folders: taking the place of a device or a pipe would break it for everybody.
      String found = Files.isDirectory(real) ? "a folder" : "a device or a pipe";
      throw UserError.expected(target.toString(), "a file to write", found, "");
    }
    Path folder = real.getParent();
    if (clean) {
      Files.createDirectories(folder);
      removeLeftovers(folder, real.getFileName().toString());
    }
    String unique = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), 36);
    Path temporary = folder.resolve("." + unique + "_" + OWNER + ".tmp." + real.getFileName());
    Pending pending = new Pending(target, real, temporary);
    boolean done = false;
    try {
      try {
        content.write(temporary);
      } catch (NoSuchFileException e) {
        if (!temporary.toString().equals(e.getFile())) {
          throw e;
        }
        Files.createDirectories(folder); // which another thread may have done by now
        content.write(temporary);
      }
      done = true;
      return pending;
    } catch (FileSystemException e) {
      throw pending.named(e);
    } finally {
      if (!done) {
        pending.close();
      }
    }
  }

  /** A file that is written, but does not have its name yet. */
  public static final class Pending implements AutoCloseable {
    private final Path target;
    private final Path real;
    private final Path temporary;
    private boolean committed;

    private Pending(Path target, Path real, Path temporary) {
      this.target = target;
      this.real = real;
      this.temporary = temporary;
    }

    /** Brings the content to the disk: before the name changes, or a power cut could empty it. */
    private void sync() throws IOException {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        channel.force(true);
      } catch (FileSystemException e) {
        throw named(e);
      }
    }

    /** The file, which is on the disk, takes the place of the target. */
    public void commit() throws IOException {
      try {
        try {
          Files.move(temporary, real, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
          Files.move(temporary, real, StandardCopyOption.REPLACE_EXISTING);
        }
        committed = true;
      } catch (FileSystemException e) {
        throw named(e);
      }
    }

    /** Without a commit, nothing is left of the file. */
    @Override
    public void close() throws IOException {
      if (!committed) {
        Files.deleteIfExists(temporary);
      }
    }

    /** Users know the target, not the file beside it. */
    private IOException named(FileSystemException e) {
      return e.getFile() != null && e.getFile().equals(temporary.toString())
          ? new IOException(
              "%s: expected to write it, found that %s cannot hold new files (%s)"
                  .formatted(
                      target, real.getParent(), e.getReason() == null ? reason(e) : e.getReason()),
              e)
          : e;
    }
  }

  /** Whether this is a temporary file: of a process that writes, or was killed while it wrote. */
  public static boolean isLeftover(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(".") && LEFTOVER.matcher(name).matches();
  }

  /** The name that a leftover would have got. */
  public static String intended(Path leftover) {
    Matcher m = LEFTOVER.matcher(leftover.getFileName().toString());
    return m.matches() ? m.group(4) : leftover.getFileName().toString();
  }

  /**
   * Removes from a folder what killed processes left; what is being written stays. Whoever calls
   * this holds the folder's lock: a leftover that names no process is nobody's.
   */
  static void removeLeftovers(Path folder) throws IOException {
    removeLeftovers(folder, null);
  }

  /** The same for the leftovers of one file; null for those of all. */
  private static void removeLeftovers(Path folder, String name) throws IOException {
    try (DirectoryStream<Path> hidden =
        Files.newDirectoryStream(folder, f -> f.getFileName().toString().startsWith("."))) {
      for (Path file : hidden) {
        Matcher m = LEFTOVER.matcher(file.getFileName().toString());
        if (m.matches()
            && (name == null || m.group(4).equals(name))
            && (m.group(2) == null ? name == null : abandoned(m.group(2), m.group(3)))) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean abandoned(String machine, String process) {
    return machine().equals(machine)
        && ProcessHandle.of(Long.parseLong(process)).filter(ProcessHandle::isAlive).isEmpty();
  }

  /** A short word for this machine. */
  private static String machine() {
    String name;
    try {
      name = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      name = "unknown";
    }
    return Integer.toString(name.hashCode() & Integer.MAX_VALUE, 36);
  }

  private static String reason(FileSystemException e) {
    return e instanceof AccessDeniedException ? "permission denied" : "no such folder";
  }
}
