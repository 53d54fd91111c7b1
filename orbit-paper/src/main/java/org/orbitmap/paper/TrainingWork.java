package org.orbitmap.paper;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.TrainingListener;

/**
 * Runs of a table that are trained wherever the cluster says, in the folders that they have here.
 * What a lost machine began is resumed from its last checkpoint, to the same bits.
 */
final class TrainingWork implements Cluster.Work<TrainingWork.Run, TrainingWork.Done> {
  private static final long serialVersionUID = 1;

  private final String data;
  private final long deadline;
  private transient Map<String, DataSet<?>> sets;

  /** What there is to say of a run that is trained as far as the time was enough. */
  record Done(List<String> warnings) implements Serializable {}

  /** One run. */
  record Run(String name, TrainConfig config, String folder) implements Serializable {}

  /**
   * The work.
   *
   * @param data the folder of data sets; null if there is no such place
   * @param deadline in milliseconds since 1970
   */
  TrainingWork(String data, long deadline) {
    this.data = data;
    this.deadline = deadline;
  }

  /** The data, read once in each process. */
  private synchronized DataSet<?> data(TrainConfig config) throws IOException {
    if (sets == null) {
      sets = new ConcurrentHashMap<>();
    }
    String key = config.data() + " " + config.points() + " " + config.limit();
    DataSet<?> set = sets.get(key);
    if (set == null) {
      Path root = data == null ? null : Path.of(data);
      set = Reproduction.load(config, root, Split.TRAIN, config.limit());
      sets.put(key, set);
    }
    return set;
  }

  @Override
  public Done on(Run run) throws IOException {
    BooleanSupplier timeIsUp = () -> System.currentTimeMillis() > deadline;
    List<String> warnings = new ArrayList<>();
    if (!timeIsUp.getAsBoolean()) {
      TrainingListener listener =
          new TrainingListener() {
            @Override
            public void warn(String text) {
              warnings.add(text);
            }
          };
      TimedTraining.run(
          run.name, run.config, data(run.config), Path.of(run.folder), timeIsUp, listener);
    }
    return new Done(new ArrayList<>(warnings));
  }
}
