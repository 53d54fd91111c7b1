package org.orbitmap.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.orbitmap.app.map.CloudMapOptions;
import org.orbitmap.app.map.FileMapper;
import org.orbitmap.app.map.ImageMapOptions;
import org.orbitmap.app.map.InverseMapper;
import org.orbitmap.app.map.Manifest;
import org.orbitmap.app.map.MapPlan;
import org.orbitmap.app.map.MapReports;
import org.orbitmap.app.map.MapRun;
import org.orbitmap.app.option.ClusterOptions;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.option.Text;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.UserError;
import org.orbitmap.io.image.ImageFormat;
import org.orbitmap.model.MappingSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit map}: files and folders to one pose. */
@Command(
    name = "map",
    description = {
      "Bring files to their canonical pose.",
      "",
      "Every file is written to the output folder in the pose that the orbit mapping picks, and"
          + " reported with the group element that leads there and the margin: how far the input is"
          + " from one where the choice would jump. With --epsilon an image also gets a"
          + " certificate: by how many degrees its canonical angle can move at most when it changes"
          + " by at most epsilon in the L2 norm (samples from 0 to 1).",
      "",
      "Each result is recorded in manifest.jsonl in the output folder, with its element and"
          + " digests. A call that was interrupted goes on when it is repeated: results of the same"
          + " settings and inputs are kept. --inverse takes files that were made from the results"
          + " (images, masks, clouds, meshes, boxes in JSON) back to the poses of the inputs."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit map photo.png --out canonical",
      "  orbit map scans/ --out canonical --fill reflect --interpolation bicubic",
      "  orbit map scans/ --out canonical --epsilon 0.5 --json",
      "  orbit map scan.ply chair.off --out canonical --json",
      "  orbit map meshes/ --out clouds --group se3 --points 2048 --format npy",
      "  orbit map scans/ --out standing --mapping upright:upright3.safetensors",
      "  orbit map photos/ --out canonical --canvas grow",
      "  orbit map photos/ --out canonical --format png",
      "  orbit map cat0.off cat1.off --out embedded --group isometry --eigen 20",
      "  orbit map /share/photos --out /share/canonical --cluster spark://host:7077",
      "  orbit map --inverse canonical/manifest.jsonl masks/ --out back --interpolation nearest",
      "  orbit map x.png --out o --mapping kernels --k1 '1,2,1;0,0,0;-1,-2,-1' --k2"
          + " '-1,0,1;-2,0,2;-1,0,1'"
    })
public final class MapCommand implements Callable<Integer> {
  private static final String ISOMETRY = "isometry";

  /** How many files people are told of one by one. */
  private static final int LISTED = 20;

