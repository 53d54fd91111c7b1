package org.orbitmap.app.soak;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.orbitmap.eval.Progress;

/**
 * Models that mean harm, several at once and some by visitors who leave, while others go on as
 * usual: no file gets out, nothing leaks, nobody else waits.
 */
final class UploadSoak implements SoakTarget {
  private static final int ATTACKERS = 3;

  /** Who means harm comes from one address, everybody else from another. */
  private static final String ATTACKER = "127.0.0.2";

  private static final String VISITOR = "127.0.0.1";

  private static final double MOST_SECONDS = 2;

  /** Harmless uploads before anything else, for comparison. */
  private static final int ALONE = 9;

  /** What the attack may cost anybody else, ever. */
  private static final double MOST_COST_SECONDS = 1;

  /** What a file that a model names would show. */
  private static final String SECRET = "root:";

  @Override
  public String name() {
    return "uploads";
  }

  @Override
  public String about() {
    return "models that mean harm, %d at once, beside visitors who mean none".formatted(ATTACKERS);
  }

  @Override
  public String unit() {
    return "uploads";
  }

  @Override
  public int usual() {
    return 200;
  }

  @Override
  public Result run(int amount, long seed, Progress progress, Keeper keeper) throws Exception {
    try (ServedProcess server = ServedProcess.start()) {
      return new Run(server, amount, seed, progress).result();
    }
  }

  private static final class Run {
    private final ServedProcess server;
    private final ServerLoad load;
    private final int amount;
    private final long seed;
    private final Progress progress;
    private final List<Map.Entry<String, byte[]>> models =
        List.copyOf(HostileModels.all().entrySet());
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Map<String, Map<String, Integer>> answers = new TreeMap<>();
    private final List<String> broken = Collections.synchronizedList(new ArrayList<>());
    private final List<Double> visits = Collections.synchronizedList(new ArrayList<>());
    private final List<Double> uploads = Collections.synchronizedList(new ArrayList<>());
    private final List<Double> alone = new ArrayList<>();
    private volatile boolean over;

    Run(ServedProcess server, int amount, long seed, Progress progress) {
      this.server = server;
      this.load = new ServerLoad(server.port());
      this.amount = amount;
      this.seed = seed;
      this.progress = progress;
    }

    Result result() throws Exception {
      for (int i = 0; i < ALONE; i++) {
        harmless(alone);
      }
      List<Thread> attackers = new ArrayList<>();
      for (int i = 0; i < ATTACKERS; i++) {
        attackers.add(start(this::attack));
      }
      Thread visitor = start(this::visit);
      Thread uploader = start(this::upload);
      Leaks leaks = new Leaks(server);
      while (attackers.stream().anyMatch(Thread::isAlive)) {
        leaks.look();
        Thread.sleep(1000);
      }
      over = true;
      visitor.join();
      uploader.join();
      Map<String, Object> figures = SoakCommand.figures();
      figures.put("uploads", done.get());
      figures.put("answers", answers);
      figures.put("visits", visits.size());
      figures.put("visitP99Millis", percentile(visits));
      figures.put("visitMaxMillis", Collections.max(visits));
      figures.put("harmlessUploads", uploads.size());
      figures.put("harmlessAloneMedianMillis", median(alone));
      figures.put("harmlessUploadMedianMillis", median(uploads));
      figures.put("harmlessUploadMaxMillis", Collections.max(uploads));
      double cost = Collections.max(uploads) - median(alone);
      figures.put("harmlessCostMaxMillis", cost);
      if (percentile(visits) > 1e3 * MOST_SECONDS) {
        broken.add("1 in 100 visitors waited longer than %s s".formatted(MOST_SECONDS));
      }
      if (Collections.max(visits) > 1e3 * MOST_COST_SECONDS) {
        broken.add("a visitor waited longer than %s s".formatted(MOST_COST_SECONDS));
      }
      if (cost > 1e3 * MOST_COST_SECONDS) {
        broken.add("a harmless upload took more than %s s longer".formatted(MOST_COST_SECONDS));
      }
      if (!ended()) {
        broken.add("cells stay at work though nobody waits for them");
      }
      leaks.tell(figures, broken);
      return new Result(figures, List.copyOf(broken));
    }

