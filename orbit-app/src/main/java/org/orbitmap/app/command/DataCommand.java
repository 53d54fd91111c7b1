package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Inventory;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataFinder;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.data.source.Downloads;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit data}. */
@Command(
    name = "data",
    description = {
      "Look at data sets, and fetch them from their official addresses.",
      "",
      "glyphs: signs, generated, always there. Images: cifar10, mnist, rotmnist (made from mnist),"
          + " ham10000, cub200. Clouds: modelnet40; meshes: tosca. Besides these any folder with one"
          + " sub-folder of images or clouds for each class."
    },
    subcommands = {DataCommand.Verify.class, DataCommand.Get.class})
public final class DataCommand {
  private DataCommand() {}

  /** What a shell offers for a data set. */
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Names() {
      super(DataSets.names());
    }
  }

  /** One part of a data set. */
  record Part(
      String folder,
      String name,
      String split,
      int items,
      String shape,
      Map<String, Integer> classes,
      String sha256,
      String error) {}

  /** {@code orbit data verify}. */
  @Command(
      name = "verify",
      description = {
        "Tell what a folder holds: data sets, counts for each class, checksums.",
        "Exit code 1 if a data set is there but cannot be read whole."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  orbit data verify ~/.orbit/data",
        "  orbit data verify cifar10 --json",
        "  orbit data verify modelnet40 --points 512"
      })
  static final class Verify implements Callable<Integer> {
    @Parameters(
        paramLabel = "DIR",
        completionCandidates = Names.class,
        description =
            "A data set, a folder of data sets, or the name of a data set, which is looked for in"
                + " $ORBIT_DATA, then in ~/.orbit/data.")
    private String given;

    @Option(
        names = "--size",
        paramLabel = "N",
        description =
            "Scale images from files to N x N; the checksum is then that of a run with this size."
                + " Default: as they are.")
    private int size;

    @Option(
        names = "--points",
        paramLabel = "N",
        description =
            "Take N points of each cloud; the checksum is then that of a run with as many. Default:"
                + " as they are.")
    private int points;

    @Mixin private OutputOptions output;

    @Override
    public Integer call() throws IOException {
      if (size < 0 || points < 0) {
        throw new UserError(
            "--size, --points: expected at least 1, found %d".formatted(Math.min(size, points)));
      }
      List<Part> parts = new ArrayList<>();
      List<String> others = new ArrayList<>();
      Optional<DataSource> named = DataSets.named(given);
      if (named.isPresent()) {
        DataFinder.Found found = DataOptions.find(given, null);
        verify(found.source(), found.folder(), parts);
      } else {
        Path folder = new DataFinder(DataOptions.defaultRoot()).place(given);
        if (!Files.isDirectory(folder)) {
          throw UserError.expected(
              folder.toString(), "a folder", Files.exists(folder) ? "a file" : "nothing there", "");
        }
        List<Path> sets = DataSets.in(folder);
        if (sets.isEmpty()) {
          throw UserError.expected(
              folder.toString(),
              "a data set or a folder of data sets",
              "none",
              "Data sets: " + String.join(", ", DataSets.names()));
        }
        for (Path set : sets) {
          verify(DataSets.at(set).orElseThrow(), set, parts);
        }
        if (!sets.contains(folder)) {
          for (Path inside : LabelledFiles.folders(folder)) {
            if (!sets.contains(inside)) {
              others.add(inside.toString());
            }
          }
        }
      }
      boolean whole = parts.stream().allMatch(p -> p.error() == null);
      output.print(
          Map.of("sets", parts, "whole", whole, "others", others),
          o -> {
            others.forEach(f -> o.printf("%s: no data set%n", f));
            for (Part p : parts) {
              if (p.error() != null) {
                o.printf("%s %s: %s%n", p.folder(), p.split(), p.error());
              } else {
                o.printf(
                    "%s %s: %s, %,d %s in %d classes%n  %s%n  sha256 %s%n",
                    p.folder(),
                    p.split(),
                    p.name(),
                    p.items(),
                    p.shape(),
                    p.classes().size(),
                    p.classes(),
                    p.sha256());
              }
            }
          });
      return whole ? Errors.OK : Errors.CHECK_FAILED;
    }

    /**
     * The parts of a data set.
     *
     * @param f null if it is generated
     */
    private void verify(DataSource source, Path f, List<Part> parts) throws IOException {
      String place = f == null ? source.name() : f.toString();
      for (Split split : source.parts(f)) {
        String part = split.id();
        output.note("reading " + place + " " + part);
        try {
          Inventory set =
              size == 0 && points == 0
                  ? source.inventory(f, split)
                  : Inventory.of(
                      source.read(f, split, Choice.ALL.withSide(size).withPoints(points)));
          parts.add(
              new Part(
                  place,
                  set.name(),
                  part,
                  set.items(),
                  set.shape(),
                  set.classes(),
                  set.sha256(),
                  null));
        } catch (IOException | RuntimeException e) {
          parts.add(new Part(place, null, part, 0, null, Map.of(), null, Errors.message(e)));
        }
      }
    }
  }

  /** {@code orbit data get}. */
  @Command(
      name = "get",
      description = {
        "Fetch a data set from its official address: cifar10, mnist, cub200. Of ham10000, modelnet40"
            + " and tosca it says where they are.",
        "Checksums are compared; a download that was cut goes on when the command is run again."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  orbit data get cifar10", "  orbit data get mnist --out data"})
  static final class Get implements Callable<Integer> {
    @Parameters(
        paramLabel = "NAME",
        completionCandidates = Names.class,
        description = "The data set.")
    private String name;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "The folder of data sets. Default: $ORBIT_DATA, or ~/.orbit/data")
    private Path out;

    @Mixin private OutputOptions output;

    @Override
    public Integer call() throws IOException {
      Path found = out != null ? out : DataOptions.defaultRoot();
      Path root = found != null ? found : DataOptions.home();
      boolean there = Downloads.isThere(name, root);
      Path folder;
      try (ConsoleProgress progress = output.progress("bytes")) {
        folder = Downloads.get(name, root, progress);
      }
      output.print(
          Map.of("name", name, "folder", folder.toString(), "fetched", !there),
          o ->
              o.printf(
                  "%s is in %s%s%n",
                  name, folder, there ? " already; remove it to fetch it anew" : ""));
      return Errors.OK;
    }
  }
}
