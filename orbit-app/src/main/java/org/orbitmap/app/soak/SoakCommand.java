package org.orbitmap.app.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code orbit soak}. */
@Command(
    name = "soak",
    description = {
      "Put Orbit under long strain and see that it holds.",
      "",
      "Targets:",
      "  server       requests with wrong bytes against a server of its own",
      "  uploads      models that mean harm against a server of its own, beside visitors who mean"
          + " none",
      "  connections  1,000 connections to a server of its own, for so many seconds",
      "  readers      files with errors in them, for everything that reads files",
      "  kills        train, map, wrap, fit and reproduce: killed at any moment and resumed",
      "",
      "Exit code 1 if something did not hold: a crash, a leak of memory, threads or descriptors, an"
          + " answer that well-behaved visitors wait for too long. Only this machine is ever"
          + " asked.",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit soak server --count 50000 --out docs/results/",
      "  orbit soak uploads",
      "  orbit soak connections --count 300",
      "  orbit soak readers --count 100000",
      "  orbit soak kills --count 50",
      "  orbit soak server connections --count 20 --seed 7 --json"
    })
public final class SoakCommand implements Callable<Integer> {
  private static final List<SoakTarget> TARGETS =
      List.of(
          new ServerSoak(),
          new UploadSoak(),
          new ConnectionSoak(),
          new ReaderSoak(),
          new KillSoak(KilledJob::all));

  @Parameters(
      paramLabel = "TARGET",
      arity = "1..*",
      description = "What to strain, one after the other; all for each of them.")
  private List<String> targets = new ArrayList<>();

  @Option(
      names = "--count",
      paramLabel = "N",
      description =
          "How many requests, files, kills or seconds for each target (default: as many as a"
              + " release is tried with).")
  private Integer count;

  @Option(names = "--seed", description = "Of everything drawn. Default: ${DEFAULT-VALUE}.")
  private long seed = 42;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Also write the results there, with where they come from: soak-TARGET.json. What a target"
              + " has several of, such as readers, is written as it comes.")
  private Path out;

  @Mixin private OutputOptions output;

  /**
   * What is printed and written.
   *
   * @param finished whether this is all; false in the file of a target that is still at work, or
   *     was stopped
   * @param held whether nothing broke
   */
  private record Report(
      String target,
      boolean finished,
      boolean held,
      int count,
      String unit,
      long seed,
      Map<String, Object> figures,
      List<String> broken,
      Map<String, String> provenance) {}

  @Override
  public Integer call() throws Exception {
    if (count != null && count < 1) {
      throw UserError.expected("--count", "1 or more", count, "");
    }
    OutputOptions.requireFolder(out);
    List<Report> reports = new ArrayList<>();
    for (SoakTarget target : asked()) {
      reports.add(run(target));
    }
    output.print(
        reports.size() == 1 ? reports.get(0) : reports,
        text ->
            reports.forEach(
                r -> {
                  text.printf(
                      "%-12s %s: %,d %s, seed %d%n",
                      r.target(), r.held() ? "held" : "BROKEN", r.count(), r.unit(), r.seed());
                  r.figures().forEach((name, value) -> print(text, name, value));
                  r.broken().forEach(what -> text.printf("  broken: %s%n", what));
                }));
    return reports.stream().allMatch(Report::held) ? Errors.OK : Errors.CHECK_FAILED;
  }

  /** A figure, or a line for each of several. */
  private static void print(PrintWriter text, String name, Object value) {
    if (value instanceof Map<?, ?> several) {
      text.printf("  %s%n", name);
      several.forEach((part, figure) -> text.printf("    %-20s %s%n", part, figure));
    } else {
      text.printf("  %-22s %s%n", name, value);
    }
  }

  private List<SoakTarget> asked() {
    if (targets.equals(List.of("all"))) {
      return TARGETS;
    }
    List<SoakTarget> asked = new ArrayList<>();
    for (String name : targets) {
      asked.add(
          TARGETS.stream()
              .filter(t -> t.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      UserError.expected(
                          "TARGET",
                          "all or one of " + TARGETS.stream().map(SoakTarget::name).toList(),
                          name,
                          "")));
    }
    return asked;
  }

  private Report run(SoakTarget target) throws Exception {
    int amount = amount(target);
    output.note("orbit soak %s: %s".formatted(target.name(), target.about()));
    SoakTarget.Result result;
    try (ConsoleProgress progress = output.progress(target.unit())) {
      result = target.run(amount, seed, progress, part -> write(report(target, part, false)));
    }
    Report report = report(target, result, true);
    write(report);
    return report;
  }

  private int amount(SoakTarget target) {
    return count == null ? target.usual() : count;
  }

  private Report report(SoakTarget target, SoakTarget.Result result, boolean finished)
      throws IOException {
    return new Report(
        target.name(),
        finished,
        result.broken().isEmpty(),
        amount(target),
        target.unit(),
        seed,
        result.figures(),
        result.broken(),
        output.provenance());
  }

  private void write(Report report) throws IOException {
    if (out == null) {
      return;
    }
    ObjectMapper mapper = Json.mapper();
    byte[] text = mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(report);
    Path file = out.resolve("soak-" + report.target() + ".json");
    AtomicFiles.write(
        file,
        stream -> {
          stream.write(text);
          stream.write('\n');
        });
    if (report.finished()) {
      output.note("written: " + file);
    }
  }

  /** What is measured, in the order in which it is told. */
  static Map<String, Object> figures() {
    return new LinkedHashMap<>();
  }
}
