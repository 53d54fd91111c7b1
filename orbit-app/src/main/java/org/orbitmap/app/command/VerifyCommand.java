package org.orbitmap.app.command;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.UserError;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.testkit.BuiltIns;
import org.orbitmap.testkit.CloudBuiltIns;
import org.orbitmap.testkit.ImageBuiltIns;
import org.orbitmap.testkit.Law;
import org.orbitmap.testkit.LawResult;
import org.orbitmap.testkit.Mutant;
import org.orbitmap.testkit.Mutants;
import org.orbitmap.testkit.network.SteerableLaws;
import org.orbitmap.testkit.network.SteerableMutants;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.UprightMapping;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "verify",
    description = {
      "Check every law on every built-in group, action and mapping.",
      "The laws are the group axioms, those of an action (with faithfulness), those of an orbit"
          + " mapping, and invariance or equivariance of what is built with it. Broken groups,"
          + " actions and mappings (mutants) are checked too: each must be caught."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  orbit verify",
      "  orbit verify --json | jq .worstError",
      "  orbit verify --all --trials 1000 --seed 7",
      "  orbit verify --mapping upright:upright.safetensors"
    })
public final class VerifyCommand implements Callable<Integer> {
  @Mixin private OutputOptions output;

  @Option(names = "--trials", paramLabel = "N", description = "Trials of each law (default: 200).")
  private int trials = 200;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of all drawing (default: 1).")
  private long seed = 1;

  @Option(
      names = "--mapping",
      paramLabel = "upright:FILE",
      description = "Check the laws of a fitted mapping, too.")
  private String mapping;

  @Option(names = "--all", description = "List every law, not only those that do not hold.")
  private boolean all;

  /**
   * What came out.
   *
   * @param laws how many laws were checked
   * @param violations how many did not hold
   * @param mutants how many broken things were checked
   * @param mutantsCaught how many of them were found to be broken
   * @param worstError the largest error of a law that holds up to rounding
   * @param worstApproximateError the largest error of a law whose action interpolates
   */
  record Report(
      int laws,
      long violations,
      int mutants,
      long mutantsCaught,
      double worstError,
      double worstApproximateError,
      int trials,
      long seed,
      List<Checked> results,
      List<CheckedMutant> mutantResults) {}

  record Checked(
      String subject,
      String law,
      boolean holds,
      boolean approximate,
      double worstError,
      double tolerance,
      String witness) {}

  record CheckedMutant(String mutant, String law, boolean caught) {}

  @Override
  public Integer call() {
    if (trials < 1) {
      throw UserError.expected("--trials", "at least 1", trials, "");
    }
    Report report = verify();
    output.print(report, out -> print(report, out));
    return report.violations == 0 && report.mutantsCaught == report.mutants
        ? Errors.OK
        : Errors.CHECK_FAILED;
  }

  private Report verify() {
    List<Law> laws = new ArrayList<>(BuiltIns.laws());
    laws.addAll(SteerableLaws.laws());
    if (mapping != null) {
      laws.addAll(fitted());
    }
    List<Mutant> mutants = new ArrayList<>(Mutants.all());
    mutants.addAll(SteerableMutants.all());
    AtomicLong done = new AtomicLong();
    long total = (long) laws.size() + mutants.size();
    try (ConsoleProgress progress = output.progress("laws and mutants")) {
      List<LawResult> results =
          laws.parallelStream()
              .map(
                  law -> {
                    LawResult result = law.check(trials, seed);
                    progress.update(done.incrementAndGet(), total);
                    return result;
                  })
              .toList();
      List<CheckedMutant> caught =
          mutants.parallelStream()
              .map(
                  m -> {
                    boolean found = m.caught(trials, seed);
                    progress.update(done.incrementAndGet(), total);
                    return new CheckedMutant(m.name(), m.law(), found);
                  })
              .toList();
      return new Report(
          laws.size(),
          results.stream().filter(r -> !r.holds()).count(),
          mutants.size(),
          caught.stream().filter(CheckedMutant::caught).count(),
          worst(results, false),
          worst(results, true),
          trials,
          seed,
          results.stream()
              .map(
                  r ->
                      new Checked(
                          r.subject(),
                          r.law(),
                          r.holds(),
                          r.approximate(),
                          r.worstError(),
                          r.tolerance(),
                          r.witness()))
              .toList(),
          caught);
    }
  }

  private List<Law> fitted() {
    if (MappingSpec.file(mapping).isPresent()) {
      InputShape<?> images = new InputShape.Images(3, 1, 1);
      boolean ofImages = !MappingSpec.family(mapping).groups(images).isEmpty();
      InputShape<?> any = ofImages ? images : new InputShape.Clouds(1);
      OrbitMapping<?, ?> read = new MappingSpec(mapping, "", Resampling.BILINEAR).mapping(any);
      if (read instanceof UprightMapping<?> m) {
        return ImageBuiltIns.upright(m);
      }
      if (read instanceof CloudUprightMapping m) {
        return CloudBuiltIns.upright(m);
      }
    }
    throw UserError.expected(
        "--mapping", "upright:FILE", mapping, "All built-in mappings are checked in any case");
  }

  private static double worst(List<LawResult> results, boolean approximate) {
    return results.stream()
        .filter(r -> r.approximate() == approximate)
        .mapToDouble(LawResult::worstError)
        .max()
        .orElse(0);
  }

  private void print(Report report, PrintWriter out) {
    for (Checked c : report.results) {
      if (all || !c.holds) {
        out.printf(
            "%-9s %-60s error %9.2e of %.0e%n",
            c.holds ? "holds" : "VIOLATED", c.subject + ": " + c.law, c.worstError, c.tolerance);
        if (!c.holds) {
          out.printf("          %s%n", c.witness);
        }
      }
    }
    for (CheckedMutant m : report.mutantResults) {
      if (all || !m.caught) {
        out.printf("%-9s %s (%s)%n", m.caught ? "caught" : "MISSED", m.mutant, m.law);
      }
    }
    out.printf(
        "%d laws, %d violated; %d mutants, %d caught (%d trials each, seed %d)%n",
        report.laws, report.violations, report.mutants, report.mutantsCaught, trials, seed);
    out.printf(
        "worst error %.1e where laws hold up to rounding, %.2g where images are interpolated%n",
        report.worstError, report.worstApproximateError);
  }
}
