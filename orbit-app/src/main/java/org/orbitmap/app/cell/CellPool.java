package org.orbitmap.app.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * As many cells as allowed, each for one model and then ended, and a few more that have started and
 * wait. Starting one takes most of a second of a core, so who asks for many is made to wait, not
 * the others: visitors are served in turn, however many requests each has, and the last cell that
 * is ready is not for one who was served after another. A cell that has worked for a second in
 * silence makes way when all places are taken.
 */
public final class CellPool implements AutoCloseable {
  /** How long a cell may work in silence while others wait. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** How long the end of all of them may take. */
  private static final Duration LEAVING = Duration.ofSeconds(5);

  /** How long a cell is kept ready for a visitor who was here. */
  private static final Duration LATELY = Duration.ofSeconds(30);

  /** How many wait ready. */
  private static final int SPARE = 3;

  private final Class<?> main;
  private final CellLimits limits;
  private final int most;
  private final Duration wait;

  /** How many start at once: more would only be ready later. */
  private final int lanes = Math.max(2, Runtime.getRuntime().availableProcessors());

  private final Set<Cell> running = new LinkedHashSet<>();
  private final List<Turn> waiting = new ArrayList<>();

  /** When each visitor was last given a cell. */
  private final Map<String, Long> served = new HashMap<>();

  /** Those that wait, the oldest first, and before them those that refused what they were given. */
  private final Deque<Cell> ready = new ArrayDeque<>();

  private int starting;

  /** Why the last one did not start; told to the first who waits. */
  private CellException failure;

  private boolean closed;

  /** A request that waits for a cell; compared by identity. */
  private static final class Turn {
    private final String visitor;

    Turn(String visitor) {
      this.visitor = visitor;
    }
  }

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
      refill();
    }
  }

  /** Starts what is missing. */
  private void refill() {
    while (!closed && starting < lanes && ready.size() + starting < SPARE + waiting.size()) {
      starting++;
      Thread thread = new Thread(this::startOne, "orbit-cell-start");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void startOne() {
    try {
      Cell cell = Cell.start(main, limits);
      try {
        cell.await();
      } catch (CellException e) {
        cell.close();
        throw e;
      }
      offer(cell);
    } catch (IOException e) {
      started(new CellException("a cell did not start: " + e.getMessage(), true));
    } catch (CellException e) {
      started(e);
    } catch (RuntimeException | Error e) {
      started(new CellException("a cell did not start: " + e, true));
    }
  }

  /** Lets a cell wait, or ends it if nobody will come any more. */
  private void offer(Cell cell) {
    synchronized (this) {
      if (!closed) {
        ready.add(cell);
        started(null);
        refill();
        return;
      }
    }
    cell.close();
    cell.ended().join();
    started(null);
  }

  private synchronized void started(CellException why) {
    starting--;
    failure = why;
    notifyAll();
  }

  /** What is done with a cell. */
  @FunctionalInterface
  public interface Work<T> {
    T with(Cell cell) throws IOException;
  }

  /**
   * Does something with a cell of its own, which has started.
   *
   * @param visitor who asks, such as a network address
   * @throws CellException if there was none in time, or it broke a limit
   */
  public <T> T with(String visitor, Work<T> work) throws IOException {
    Cell cell = take(visitor);
    try {
      return work.with(cell);
    } finally {
      synchronized (this) {
        if (running.remove(cell) && cell.clean() && ready.size() < SPARE + most && !closed) {
          ready.push(cell);
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

  private synchronized Cell take(String visitor) throws IOException {
    long deadline = System.nanoTime() + wait.toNanos();
    Turn turn = new Turn(visitor);
    waiting.add(turn);
    try {
      while (true) {
        if (closed || System.nanoTime() > deadline) {
          throw busy();
        }
        removeEnded();
        refill();
        long pause = deadline - System.nanoTime();
        if (first() == turn) {
          if (failure != null && ready.isEmpty()) {
            CellException why = failure;
            failure = null;
            throw why;
          }
          long room = makeRoom();
          if (room <= 0 && ready.size() > kept(visitor)) {
            Cell cell = ready.remove();
            running.add(cell);
            served.put(visitor, System.nanoTime());
            return cell;
          }
          pause = room > 0 ? Math.min(pause, room) : pause;
        }
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, pause));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw busy();
    } finally {
      waiting.remove(turn);
      refill();
      notifyAll();
    }
  }

  /** Of those who wait the first: the visitor served longest ago, then who came first. */
  private Turn first() {
    long now = System.nanoTime();
    served.values().removeIf(time -> now - time > LATELY.toNanos());
    return waiting.stream().max(Comparator.comparingLong(t -> rest(t.visitor, now))).orElseThrow();
  }

  /** How long ago a visitor was served. */
  private long rest(String visitor, long now) {
    Long time = served.get(visitor);
    return time == null ? Long.MAX_VALUE : now - time;
  }

  /** How many ready cells are left to others who have been here lately and were served before. */
  private int kept(String visitor) {
    Long last = served.get(visitor);
    return last != null && served.values().stream().anyMatch(time -> time - last < 0) ? 1 : 0;
  }

  /** Takes out what ended while it waited. */
  private void removeEnded() {
    ready.removeIf(
        cell -> {
          if (!cell.alive()) {
            cell.close();
            return true;
          }
          return false;
        });
  }

  /** Ends the slowest cell if all places are taken; returns how long it still may work. */
  private long makeRoom() {
    if (running.size() < most) {
      return 0;
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
    }
    return left;
  }

  private static CellException busy() {
    return new CellException("busy: models of other visitors take all places", true);
  }

  /** Ends all cells, and waits until nothing of them is left, for a while. */
  @Override
  public synchronized void close() {
    closed = true;
    List<Cell> all = new ArrayList<>(running);
    all.addAll(ready);
    running.clear();
    ready.clear();
    all.forEach(Cell::close);
    notifyAll();
    try {
      long deadline = System.nanoTime() + LEAVING.toNanos();
      while (starting > 0
          && System.nanoTime() < deadline) { // they end as soon as they have started
        TimeUnit.NANOSECONDS.timedWait(this, LEAVING.toNanos());
      }
      CompletableFuture.allOf(all.stream().map(Cell::ended).toArray(CompletableFuture[]::new))
          .get(LEAVING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // what is left is in the system's folder for such files, and empty
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
