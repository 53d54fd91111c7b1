package org.orbitmap.nn.train;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.orbitmap.model.InputShape;

/**
 * The batches of a pass over some inputs: each is made, on all processors, while the one before it
 * is used. What is at a place depends on the place alone, so that the result is the same however
 * many threads make it.
 *
 * @param <X> the inputs
 */
final class Batches<X> implements AutoCloseable {
  private final InputShape<X> shape;
  private final ExecutorService maker =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread t = new Thread(work, "orbit-inputs");
            t.setDaemon(true);
            return t;
          });
  private final Batch[] buffers = new Batch[2];
  private Source<X> source;
  private int[] ends;
  private int next;
  private Future<Batch> coming;
  private long waited;

  /**
   * Inputs side by side, with their labels.
   *
   * @param size how many there are, from the beginning of the arrays
   * @param first the place of the first of them
   */
  record Batch(float[] inputs, int[] labels, int size, int first) {}

  /** What is at a place. */
  interface Source<X> {
    /** The input, changed as it is to be. */
    X input(int place);

    /** Its class. */
    int label(int place);
  }

  Batches(InputShape<X> shape) {
    this.shape = shape;
  }

  /** Where batches of a size end; the last is never a single input if it can be helped. */
  static int[] ends(int inputs, int size) {
    int[] ends = IntStream.iterate(size, e -> e < inputs, e -> e + size).toArray();
    // No batch of one at the end: nothing can be normalised over a single input.
    boolean single = size > 1 && ends.length > 0 && inputs - ends[ends.length - 1] == 1;
    int[] all = java.util.Arrays.copyOf(ends, single ? ends.length : ends.length + 1);
    all[all.length - 1] = inputs;
    return inputs == 0 ? new int[0] : all;
  }

  /** Begins a pass. */
  void start(int[] batchEnds, Source<X> from) {
    ends = batchEnds;
    source = from;
    next = 0;
    coming = null;
    prepare();
  }

  private void prepare() {
    if (next == ends.length) {
      coming = null;
      return;
    }
    int first = next == 0 ? 0 : ends[next - 1];
    int n = ends[next] - first;
    int slot = next % 2;
    Source<X> from = source;
    next++;
    coming = maker.submit(() -> made(slot, first, n, from));
  }

  private Batch made(int slot, int first, int n, Source<X> from) {
    int length = shape.length();
    Batch old = buffers[slot];
    boolean reused = old != null && old.labels.length >= n;
    float[] inputs = reused ? old.inputs : new float[Math.multiplyExact(n, length)];
    int[] labels = reused ? old.labels : new int[n];
    IntStream.range(0, n)
        .parallel()
        .forEach(
            i -> {
              shape.copy(from.input(first + i), inputs, i * length);
              labels[i] = from.label(first + i);
            });
    buffers[slot] = new Batch(inputs, labels, n, first);
    return buffers[slot];
  }

  /** Whether there is another batch. */
  boolean hasNext() {
    return coming != null;
  }

  /**
   * The next batch; it stays as it is until the one after it is asked for.
   *
   * @throws IOException if an input cannot be read
   */
  Batch next() throws IOException, InterruptedException {
    long since = System.nanoTime();
    try {
      Batch made = coming.get();
      prepare();
      return made;
    } catch (ExecutionException e) {
      coming = null;
      if (e.getCause() instanceof UncheckedIOException io) {
        throw io.getCause();
      }
      if (e.getCause() instanceof RuntimeException wrong) {
        throw wrong;
      }
      throw (Error) e.getCause();
    } catch (CancellationException e) {
      throw new InterruptedException();
    } finally {
      waited += System.nanoTime() - since;
    }
  }

  /** For how many seconds batches were waited for, since this was asked last. */
  double waited() {
    double seconds = waited / 1e9;
    waited = 0;
    return seconds;
  }

  /** Ends the thread, after what it is making. */
  @Override
  public void close() {
    maker.shutdown();
  }
}
