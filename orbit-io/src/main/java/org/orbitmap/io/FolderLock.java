package org.orbitmap.io;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock on a folder: one process at a time writes there, and a second one is told who does.
 *
 * <p>The lock is one of the operating system on a hidden file, so that it ends with the process,
 * however that ends; what a killed process leaves is taken over. The file says who holds it, and is
 * removed at the end. On file systems of a network, where the lock of another machine may not be
 * seen, the file alone counts.
 */
public final class FolderLock implements AutoCloseable {
  private static final String NAME = ".orbit.lock";

  /** Behind everything that is written, so that others can read who holds it. */
  private static final long PLACE = Long.MAX_VALUE - 1;

  private static final int TRIES = 20;

  /**
   * What this process holds: it must not open such a file again, because closing it would end the
   * lock.
   */
  private static final Map<Path, String> HELD = new ConcurrentHashMap<>();

  private final Path file;
  private final FileChannel channel;
  private final List<Path> made;

  private FolderLock(Path file, FileChannel channel, List<Path> made) {
    this.file = file;
    this.channel = channel;
    this.made = made;
  }

  /** Whether a file is that of a lock, and no result. */
  public static boolean isLock(Path file) {
    return file.endsWith(NAME);
  }

  /**
   * Takes the lock of a folder. The folder is made if need be, and removed at the end if nothing
   * was written to it.
   *
   * @throws UserError if another process has it
   */
  public static FolderLock take(Path folder) throws IOException {
    List<Path> made = new ArrayList<>();
    for (Path f = folder.toAbsolutePath(); f != null && !Files.exists(f); f = f.getParent()) {
      made.add(f);
    }
    Files.createDirectories(folder);
    Path file = folder.toRealPath().resolve(NAME);
    String mine = holder();
    String other = HELD.putIfAbsent(file, mine);
    if (other != null) {
      throw held(folder, other, "Choose another folder");
    }
    FolderLock lock = null;
    try {
      for (int k = 0; k < TRIES && lock == null; k++) {
        lock = open(folder, file, mine, made);
      }
    } finally {
      if (lock == null) {
        HELD.remove(file);
      }
    }
    if (lock == null) {
      throw new IOException(file + ": expected to lock it, found it changing all the time");
    }
    return lock;
  }

  /** One try; null if whoever held it removed the file while it was opened here. */
  private static FolderLock open(Path folder, Path file, String mine, List<Path> made)
      throws IOException {
    Object before = key(file);
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean held = false;
    try {
      boolean free = channel.tryLock(PLACE, 1, false) != null;
      String who = read(channel);
      if (!free) {
        throw held(folder, who, "Wait for it, or choose another folder");
      }
      if (remote(file) && !who.isEmpty() && !who.contains(" on " + host() + ",")) {
        throw held(folder, who, "Wait for it, or remove " + file + " if that process is gone");
      }
      held = before != null && before.equals(key(file));
      if (!held) {
        return null;
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(mine.getBytes(StandardCharsets.UTF_8)), 0);
      return new FolderLock(file, channel, made);
    } finally {
      if (!held) {
        channel.close();
      }
    }
  }

  /** What tells a file from another one of the same name; null if there is none. */
  private static Object key(Path file) throws IOException {
    try {
      Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      return key == null ? NAME : key; // a system without such keys does not remove open files
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static UserError held(Path folder, String who, String advice) {
    return UserError.expected(
        folder.toString(),
        "a folder that no other process writes to",
        who.isBlank() ? "one that does" : who.strip(),
        advice);
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(1000);
    channel.read(text, 0);
    return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
  }

  private static boolean remote(Path file) throws IOException {
    String type = Files.getFileStore(file).type().toLowerCase(Locale.ROOT);
    return type.matches("(nfs|cifs|smb|afs|lustre|ceph|fuse\\.sshfs).*");
  }

  /** Such as {@code process 17 on here, since 2026-01-01T00:00:00Z}. */
  private static String holder() {
    return "process %d on %s, since %s"
        .formatted(
            ProcessHandle.current().pid(), host(), Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "this machine";
    }
  }

  /** Removes from the folder what killed processes left of their files. */
  public void removeLeftovers() throws IOException {
    AtomicFiles.removeLeftovers(file.getParent());
  }

  /** Gives the folder free. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    channel.close();
    HELD.remove(file);
    try {
      for (Path folder : made) {
        Files.deleteIfExists(folder);
      }
    } catch (DirectoryNotEmptyException e) {
      // it holds results, or a lock again
    }
  }
}
