package org.orbitmap.app.cell;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;

/** The inside of a cell: reads tasks, does them one after the other, answers. */
public final class CellLoop {
  private final DataOutputStream out;
  private final Map<String, Task> tasks;
  private final BooleanSupplier clean;

  private CellLoop(DataOutputStream out, Map<String, Task> tasks, BooleanSupplier clean) {
    this.out = out;
    this.tasks = tasks;
    this.clean = clean;
  }

  /** What a cell can do. */
  @FunctionalInterface
  public interface Task {
    /**
     * Does it.
     *
     * @return the result; null for one that says nothing
     */
    Answer run(Frame frame, Say say) throws Exception;
  }

  /** A result. */
  public record Answer(Object head, byte[] payload) {}

  /** Tells something before the result. */
  @FunctionalInterface
  public interface Say {
    void event(String name, Object head) throws IOException;

    /** Tells that it is still at work. */
    default void beat() throws IOException {
      event(Frame.BEAT, null);
    }
  }

  /**
   * Answers until nobody asks any more; then the process ends, whatever it is doing.
   *
   * @param warm what is done before the first task, so that it starts fast
   * @param clean whether nothing hostile has been run yet, so that the cell may serve again
   */
  public static void run(Map<String, Task> tasks, Runnable warm, BooleanSupplier clean) {
    Locale.setDefault(Locale.ROOT);
    DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16));
    CellLoop loop =
        new CellLoop(
            new DataOutputStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16)),
            tasks,
            clean);
    System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
    LinkedBlockingQueue<Frame> asked = new LinkedBlockingQueue<>();
    Thread worker =
        new Thread(
            () -> {
              try {
                warm.run();
                loop.say(Frame.of(Frame.READY, null, null));
                while (true) {
                  loop.answer(asked.take());
                }
              } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
              }
            },
            "cell");
    worker.setDaemon(true);
    worker.start();
    try {
      while (true) {
        asked.add(Frame.read(in, Integer.MAX_VALUE));
      }
    } catch (IOException e) {
      Runtime.getRuntime().halt(0); // who asked has gone
    }
  }

  private static String brief(String text) {
    return text.length() > 1000 ? text.substring(0, 1000) + " …" : text;
  }

  private void say(Frame frame) throws IOException {
    synchronized (out) {
      frame.write(out);
    }
  }

  private void answer(Frame asked) throws IOException {
    Frame last;
    try {
      Task task = tasks.get(asked.name());
      if (task == null) {
        throw new IOException(
            "expected one of %s, found %s".formatted(tasks.keySet(), asked.name()));
      }
      Answer answer = task.run(asked, (name, head) -> say(Frame.of(name, head, null)));
      last =
          Frame.of(
              Frame.RESULT,
              answer == null ? null : answer.head(),
              answer == null ? null : answer.payload());
    } catch (Exception | LinkageError | StackOverflowError e) {
      String message = e.getMessage() == null ? e.toString() : e.getMessage();
      Object head = Map.of("message", brief(message), "clean", clean.getAsBoolean());
      last = Frame.of(Frame.PROBLEM, head, null);
    }
    say(last);
  }
}
