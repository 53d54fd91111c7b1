package org.orbitmap.app.map;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.orbitmap.io.NameIndex;
import org.orbitmap.io.Spool;
import org.orbitmap.io.UserError;

/**
 * Which files are mapped, and where their results go. A plan takes little memory, however many
 * files there are.
 */
public final class MapPlan implements AutoCloseable {
  private final Spool<Job> jobs;
  private final Spool<Skipped> skipped;
  private final NameIndex outputs;

  /**
   * One file to map.
   *
   * @param output where the result goes, below the output folder
   */
  public record Job(Path file, Path output, FileMapper mapper) {}

  /** One file or folder that is not mapped, and why. */
  public record Skipped(String file, String reason) {}

  private MapPlan(Spool<Job> jobs, Spool<Skipped> skipped, NameIndex outputs) {
    this.jobs = jobs;
    this.skipped = skipped;
    this.outputs = outputs;
  }

  /**
   * Every file to map, folders searched to the bottom. Each result has a name of its own: where two
   * inputs of a folder differ only by their endings, results keep them (a.bmp.png beside a.gif.png,
   * but a.png stays); inputs of one name from several folders are numbered in the order given
   * (x.png, x-2.png).
   *
   * @param out the folder that results go to; left out where a folder is searched
   * @throws UserError if a result would overwrite an input
   */
  public static MapPlan of(List<Path> inputs, Path out, List<FileMapper> mappers)
      throws IOException {
    FileSearch search = new FileSearch(out, mappers, FileSearch.SORTED);
    Spool<Job> found = new Spool<>(new JobCodec(mappers));
    Spool<Skipped> skipped = new Spool<>(SKIPPED);
    boolean done = false;
    try {
      NameIndex wanted = new NameIndex();
      long[] most = new long[1];
      FileSearch.Visitor visitor =
          new FileSearch.Visitor() {
            @Override
            public void found(Job job) throws IOException {
              String name = job.output.toString();
              long times = wanted.get(name, 0) + 1;
              wanted.put(name, times);
              most[0] = Math.max(most[0], times);
              found.add(job);
            }

            @Override
            public void skipped(Path file, String reason) throws IOException {
              skipped.add(new Skipped(file.toString(), reason));
            }
          };
      for (Path input : inputs) {
        long jobs = found.size();
        long others = skipped.size();
        search.add(input, visitor);
        if (found.size() == jobs && Files.isDirectory(input)) {
          throw new UserError(
              "%s: expected at least one file that can be mapped so, %s, found none%s"
                  .formatted(
                      input,
                      String.join(" or ", mappers.stream().map(FileMapper::kind).toList()),
                      among(skipped, others)));
        }
      }
      MapPlan plan =
          most[0] <= 1
              ? new MapPlan(found, skipped, wanted)
              : named(found, skipped, wanted, new JobCodec(mappers));
      for (Job job : plan.jobs) {
        Path target = search.out().resolve(job.output);
        if (search.has(target)) {
          throw new UserError(
              "%s: expected an output folder that keeps the inputs, found that %s would be"
                      .formatted(out, target)
                  + " overwritten; choose another folder");
        }
      }
      done = true;
      return plan;
    } finally {
      if (!done) {
        found.close();
        skipped.close();
      }
    }
  }

  private static String among(Spool<Skipped> skipped, long before) {
    if (skipped.size() == before) {
      return " in the folder";
    }
    Iterator<Skipped> all = skipped.iterator();
    for (long i = 0; i < before; i++) {
      all.next();
    }
    return " among %d, such as %s".formatted(skipped.size() - before, all.next().file);
  }

  /** Gives each result a name of its own. */
  private static MapPlan named(
      Spool<Job> found, Spool<Skipped> skipped, NameIndex wanted, JobCodec codec)
      throws IOException {
    Spool<Job> jobs = new Spool<>(codec);
    NameIndex taken = new NameIndex();
    for (Job job : found) {
      Path output = wanted.get(job.output.toString(), 0) > 1 ? withEnding(job) : job.output;
      Path free = output;
      for (int k = 2;
          taken.contains(free.toString())
              || (!free.equals(output) && wanted.contains(free.toString()));
          k++) {
        free = numbered(output, k);
      }
      taken.put(free.toString(), 1);
      jobs.add(new Job(job.file, free, job.mapper));
    }
    found.close();
    return new MapPlan(jobs, skipped, taken);
  }

  /** The result named after the whole name of its file, unless it has that name. */
  private static Path withEnding(Job job) {
    String file = job.file.getFileName().toString();
    String name = job.output.getFileName().toString();
    return name.equals(file)
        ? job.output
        : job.output.resolveSibling(file + name.substring(name.lastIndexOf('.')));
  }

  /** The files that are mapped. */
  public Iterable<Job> jobs() {
    return jobs;
  }

  /** How many they are. */
  public long size() {
    return jobs.size();
  }

  /** What lies in the folders and is not mapped. */
  public Spool<Skipped> skipped() {
    return skipped;
  }

  /** Whether one of the results has this name below the output folder. */
  boolean makes(Path output) {
    return outputs.contains(output.toString());
  }

  @Override
  public void close() throws IOException {
    jobs.close();
    skipped.close();
  }

  private record JobCodec(List<FileMapper> mappers) implements Spool.Codec<Job> {
    @Override
    public void write(Job job, DataOutputStream out) throws IOException {
      out.writeUTF(job.file.toString());
      out.writeUTF(job.output.toString());
      out.writeByte(mappers.indexOf(job.mapper));
    }

    @Override
    public Job read(DataInputStream in) throws IOException {
      return new Job(Path.of(in.readUTF()), Path.of(in.readUTF()), mappers.get(in.readByte()));
    }
  }

  private static final Spool.Codec<Skipped> SKIPPED =
      new Spool.Codec<>() {
        @Override
        public void write(Skipped value, DataOutputStream out) throws IOException {
          out.writeUTF(value.file);
          out.writeUTF(value.reason);
        }

        @Override
        public Skipped read(DataInputStream in) throws IOException {
          return new Skipped(in.readUTF(), in.readUTF());
        }
      };

  /** A path with a number before its endings: x-2.png. */
  static Path numbered(Path path, int k) {
    return beside(path, "-" + k);
  }

  /** A path with something added to its name, before the endings. */
  static Path beside(Path path, String added) {
    String name = path.getFileName().toString();
    int dot = name.indexOf('.', 1);
    int at = dot < 0 ? name.length() : dot;
    return path.resolveSibling(name.substring(0, at) + added + name.substring(at));
  }
}