    private static Thread start(Runnable work) {
      Thread thread = new Thread(work);
      thread.start();
      return thread;
    }

    private void attack() {
      for (int i = next.getAndIncrement(); i < amount; i = next.getAndIncrement()) {
        var model = models.get(i % models.size());
        Random random = new Random(seed + i);
        byte[] body = model.getValue();
        boolean changed = i >= models.size() && random.nextInt(4) == 0;
        if (changed) { // the same with a few other bytes
          body = body.clone();
          for (int k = 0; k < 3; k++) {
            body[random.nextInt(body.length)] = (byte) random.nextInt(256);
          }
        }
        boolean leaves = i >= models.size() && random.nextInt(8) == 0;
        String path = (random.nextBoolean() ? "/api/wrap" : "/api/audit") + "?frames=2";
        String answer;
        try {
          answer = leaves ? leave(path, body) : ask(ATTACKER, path, body);
        } catch (IOException e) {
          answer = server.alive() ? "no answer" : "no server";
          if (!changed) {
            broken.add("%s: no answer (%s)".formatted(model.getKey(), e));
          }
        }
        String kind = model.getKey() + (changed ? ", changed" : "");
        synchronized (answers) {
          answers.computeIfAbsent(kind, k -> new TreeMap<>()).merge(answer, 1, Integer::sum);
        }
        progress.update(done.incrementAndGet(), amount);
      }
    }

    private static byte[] request(String path, byte[] body) {
      return ServerLoad.http("POST", path, "application/octet-stream", body);
    }

    /** Goes away before the answer. */
    private String leave(String path, byte[] body) throws IOException {
      try (Socket socket = load.connect(InetAddress.getByName(ATTACKER))) {
        socket.getOutputStream().write(request(path, body));
        try {
          Thread.sleep(200);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return "left";
    }

    private String ask(String from, String path, byte[] body) throws IOException {
      try (Socket socket = load.connect(InetAddress.getByName(from))) {
        socket.setSoTimeout(300_000);
        byte[] closing = request(path, body);
        socket.getOutputStream().write(closing);
        InputStream in = new BufferedInputStream(socket.getInputStream());
        ServerLoad.Answer answer = ServerLoad.whole(in);
        if (answer.status() < 0) {
          throw new IOException("the connection ended");
        }
        if (answer.status() == 500) {
          broken.add(path + ": an error inside the server");
        }
        String text = new String(answer.body(), StandardCharsets.ISO_8859_1);
        if (text.contains(SECRET)) {
          broken.add(path + ": the answer holds what is in a file");
        }
        return answer.status() == 200 && text.contains("event: error")
            ? "refused while it ran"
            : Integer.toString(answer.status());
      }
    }

    /** An ordinary request ten times a second. */
    private void visit() {
      while (!over) {
        long begun = System.nanoTime();
        try {
          if (!load.answersAgain()) {
            broken.add("an ordinary request was not answered");
          }
          visits.add((System.nanoTime() - begun) / 1e6);
          Thread.sleep(100);
        } catch (IOException e) {
          broken.add("an ordinary request was not answered: " + e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }

    /** A model that means no harm now and then. */
    private void upload() {
      while (!over) {
        try {
          harmless(uploads);
          Thread.sleep(2000);
        } catch (IOException e) {
          broken.add("a harmless model was not wrapped: " + e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }

    private void harmless(List<Double> times) throws IOException {
      long begun = System.nanoTime();
      String status = ask(VISITOR, "/api/wrap?frames=1", HostileModels.harmless());
      times.add((System.nanoTime() - begun) / 1e6);
      if (!status.equals("200")) {
        broken.add("a harmless model was not wrapped: " + status);
      }
    }

    private boolean ended() throws Exception {
      for (int i = 0; i < 300; i++) {
        if (load.gauge("orbit_cells") == 0) {
          return true;
        }
        Thread.sleep(100);
      }
      return false;
    }

    private static double percentile(List<Double> all) {
      List<Double> sorted = all.stream().sorted().toList();
      return sorted.get((int) (0.99 * (sorted.size() - 1)));
    }

    private static double median(List<Double> all) {
      return all.stream().sorted().toList().get(all.size() / 2);
    }
  }
}
