package org.orbitmap.app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.orbitmap.eval.Cluster;

/**
 * A cluster in this JVM, {@code forgetful[SEED]}: everything goes through bytes, pieces come in any
 * order, and the first result of every third one is lost after it was made. {@code
 * forgetful[SEED,N]} is gone after N results.
 */
public final class ForgetfulCluster implements Cluster {
  private final Random random;
  private final int most;

  private ForgetfulCluster(long seed, int most) {
    this.random = new Random(seed);
    this.most = most;
  }

  /** Finds it. */
  public static final class Provider implements Cluster.Provider {
    @Override
    public boolean accepts(String address) {
      return address.startsWith("forgetful[");
    }

    @Override
    public Cluster open(String address, Map<String, String> settings) {
      String[] numbers = address.replaceAll(".*\\[|\\]", "").split(",", -1);
      return new ForgetfulCluster(
          Long.parseLong(numbers[0]),
          numbers.length > 1 ? Integer.parseInt(numbers[1]) : Integer.MAX_VALUE);
    }
  }

  @Override
  public String description() {
    return "a forgetful cluster";
  }

  @Override
  public int width() {
    return 1;
  }

  @Override
  public <P extends Serializable, R extends Serializable> void run(
      String name, Work<P, R> work, Iterator<P> all, Results<R> results) throws IOException {
    List<P> pieces = new ArrayList<>();
    all.forEachRemaining(pieces::add);
    Work<P, R> there = copy(work);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    int told = 0;
    for (int i : order) {
      if (i % 3 == 0) {
        on(there, pieces.get(i));
      }
      if (told++ == most) {
        on(there, pieces.get(i));
        throw new IOException("expected the cluster to go on, found it gone");
      }
      results.add(i, copy(on(there, pieces.get(i))));
    }
  }

  private static <P, R> R on(Work<P, R> work, P piece) throws IOException {
    try {
      return work.on(copy(piece));
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @SuppressWarnings("unchecked") // what was written is read
  private static <T> T copy(T value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
