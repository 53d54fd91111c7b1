package org.orbitmap.app.map;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.Spool;

/**
 * Goes through files and folders in the order of their names, without a list of them: what was met
 * before is told from where it lies.
 */
final class FileSearch {
  /** So many names are sorted in memory; more are merged from sorted parts. */
  static final int SORTED = 1 << 16;

  private static final Spool.Codec<String> NAMES =
      new Spool.Codec<>() {
        @Override
        public void write(String name, DataOutputStream out) throws IOException {
          out.writeUTF(name);
        }

        @Override
        public String read(DataInputStream in) throws IOException {
          return in.readUTF();
        }
      };

  /** Told what is met. */
  interface Visitor {
    /** A file to map, with the name that its result would like. */
    void found(MapPlan.Job job) throws IOException;

    /** A file or folder that is not mapped. */
    void skipped(Path file, String reason) throws IOException;
  }

  private final Path out;
  private final List<FileMapper> mappers;
  private final int sorted;
  private final Set<Path> folders = new HashSet<>();
  private final Set<Path> files = new HashSet<>();
  private Path asked; // the folder of the last file that was asked for, and what is said of all
  private boolean searched;

  /**
   * A search.
   *
   * @param out the folder of the results, which is left out
   * @param sorted so many names of a folder are sorted in memory
   */
  FileSearch(Path out, List<FileMapper> mappers, int sorted) {
    this.out = out.toAbsolutePath().normalize();
    this.mappers = mappers;
    this.sorted = sorted;
  }

  /** The folder of the results, absolute. */
  Path out() {
    return out;
  }

  /** Visits a file, or all that is in a folder. */
  void add(Path input, Visitor visitor) throws IOException {
    if (!Files.exists(input)) {
      throw new NoSuchFileException(input.toString());
    }
    Path absolute = input.toAbsolutePath().normalize();
    if (Files.isDirectory(input)) {
      walk(input, Path.of(""), leavesOut(absolute), visitor);
      folders.add(absolute);
      asked = null;
      return;
    }
    // The user named it: if no mapper knows it, let a reader say what is wrong.
    FileMapper mapper =
        mappers.stream().filter(m -> m.accepts(input)).findFirst().orElse(mappers.get(0));
    visit(input, Path.of(""), mapper, visitor);
    files.add(absolute);
  }

  /** Whether the folder of the results lies in a folder that is searched. */
  private boolean leavesOut(Path folder) {
    return out.startsWith(folder) && !out.equals(folder);
  }

  private void walk(Path folder, Path below, boolean inside, Visitor visitor) throws IOException {
    try (Names names = new Names(folder, sorted)) {
      while (names.hasNext()) {
        String name = names.next();
        Path file = folder.resolve(name);
        BasicFileAttributes kind = attributes(file);
        if (inside && file.toAbsolutePath().normalize().equals(out)) {
          visitor.skipped(file, "the output folder");
        } else if (kind != null && kind.isDirectory()) {
          walk(file, below.resolve(name), inside, visitor);
        } else if ((kind == null || !kind.isRegularFile()) && !Files.isRegularFile(file)) {
          visitor.skipped(file, Files.isDirectory(file) ? "a link to a folder" : "no regular file");
        } else if (AtomicFiles.isLeftover(file)) {
          visitor.skipped(file, "left by a call that was interrupted");
        } else {
          FileMapper mapper = expecting(file);
          if (mapper != null) {
            visit(file, below, mapper, visitor);
          } else {
            visitor.skipped(file, name.equals(Manifest.NAME) ? "a manifest" : "not " + kinds());
          }
        }
      }
    }
  }

  /** What a name stands for, a link for itself; null if nothing is there any more. */
  private static BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private FileMapper expecting(Path file) throws IOException {
    for (FileMapper mapper : mappers) {
      if (mapper.expects(file)) {
        return mapper;
      }
    }
    return null;
  }

  private String kinds() {
    return String.join(" or ", mappers.stream().map(FileMapper::kind).toList());
  }

  private void visit(Path file, Path below, FileMapper mapper, Visitor visitor) throws IOException {
    if (has(file.toAbsolutePath().normalize())) {
      visitor.skipped(file, "named before");
    } else {
      String name = mapper.outputName(file.getFileName().toString());
      visitor.found(new MapPlan.Job(file, below.resolve(name), mapper));
    }
  }

  /** Whether a file, absolute, was found: named itself, or in a folder that was searched. */
  boolean has(Path file) throws IOException {
    if (files.contains(file)) {
      return true;
    }
    Path folder = file.getParent();
    if (folders.isEmpty() || folder == null) {
      return false;
    }
    if (!folder.equals(asked)) {
      searched = isSearched(folder);
      asked = folder;
    }
    return searched
        && Files.isRegularFile(file)
        && !AtomicFiles.isLeftover(file)
        && expecting(file) != null;
  }

  /** Whether the files of a folder, absolute, were visited: with it, or with one around it. */
  private boolean isSearched(Path folder) {
    for (Path p = folder; p != null; p = p.getParent()) {
      if (folders.contains(p) && !(leavesOut(p) && folder.startsWith(out))) {
        return true;
      }
      if (Files.isSymbolicLink(p)) { // a link to a folder is not searched
        return false;
      }
    }
    return false;
  }

  /** The names in a folder, sorted. */
  private static final class Names implements Iterator<String>, AutoCloseable {
    private final List<Spool<String>> parts = new ArrayList<>();
    private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::name));

    /** The next name of a part, and those after it. */
    private record Head(String name, Iterator<String> rest) {}

    Names(Path folder, int sorted) throws IOException {
      List<String> names = new ArrayList<>();
      try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
        for (Path file : all) {
          names.add(file.getFileName().toString());
          if (names.size() == sorted) {
            Spool<String> part = new Spool<>(NAMES);
            parts.add(part);
            Collections.sort(names);
            for (String name : names) {
              part.add(name);
            }
            names.clear();
          }
        }
      }
      Collections.sort(names);
      parts.forEach(part -> push(part.iterator()));
      push(names.iterator());
    }

    private void push(Iterator<String> names) {
      if (names.hasNext()) {
        heads.add(new Head(names.next(), names));
      }
    }

    @Override
    public boolean hasNext() {
      return !heads.isEmpty();
    }

    @Override
    public String next() {
      Head head = heads.remove();
      push(head.rest);
      return head.name;
    }

    @Override
    public void close() throws IOException {
      for (Spool<String> part : parts) {
        part.close();
      }
    }
  }
}
