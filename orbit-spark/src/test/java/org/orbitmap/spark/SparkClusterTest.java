package org.orbitmap.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.BitSet;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.orbitmap.eval.Cluster;
import org.orbitmap.io.UserError;

class SparkClusterTest {
  private static Cluster cluster;

  @BeforeAll
  static void open() throws IOException {
    cluster = new SparkClusters().open("local[2]", Map.of());
  }

  @AfterAll
  static void close() {
    cluster.close();
  }

  private static Iterator<Integer> upTo(int count) {
    return IntStream.range(0, count).iterator();
  }

  /** However many pieces there are, a bounded number is held; each result comes once. */
  @Test
  void piecesAreTakenAsTheyAreNeeded() throws IOException {
    int count = 1000;
    AtomicInteger taken = new AtomicInteger();
    Iterator<Integer> numbers = upTo(count);
    Iterator<Integer> counted =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return numbers.hasNext();
          }

          @Override
          public Integer next() {
            taken.incrementAndGet();
            return numbers.next();
          }
        };
    BitSet told = new BitSet();
    int[] ahead = new int[1];
    Cluster.Work<Integer, Integer> square = i -> i * i;
    cluster.run(
        "squares",
        square,
        counted,
        (i, result) -> {
          assertThat(result).isEqualTo(i * i);
          assertThat(told.get(i)).as("told before").isFalse();
          ahead[0] = Math.max(ahead[0], taken.get() - told.nextClearBit(0));
          told.set(i);
        });
    assertThat(told.cardinality()).isEqualTo(count);
    assertThat(ahead[0]).isLessThanOrEqualTo(2 * 16 * cluster.width());
  }

  @Test
  void theFirstFailureEndsIt() {
    Cluster.Work<Integer, Integer> picky =
        i -> {
          if (i == 70) {
            throw new IllegalArgumentException("expected another number, found 70");
          }
          return i;
        };
    assertThatThrownBy(() -> cluster.run("picky", picky, upTo(100_000), (i, result) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected another number, found 70");
    Cluster.Work<Integer, Integer> same = i -> i;
    assertThatThrownBy(
            () ->
                cluster.run(
                    "full",
                    same,
                    upTo(100_000),
                    (i, result) -> {
                      throw new IOException("the disk is full");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("the disk is full");
  }

  @Test
  void mastersAreKnownByTheirForm() {
    SparkClusters clusters = new SparkClusters();
    for (String master :
        "local|local[*]|local[4]|local[2,3]|local-cluster[2,1,900]|spark://h:7077|k8s://h|yarn"
            .split("[|]", -1)) {
      assertThat(clusters.accepts(master)).as(master).isTrue();
    }
    for (String other :
        "local[x]|local[]|local-cluster[2]|spark://|mesos://h|yarn-client".split("[|]", -1)) {
      assertThat(clusters.accepts(other)).as(other).isFalse();
    }
  }

  /** A process has one Spark: a second is a case of what Spark refuses when it starts. */
  @Test
  void whatSparkSaysIsPassedOn() {
    assertThatThrownBy(() -> new SparkClusters().open("local[1]", Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("local[1]: expected a Spark cluster there, found: ")
        .hasMessageContaining("SparkContext")
        .message()
        .hasLineCount(1);
  }

  /** Their managers come with an installed Spark, not from the repositories of libraries. */
  @Test
  void mastersOfAnInstalledSparkAreLeftToIt() {
    for (String master : new String[] {"yarn", "k8s://https://127.0.0.1:6443"}) {
      assertThatThrownBy(() -> new SparkClusters().open(master, Map.of()))
          .isInstanceOf(UserError.class)
          .hasMessageStartingWith(master + ": expected Spark's part for it")
          .hasMessageContaining("spark-submit");
    }
  }
}
