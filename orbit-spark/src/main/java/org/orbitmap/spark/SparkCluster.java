package org.orbitmap.spark;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.FutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.UserError;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * A Spark cluster. The work is broadcast, so that each executor gets it once and its threads share
 * it; each piece is a task, and its result is handed on as soon as it comes in. Pieces are sent in
 * waves, the next one while the last pieces of one are done, so that the driver holds two waves and
 * no more. Spark does the pieces of a lost executor again.
 */
final class SparkCluster implements Cluster {
  /** How many pieces of a thread are sent at once. */
  private static final int AHEAD = 16;

  private final SparkContext context;
  private Work<?, ?> last;
  private Broadcast<?> sentLast;

  SparkCluster(SparkContext context) {
    this.context = context;
  }

  @Override
  public String description() {
    int executors = Math.max(1, context.statusTracker().getExecutorInfos().length - 1);
    return "Spark %s at %s, %d %s"
        .formatted(
            context.version(),
            context.master(),
            executors,
            context.isLocal() || executors == 1 ? "executor" : "executors");
  }

  @Override
  public int width() {
    return Math.max(1, context.defaultParallelism());
  }

  /** A result, or why there is none: what the piece itself is to blame for is not tried again. */
  private record Outcome<R>(R result, String failure, boolean argument) implements Serializable {}

  private static final class Call<P, R>
      extends AbstractFunction1<scala.collection.Iterator<P>, Outcome<R>> implements Serializable {
    private static final long serialVersionUID = 1;
    private final Broadcast<Work<P, R>> work;

    Call(Broadcast<Work<P, R>> work) {
      this.work = work;
    }

    @Override
    public Outcome<R> apply(scala.collection.Iterator<P> pieces) {
      P piece = pieces.next();
      try {
        return new Outcome<>(work.value().on(piece), null, false);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (UserError | IllegalArgumentException e) {
        return new Outcome<>(null, text(e), true);
      } catch (IOException e) {
        return new Outcome<>(null, text(e), false);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private static String text(Exception e) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }

  /** Takes the results of some pieces, numbered from 0. */
  private static final class Wave<R> extends AbstractFunction2<Object, Outcome<R>, BoxedUnit> {
    private final Sink<R> sink;
    private final int first;

    Wave(Sink<R> sink, int first) {
      this.sink = sink;
      this.first = first;
    }

    @Override
    public BoxedUnit apply(Object piece, Outcome<R> outcome) {
      sink.add(first + (Integer) piece, outcome);
      return BoxedUnit.UNIT;
    }
  }

  /** Hands results on, until the first failure. */
  private static final class Sink<R> {
    private final Results<R> results;
    private Outcome<R> failed;
    private IOException refused;

    Sink(Results<R> results) {
      this.results = results;
    }

    synchronized void add(int piece, Outcome<R> outcome) {
      if (failed != null || refused != null) {
        return;
      }
      if (outcome.failure() != null) {
        failed = outcome;
        throw new IllegalStateException(outcome.failure()); // ends the job
      }
      try {
        results.add(piece, outcome.result());
      } catch (IOException e) {
        refused = e;
        throw new IllegalStateException(e);
      }
    }

    synchronized void check() throws IOException {
      if (refused != null) {
        throw refused;
      }
      if (failed != null && failed.argument()) {
        throw new IllegalArgumentException(failed.failure());
      }
      if (failed != null) {
        throw new IOException(failed.failure());
      }
    }
  }

  @Override
  public <P extends Serializable, R extends Serializable> void run(
      String name, Work<P, R> work, Iterator<P> pieces, Results<R> results) throws IOException {
    if (!pieces.hasNext()) {
      return;
    }
    Sink<R> sink = new Sink<>(results);
    int first = 0;
    Deque<FutureAction<BoxedUnit>> waves = new ArrayDeque<>(); // two, so that no thread waits
    try {
      context.setJobDescription(name);
      Call<P, R> call = new Call<>(send(work));
      while (pieces.hasNext() || !waves.isEmpty()) {
        if (pieces.hasNext() && waves.size() < 2) {
          int most = AHEAD * width(); // executors may come later
          List<P> some = new ArrayList<>();
          while (pieces.hasNext() && some.size() < most) {
            some.add(pieces.next());
          }
          waves.add(submit(call, some, new Wave<>(sink, first)));
          first += some.size();
        } else {
          waves.peek().get();
          waves.remove();
        }
      }
    } catch (Exception e) { // also Spark's own, which Scala does not declare
      waves.forEach(FutureAction::cancel);
      sink.check();
      String found = context.isStopped() ? "that nobody answers there" : SparkClusters.message(e);
      throw new IOException(
          "%s: expected a cluster that does the work, found %s".formatted(context.master(), found),
          e);
    }
    sink.check();
  }

  private <P, R> FutureAction<BoxedUnit> submit(Call<P, R> call, List<P> pieces, Wave<R> wave) {
    RDD<P> all =
        context.parallelize(
            CollectionConverters.asScala(pieces).toSeq(),
            pieces.size(),
            ClassTag.apply(Object.class));
    List<Object> numbers = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      numbers.add(i);
    }
    return context.submitJob(
        all, call, CollectionConverters.asScala(numbers).toSeq(), wave, () -> BoxedUnit.UNIT);
  }

  /** Work that was done last is at the executors still. */
  @SuppressWarnings("unchecked") // what was sent is the work
  private synchronized <P, R> Broadcast<Work<P, R>> send(Work<P, R> work) {
    if (work != last) {
      if (sentLast != null) {
        sentLast.destroy();
      }
      last = work;
      sentLast = context.broadcast(work, ClassTag.apply(Work.class));
    }
    return (Broadcast<Work<P, R>>) sentLast;
  }

  @Override
  public void close() {
    context.stop();
  }
}