  @Mixin private OutputOptions output;
  @Mixin private ImageMapOptions images;
  @Mixin private CloudMapOptions clouds;
  @Mixin private ClusterOptions cluster;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE|FOLDER",
      description = "What to map; with --inverse, what to take back (default: the results).")
  private List<Path> inputs = List.of();

  @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where results go.")
  private Path out;

  @Option(
      names = "--overwrite",
      description =
          "Replace files in the output folder that another program wrote, or that come from other"
              + " settings or other inputs.")
  private boolean overwrite;

  @Option(
      names = "--inverse",
      paramLabel = "MANIFEST",
      description =
          "Take files back to the poses of the inputs that this manifest records: those given, or"
              + " the results themselves. Uses --interpolation (nearest for masks), --fill,"
              + " --format.")
  private Path inverse;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description =
          "Images: so2 (all rotations, the default), c4 (quarter turns, exact), o2 (rotations and"
              + " mirrorings), sim2 (rotation, scale and shift on a plain background). Clouds: sim3"
              + " (the default), se3, so3, scale, translation, with mirror images o3, e3,"
              + " sim3-mirrored; the same with 2 in the plane. Meshes: isometry (bending, motion"
              + " and size) writes the canonical spectral embedding, vertices x eigenfunctions, as"
              + " NPY, or with a --format of meshes the first three as coordinates.")
  private String group;

  @Option(
      names = "--mapping",
      paramLabel = "RULE",
      description = {
        "How an image's pose is found: disc (default), paper, released, central, forward, kernels"
            + " (with --k1 and --k2), or upright:FILE, a predictor that brings images upright.",
        "How the axes of a cloud get their directions: skewness (default, does not depend on the"
            + " order of the points), first-point (the paper's), frames (write all candidates), or"
            + " upright:FILE, a predictor that makes clouds stand."
      })
  private String mapping;

  /** What the command reports. */
  record Document(
      long mapped,
      long kept,
      long failed,
      Iterable<MapPlan.Skipped> skipped,
      String manifest,
      Iterable<Map<String, Object>> files) {}

  @Override
  public Integer call() throws IOException {
    OutputOptions.requireFolder(out);
    if (inputs.isEmpty() && inverse == null) {
      throw new UserError("expected files or folders to map, found none");
    }
    try (MapPlan plan = inverse == null ? MapPlan.of(inputs, out, mappers()) : inverse();
        MapReports reports = new MapReports(output.json() ? Long.MAX_VALUE : LISTED)) {
      try (Cluster place = cluster.open();
          ConsoleProgress progress = output.progress("files")) {
        MapRun.of(plan, out, overwrite, place, progress, reports);
        cluster.tell(place, output);
      }
      return tell(plan, reports);
    }
  }

  private int tell(MapPlan plan, MapReports reports) {
    long failed = reports.failed();
    long kept = reports.kept();
    Document document =
        new Document(
            reports.size() - failed - kept,
            kept,
            failed,
            plan.skipped(),
            Files.exists(out.resolve(Manifest.NAME)) ? out.resolve(Manifest.NAME).toString() : null,
            reports);
    output.print(document, text -> print(text, plan, document));
    if (kept > 0) {
      output.note("%d of %d files were mapped before and kept".formatted(kept, reports.size()));
    }
    if (plan.skipped().size() > 0) {
      output.note("%d skipped".formatted(plan.skipped().size()));
    }
    if (failed > 0) {
      output.warn(
          "%d of %d files could not be mapped%s"
              .formatted(
                  failed,
                  reports.size(),
                  failed < reports.size() ? "; the others are in " + out : ""));
    }
    return failed > 0 ? Errors.BAD_INPUT : Errors.OK;
  }

  /** The way back: what was made of the results of a manifest. */
  private MapPlan inverse() throws IOException {
    if (group != null || mapping != null) {
      throw UserError.expected(
          "--inverse",
          "no --group and no --mapping, which the manifest tells",
          String.join(" ", Stream.of(group, mapping).filter(Objects::nonNull).toList()),
          "");
    }
    if (!clouds.askedOfImages().orElse(ImageFormat.PNG).equals(ImageFormat.PNG)) {
      throw UserError.expected(
          "--format",
          "png or a format of clouds with --inverse",
          clouds.imageFormat(),
          "Masks and labels would change");
    }
    Path file = Files.isDirectory(inverse) ? inverse.resolve(Manifest.NAME) : inverse;
    Manifest.Content manifest = Manifest.read(file);
    if (manifest.entries().isEmpty()) {
      throw UserError.expected(
          "--inverse", "a manifest that orbit map wrote", "no results in " + file, "");
    }
    if (manifest.damaged() > 0) {
      output.warn("%s: %d lines cannot be understood".formatted(file, manifest.damaged()));
    }
    List<Path> results = inputs.isEmpty() ? List.of(file.toAbsolutePath().getParent()) : inputs;
    FileMapper back = new InverseMapper(manifest, images.resampling(), clouds.format());
    return MapPlan.of(results, out, List.of(back));
  }

  /** The kinds of files that the chosen group acts on and the chosen rule knows. */
  private List<FileMapper> mappers() {
    String chosen = group == null ? "" : group.trim().toLowerCase(Locale.ROOT);
    String rule = mapping == null ? "" : MappingSpec.rule(mapping);
    if (chosen.equals(ISOMETRY)) {
      if (!rule.isEmpty()) {
        throw UserError.expected("--mapping", "none with --group isometry", mapping, "");
      }
      return List.of(clouds.spectral());
    }
    List<FileMapper> mappers = new ArrayList<>();
    if (fits(chosen, ImageMapOptions.groups()) && ImageMapOptions.knows(rule)) {
      mappers.add(images.mapper(rule, chosen, clouds.imageFormat()));
    }
    if (fits(chosen, CloudMapOptions.groups()) && CloudMapOptions.knows(rule)) {
      mappers.add(clouds.mapper(rule, chosen));
    }
    if (mappers.isEmpty()) {
      throw new UserError(
          "--group, --mapping: expected one of %s with one of %s for images, one of %s with one of %s for clouds, or isometry for meshes, found %s"
              .formatted(
                  ImageMapOptions.groups(),
                  ImageMapOptions.rules(),
                  CloudMapOptions.groups(),
                  CloudMapOptions.rules(),
                  String.join(" ", Stream.of(group, mapping).filter(Objects::nonNull).toList())));
    }
    return mappers;
  }

  private static boolean fits(String chosen, List<String> names) {
    return chosen.isEmpty() || names.contains(chosen);
  }

  /** What is not worth a word on a line for people: it is in the manifest. */
  private static final Set<String> LEFT_OUT =
      Set.of("file", "output", "inputSha256", "outputSha256", "size", "eigenvalues");

  /** A line for each of a few files; of many those that failed, and where to find the rest. */
  private void print(PrintWriter text, MapPlan plan, Document document) {
    long made = document.mapped + document.kept;
    boolean few = made + document.failed <= LISTED;
    int failed = 0;
    for (Map<String, Object> report : document.files) {
      if (!report.containsKey("error")) {
        if (few) {
          text.println(line(report));
        }
      } else if (failed++ < LISTED) {
        text.println("failed: " + report.get("error"));
      }
    }
    more(text, "failed", document.failed);
    int skipped = 0;
    for (MapPlan.Skipped one : document.skipped) {
      if (skipped++ == LISTED) {
        break;
      }
      text.println("skipped: %s: %s".formatted(one.file(), one.reason()));
    }
    more(text, "skipped", plan.skipped().size());
    if (!few && made > 0) {
      text.println(
          "%d files are in %s, and what was found for each in %s"
              .formatted(made, out, document.manifest));
    }
  }

  private static void more(PrintWriter text, String what, long all) {
    if (all > LISTED) {
      text.println("%s: %d more, which --json lists".formatted(what, all - LISTED));
    }
  }

  private String line(Map<String, Object> report) {
    StringBuilder line = new StringBuilder();
    line.append(report.get("file")).append(" -> ").append(report.get("output"));
    report.forEach(
        (name, value) -> {
          if (LEFT_OUT.contains(name) || same(report, name)) {
            return;
          }
          if (value == null) {
            boolean none = name.equals("certifiedDegrees") && images.certifies();
            line.append(none ? ", no certificate for this epsilon" : "");
            return;
          }
          if (name.equals("poses") || name.equals("frames")) {
            line.append(", ").append(((List<?>) value).size()).append(' ').append(name);
            return;
          }
          line.append(", ").append(name).append(' ').append(Text.of(value));
        });
    return line.toString();
  }

  /** Whether this is the size of a canvas that is that of the input. */
  private static boolean same(Map<String, Object> report, String name) {
    return name.equals("canvas") && report.get("canvas").equals(report.get("size"));
  }
}
