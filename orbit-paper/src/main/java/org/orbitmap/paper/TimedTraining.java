package org.orbitmap.paper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.nn.fit.FitRecipe;
import org.orbitmap.nn.train.EpochMetrics;
import org.orbitmap.nn.train.TrainConfig;
import org.orbitmap.nn.train.Trainer;
import org.orbitmap.nn.train.TrainingListener;

/** A run or a fit that goes on until it is finished or the time is up; the next call resumes it. */
final class TimedTraining {
  private TimedTraining() {}

  /** Ends a training run between two steps. */
  private static final class TimeIsUp extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * What one of several runs at once tells: its part of the whole.
   *
   * @param k which of them
   * @param done inputs of each so far, written here
   * @param total inputs of each, likewise
   */
  static TrainingListener part(int k, long[] done, long[] total, TrainingListener all) {
    return new TrainingListener() {
      @Override
      public void progress(long d, long t) {
        synchronized (done) {
          done[k] = d;
          total[k] = t;
          // those that wait are taken to be as long as those that run
          long most = Arrays.stream(total).max().getAsLong();
          long sum = Arrays.stream(total).map(n -> n == 0 ? most : n).sum();
          all.progress(Arrays.stream(done).sum(), sum);
        }
      }

      @Override
      public void note(String text) {
        all.note(text);
      }

      @Override
      public void warn(String text) {
        all.warn(text);
      }
    };
  }

  /**
   * Fits the upright predictor of a run.
   *
   * @return whether the time was enough
   */
  static boolean fit(
      TrainConfig config,
      DataSet<?> data,
      FitRecipe recipe,
      Path file,
      BooleanSupplier timeIsUp,
      TrainingListener listener)
      throws IOException {
    TrainingListener watch =
        new TrainingListener() {
          @Override
          public void progress(long done, long total) {
            listener.progress(done, total);
            if (done < total && timeIsUp.getAsBoolean()) {
              throw new TimeIsUp();
            }
          }

          @Override
          public void note(String text) {
            listener.note(text);
          }

          @Override
          public void warn(String text) {
            listener.warn(text);
          }
        };
    try {
      UprightFit.run(config, data, recipe, file, watch);
      return true;
    } catch (TimeIsUp e) {
      return false;
    }
  }

  /**
   * Trains.
   *
   * @param name of the run, for messages
   * @param folder of the run; what is there is resumed
   */
  static void run(
      String name,
      TrainConfig config,
      DataSet<?> data,
      Path folder,
      BooleanSupplier timeIsUp,
      TrainingListener listener)
      throws IOException {
    AtomicInteger epochs = new AtomicInteger();
    AtomicBoolean late = new AtomicBoolean();
    TrainingListener watch =
        new TrainingListener() {
          @Override
          public void progress(long done, long total) {
            listener.progress(done, total);
            // The step that ended an epoch is not lost: its checkpoint comes first.
            if (late.getAndSet(timeIsUp.getAsBoolean()) && done < total) {
              throw new TimeIsUp();
            }
          }

          @Override
          public void epoch(EpochMetrics metrics) {
            epochs.incrementAndGet();
            if (metrics.epoch() < config.epochs() && timeIsUp.getAsBoolean()) {
              throw new TimeIsUp();
            }
          }

          @Override
          public void note(String text) {
            listener.note(text);
          }

          @Override
          public void warn(String text) {
            listener.warn(text);
          }
        };
    try {
      Trainer.of(config, data).listener(watch).startOrResume(folder);
    } catch (TimeIsUp e) {
      if (epochs.get() == 0) {
        listener.warn(
            "%s: not one epoch was finished in the time given; with as little again it begins"
                    .formatted(name)
                + " at the same place");
      }
    }
  }
}
