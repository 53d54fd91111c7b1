package org.orbitmap.app.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * As many cells as allowed, each for one model and then ended, and a few more that wait ready. Who
 * comes when all are taken waits in turn; a cell that has worked for a second in silence makes way
 * then.
 */
public final class CellPool implements AutoCloseable {
  /** How long a cell may work in silence while others wait. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** How long the end of all of them may take. */
  private static final Duration LEAVING = Duration.ofSeconds(5);

  /** How many wait ready. */
  private static final int SPARE = 2;

  private final Class<?> main;
  private final CellLimits limits;
  private final int most;
  private final Duration wait;
  private final Semaphore turn = new Semaphore(1, true);
  private final Set<Cell> running = new LinkedHashSet<>();

  /** Those that wait, or will when they have started; the oldest first. */
  private final Deque<CompletableFuture<Cell>> spare = new ArrayDeque<>();

  /** Those that refused what they were given before running anything. */
  private final Deque<Cell> again = new ArrayDeque<>();

  private boolean closed;

  /**
   * Cells, the first of which are started at once.
   *
   * @param most how many run at once
   * @param wait how long one may wait for a cell
   */
  public CellPool(Class<?> main, CellLimits limits, int most, Duration wait) {
    this.main = main;
    this.limits = limits;
    this.most = Math.max(1, most);
    this.wait = wait;
    synchronized (this) {
      while (spare.size() < SPARE) {
        spare.add(startSpare());
      }
    }
  }

  private CompletableFuture<Cell> startSpare() {
    CompletableFuture<Cell> next = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                Cell cell = Cell.start(main, limits);
                if (!next.complete(cell)) {
                  cell.close();
                }
              } catch (IOException | RuntimeException | Error e) {
                next.completeExceptionally(e);
              }
            },
            "orbit-cell-start");
    thread.setDaemon(true);
    thread.start();
    return next;
  }

  /** What is done with a cell. */
  @FunctionalInterface
  public interface Work<T> {
    T with(Cell cell) throws IOException;
  }

  /**
   * Does something with a cell of its own.
   *
   * @throws CellException if there was none in time, or it broke a limit
   */
  public <T> T with(Work<T> work) throws IOException {
    Cell cell = take();
    try {
      return work.with(cell);
    } finally {
      synchronized (this) {
        if (running.remove(cell) && cell.clean() && again.size() < most && !closed) {
          again.push(cell);
        } else {
          cell.close();
        }
        notifyAll();
      }
    }
  }

  /** How many are at work. */
  public synchronized int running() {
    return running.size();
  }

  private Cell take() throws IOException {
    long deadline = System.nanoTime() + wait.toNanos();
    try {
      if (!turn.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw busy();
      }
      try {
        CompletableFuture<Cell> mine;
        synchronized (this) {
          makeRoom(deadline);
          if (!again.isEmpty()) {
            mine = CompletableFuture.completedFuture(again.pop());
          } else {
            mine = spare.remove();
            spare.add(startSpare());
          }
        }
        Cell cell = started(mine);
        if (!cell.alive()) { // it ended while it waited
          cell.close();
          cell = Cell.start(main, limits);
        }
        synchronized (this) {
          if (closed) {
            cell.close();
            throw busy();
          }
          running.add(cell);
        }
        return cell;
      } finally {
        turn.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw busy();
    }
  }

  private static Cell started(CompletableFuture<Cell> spare) throws IOException {
    try {
      return spare.join();
    } catch (java.util.concurrent.CompletionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }
  }

  private void makeRoom(long deadline) throws InterruptedException {
    while (running.size() >= most) {
      long now = System.nanoTime();
      if (now > deadline) {
        throw busy();
      }
      Cell slow = running.stream().max(Comparator.comparingLong(Cell::weight)).orElseThrow();
      long left = PATIENCE.toNanos() - slow.weight();
      if (left <= 0) {
        slow.end(
            new CellException(
                "busy: the model took longer than %d s for one answer while others waited"
                    .formatted(PATIENCE.toSeconds()),
                true));
        running.remove(slow);
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, Math.min(left, deadline - now)));
    }
  }

  private static CellException busy() {
    return new CellException("busy: models of other visitors take all places", true);
  }

  /** Ends all cells, and waits until nothing of them is left, for a while. */
  @Override
  public synchronized void close() {
    closed = true;
    List<Cell> all = new ArrayList<>(running);
    all.addAll(again);
    for (CompletableFuture<Cell> waiting : spare) {
      if (!waiting.cancel(false) && !waiting.isCompletedExceptionally()) {
        all.add(waiting.join());
      }
    }
    running.clear();
    again.clear();
    all.forEach(Cell::close);
    try {
      CompletableFuture.allOf(all.stream().map(Cell::ended).toArray(CompletableFuture[]::new))
          .get(LEAVING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // what is left is in the system's folder for such files, and empty
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
