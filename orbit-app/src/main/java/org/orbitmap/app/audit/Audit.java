package org.orbitmap.app.audit;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.io.data.DataSet;

/**
 * How models do when their inputs are moved: the same data, sweeps and settings for each of them.
 *
 * @param data labelled inputs
 * @param sweeps how they are moved, by name; at least one
 * @param settings how it is measured
 * @param <X> the inputs
 */
public record Audit<X>(
    DataSet<X> data, Map<String, Sweep<X>> sweeps, Robustness.Settings settings) {
  public Audit {
    sweeps = Collections.unmodifiableMap(new LinkedHashMap<>(sweeps));
    if (sweeps.isEmpty()) {
      throw new IllegalArgumentException("audit: expected at least one sweep, found none");
    }
  }

  /** Something that answers: a loaded model, or one in memory. */
  @FunctionalInterface
  public interface Subject<X> {
    /** Every answer over a sweep. */
    Robustness measure(
        DataSet<X> data, Sweep<X> sweep, Robustness.Settings settings, Progress progress)
        throws IOException;
  }

  /**
   * Audits a model.
   *
   * @param name what to call it
   * @param progress counts pairs of input and pose, over all sweeps
   */
  public AuditResult measure(String name, Subject<X> model, Progress progress) throws IOException {
    long total =
        sweeps.values().stream().mapToLong(s -> (long) s.poses().size() * data.size()).sum();
    long before = 0;
    Map<String, Robustness> results = new LinkedHashMap<>();
    for (Map.Entry<String, Sweep<X>> s : sweeps.entrySet()) {
      long start = before;
      results.put(
          s.getKey(),
          model.measure(
              data, s.getValue(), settings, (done, of) -> progress.update(start + done, total)));
      before += (long) s.getValue().poses().size() * data.size();
    }
    return new AuditResult(name, results);
  }
}
