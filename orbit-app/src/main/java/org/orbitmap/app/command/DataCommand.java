package org.orbitmap.app.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.DataOptions;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSource;
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
    description = "Look at data sets, and fetch them from their official addresses.",
    subcommands = {DataCommand.Verify.class, DataCommand.Get.class})
public final class DataCommand {
  private DataCommand() {}

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
      footer = {"  orbit data verify data", "  orbit data verify data/cifar10 --json"})
  static final class Verify implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "A data set, or a folder of data sets.")
    private String given;

    @Option(
        names = "--size",
        paramLabel = "N",
        description = "Scale images from files to N x N, if they differ in size.")
    private int size;

    @Option(
        names = "--points",
        paramLabel = "N",
        description = "Take N points of each cloud, if they differ in number.")
    private int points;

    @Mixin private OutputOptions output;

    @Override
    public Integer call() throws IOException {
      Path folder = new DataFinder(DataOptions.defaultRoot()).place(given);
      if (!Files.isDirectory(folder)) {
        throw UserError.expected(folder.toString(), "a folder", "none", "");
      }
      List<Part> parts = new ArrayList<>();
      for (Path set : DataSets.in(folder)) {
        verify(set, parts);
      }
      if (parts.isEmpty()) {
        throw UserError.expected(
            folder.toString(), "a data set or a folder of data sets", "none", "");
      }
      boolean whole = parts.stream().allMatch(p -> p.error() == null);
      output.print(
          Map.of("sets", parts, "whole", whole),
          o -> {
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

    private void verify(Path f, List<Part> parts) {
      DataSource source = DataSets.at(f).orElseThrow();
      Choice choice = Choice.ALL.withSide(size).withPoints(points);
      for (Split split : List.of(Split.TRAIN, Split.TEST)) {
        String name = split.id();
        try {
          DataSet<?> set = source.read(f, split, choice);
          Map<String, Integer> classes = new LinkedHashMap<>();
          int[] counts = set.counts();
          for (int c = 0; c < counts.length; c++) {
            classes.put(set.classes().get(c), counts[c]);
          }
          parts.add(
              new Part(
                  f.toString(),
                  set.name(),
                  name,
                  set.size(),
                  set.shape().toString(),
                  classes,
                  set.digest(),
                  null));
        } catch (IOException | RuntimeException e) {
          parts.add(new Part(f.toString(), null, name, 0, null, Map.of(), null, Errors.message(e)));
        }
      }
    }
  }

  /** {@code orbit data get}. */
  @Command(
      name = "get",
      description = {
        "Fetch a data set from its official address: cifar10, mnist, cub200.",
        "Checksums are compared; a download that was cut goes on when the command is run again."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  orbit data get cifar10", "  orbit data get mnist --out data"})
  static final class Get implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The data set.")
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
