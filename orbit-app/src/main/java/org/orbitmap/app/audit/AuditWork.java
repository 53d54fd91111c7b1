package org.orbitmap.app.audit;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.orbitmap.app.model.LoadedModel;
import org.orbitmap.eval.Cluster;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.io.data.DataSet;

/**
 * Parts of the data of an audit, measured wherever the cluster says by the one measurement that
 * there is ({@link LoadedModel#measure}). Each part is whole batches, so that the same inputs share
 * a call of the model as on one machine, and the merged parts are what was measured at once.
 */
final class AuditWork<X> implements Cluster.Work<AuditWork.Part<X>, Robustness> {
  private static final long serialVersionUID = 1;
  private static final int PARTS_EACH = 32;

  private final LoadedModel.Parcel parcel;
  private transient LoadedModel opened;

  /**
   * Some of the data.
   *
   * @param from the number of its first input in the whole
   */
  record Part<X>(int from, DataSet<X> data, Sweep<X> sweep, Robustness.Settings settings)
      implements Serializable {}

  private AuditWork(LoadedModel.Parcel parcel) {
    this.parcel = parcel;
  }

  /** A model that is measured on a cluster. */
  static <X> Audit.Subject<X> subject(LoadedModel model, Cluster cluster) throws IOException {
    AuditWork<X> work = new AuditWork<>(model.parcel()); // one for all sweeps, so sent once
    return (data, sweep, settings, progress) -> {
      model.classifier(data.shape()); // refuses here what would be refused there
      Part<X> whole = new Part<>(0, data, sweep, settings.withThreads(1));
      return work.run(whole, model.batch(settings), cluster, progress);
    };
  }

  private Robustness run(Part<X> whole, int batch, Cluster cluster, Progress progress)
      throws IOException {
    DataSet<X> data = whole.data;
    Sweep<X> sweep = whole.sweep;
    int batches = (data.size() + batch - 1) / batch;
    int size = batch * Math.max(1, batches / (PARTS_EACH * cluster.width()));
    ArrayList<Part<X>> parts = new ArrayList<>();
    for (int from = 0; from < data.size(); from += size) {
      int to = Math.min(from + size, data.size());
      parts.add(
          new Part<>(
              from, data.subset(IntStream.range(from, to).toArray()), sweep, whole.settings));
    }
    Robustness[] found = new Robustness[parts.size()];
    long[] done = new long[1];
    int poses = sweep.poses().size();
    cluster.run(
        "orbit audit, " + sweep.name(),
        this,
        parts.iterator(),
        (i, result) -> {
          found[i] = result;
          done[0] += (long) result.items() * poses;
          progress.update(done[0], (long) data.size() * poses);
        });
    return Robustness.merge(Arrays.asList(found));
  }

  private synchronized LoadedModel model() throws IOException {
    if (opened == null) {
      opened = parcel.open();
    }
    return opened;
  }

  @Override
  public Robustness on(Part<X> part) throws IOException {
    LoadedModel model = model();
    try {
      if (model.concurrent()) {
        return model.measure(part.data, part.sweep, part.settings, Progress.OFF);
      }
      synchronized (model) {
        return model.measure(part.data, part.sweep, part.settings, Progress.OFF);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "items %d to %d of the data, numbered from 0 in what follows: %s"
              .formatted(part.from, part.from + part.data.size() - 1, e.getMessage()),
          e);
    }
  }
}
