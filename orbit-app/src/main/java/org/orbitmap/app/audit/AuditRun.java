package org.orbitmap.app.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.app.option.ConsoleProgress;
import org.orbitmap.app.option.Errors;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.app.option.Text;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.FolderLock;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;

/**
 * An audit as a command runs it: measured, printed, written as a page, held against a bound.
 *
 * @param title of the page, such as {@code Audit}; its file has that name
 * @param usual the interpolations if none is named
 * @param settings how it is measured; threads and what is kept are said by the options
 * @param cluster where it is measured; null for this machine
 */
public record AuditRun(
    String title,
    List<Interpolation> usual,
    Robustness.Settings settings,
    AuditOptions options,
    Cluster cluster,
    OutputOptions output) {
  /** What is printed. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Document(
      String model,
      String data,
      String group,
      int items,
      Integer points,
      double step,
      String fill,
      String mapping,
      Double clean,
      Double classAccuracy,
      Map<String, AuditResult.Swept> sweeps,
      double modelShare,
      AuditResult.Document against,
      Double minWorst,
      Double minKept,
      boolean passed,
      List<String> warnings,
      String report) {}

  /**
   * Audits a model.
   *
   * @param data what to call the data
   * @param against a second model to compare with; null for none
   * @param warnings what makes the figures doubtful, in sentences
   * @return the exit code
   */
  public <X> int run(
      DataSet<X> set, String data, LoadedModel model, LoadedModel against, List<String> warnings)
      throws IOException {
    if (options.out() == null) {
      return audited(set, data, model, against, warnings);
    }
    try (FolderLock lock = FolderLock.take(options.out())) {
      lock.removeLeftovers();
      return audited(set, data, model, against, warnings);
    }
  }

  private <X> int audited(
      DataSet<X> set, String data, LoadedModel model, LoadedModel against, List<String> warnings)
      throws IOException {
    if (options.minWorst() != null && !set.labelled()) {
      throw UserError.expected(
          "--min-worst", "labelled data", "data without labels", "Use --min-kept instead");
    }
    warnings.forEach(output::warn);
    InputShape<X> shape = set.shape();
    Audit<X> audit =
        new Audit<>(
            set,
            options.sweeps(shape, usual, model.meanColour()),
            settings
                .withThreads(options.threads())
                .withTrueClass(
                    options.out() == null
                        ? Robustness.TrueClass.NONE
                        : Robustness.TrueClass.PROBABILITY));
    if (against != null) {
      against.classifier(shape); // refuses now what would be refused after the measurement
    }
    boolean same = against != null && against.name().equals(model.name());
    AuditResult own = measure(audit, model, same);
    AuditResult other = against == null ? null : measure(audit, against, same);
    List<Gate> gates = new ArrayList<>();
    if (options.minWorst() != null) {
      gates.add(new Gate("worst accuracy", own.worst(), options.minWorst()));
    }
    if (options.minKept() != null) {
      gates.add(new Gate("label kept", own.labelKept(), options.minKept()));
    }
    boolean passed = gates.stream().allMatch(Gate::passed);
    Path page = options.out() == null ? null : report(audit, data, model, own, other, warnings);
    boolean images = shape instanceof InputShape.Images;
    AuditResult.Document figures = named(own, model);
    Document document =
        new Document(
            figures.model(),
            data,
            options.group(shape),
            set.size(),
            shape instanceof InputShape.Clouds c ? c.points() : null,
            options.step(shape),
            images ? options.fill() : null,
            model.facts().get("mapping"),
            figures.clean(),
            figures.classAccuracy(),
            figures.sweeps(),
            figures.modelShare(),
            other == null ? null : named(other, against),
            options.minWorst(),
            options.minKept(),
            passed,
            warnings.isEmpty() ? null : warnings,
            page == null ? null : page.toString());
    output.print(
        document,
        text -> {
          text.printf(
              "%,d %s of %s, moved by %s, steps of %s°%n",
              set.size(), shape.kind(), data, document.group(), Text.of(document.step()));
          own.print(text);
          if (other != null) {
            other.print(text);
          }
          gates.forEach(gate -> text.println(gate));
        });
    if (page != null) {
      output.note("report: " + page);
    }
    return passed ? Errors.OK : Errors.CHECK_FAILED;
  }

  /** A share that is held against a bound. */
  private record Gate(String figure, double share, double bound) {
    boolean passed() {
      return share >= bound;
    }

    @Override
    public String toString() {
      return "%s: %s %s %.1f %%"
          .formatted(
              passed() ? "passed" : "failed", figure, passed() ? "at least" : "below", 100 * bound);
    }
  }

  private <X> AuditResult measure(Audit<X> audit, LoadedModel model, boolean whole)
      throws IOException {
    try (ConsoleProgress progress = output.progress(audit.data().shape().kind())) {
      String name = whole ? model.source().toString() : model.name();
      Audit.Subject<X> subject =
          cluster == null ? model::measure : AuditWork.subject(model, cluster);
      return audit.measure(name, subject, progress);
    }
  }

  private static AuditResult.Document named(AuditResult result, LoadedModel model) {
    AuditResult.Document d = result.document();
    return new AuditResult.Document(
        model.source().toString(), d.clean(), d.classAccuracy(), d.sweeps(), d.modelShare());
  }

  private <X> Path report(
      Audit<X> audit,
      String data,
      LoadedModel model,
      AuditResult own,
      AuditResult other,
      List<String> warnings)
      throws IOException {
    Map<String, String> facts = output.provenance();
    facts.put("data", data + ", sha-256 " + audit.data().digest());
    if (cluster != null) {
      facts.put("cluster", cluster.description());
    }
    facts.putAll(model.facts());
    if (!audit.data().labelled()) {
      facts.put("labels", "none");
    }
    if (audit.data().shape() instanceof InputShape.Images) {
      facts.put("fill", options.fill());
    } else {
      facts.put("seed", Long.toString(options.seed()));
    }
    return new AuditReport<>(audit, options.group(audit.data().shape()), model, own, other)
        .report("%s of %s".formatted(title, model.name()), data, warnings)
        .provenance(facts)
        .writeTo(options.out().resolve(title.toLowerCase(Locale.ROOT) + ".html"))
        .page();
  }
}
