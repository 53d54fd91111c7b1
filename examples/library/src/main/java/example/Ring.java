package example;

import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.group.FiniteGroup;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;

/**
 * A mapping of one's own: readings of n microphones in a ring, which may be mounted in any of n
 * positions. The loudest comes first. The margin is how much louder it is than the next.
 *
 * @param n how many there are
 */
public record Ring(int n) implements OrbitMapping<Integer, double[]> {
  /** The cyclic group of n positions. */
  public record Positions(int n) implements FiniteGroup<Integer> {
    @Override
    public String name() {
      return "C(" + n + ")";
    }

    @Override
    public List<Integer> elements() {
      return IntStream.range(0, n).boxed().toList();
    }

    @Override
    public Integer identity() {
      return 0;
    }

    @Override
    public Integer compose(Integer g, Integer h) {
      return (g + h) % n;
    }

    @Override
    public Integer inverse(Integer g) {
      return (n - g) % n;
    }

    @Override
    public double distance(Integer g, Integer h) {
      return g.equals(h) ? 0 : 1;
    }
  }

  @Override
  public String name() {
    return "loudest-first";
  }

  /** act(g, x)(i) = x(i - g) */
  @Override
  public GroupAction<Integer, double[]> action() {
    return GroupAction.of(
        new Positions(n),
        (g, x) ->
            IntStream.range(0, x.length)
                .mapToDouble(i -> x[Math.floorMod(i - g, x.length)])
                .toArray());
  }

  @Override
  public Canonical<Integer, double[]> map(double[] x) {
    int first = 0;
    for (int i = 1; i < n; i++) {
      first = x[i] > x[first] ? i : first;
    }
    double next = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < n; i++) {
      next = i == first ? next : Math.max(next, x[i]);
    }
    int element = (n - first) % n;
    return new Canonical<>(action().act(element, x), element, x[first] - next);
  }
}
