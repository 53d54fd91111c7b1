package org.orbitmap.cloud.mapping;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.group.SimilarityGroup.Rotations;

/**
 * The same number of canonical poses for every cloud, to pool a network over (paper, Proposition
 * 1): the directions of the axes, and with the larger number their orders, too, where eigenvalues
 * tie. The set is the same for every pose of a cloud, so whatever is pooled over it is invariant,
 * and does not depend on how the directions were chosen.
 *
 * <p>With λ₁ ≥ λ₂ ≥ … the second moments of the canonical cloud along the axes, two neighbours tie
 * if they differ by less than {@value #TIE} of the sum. Axes are exchanged with those that they tie
 * with; frames that then coincide are counted as often as they come, each equally often.
 *
 * @param mapping gives the canonical pose, which is the first frame
 * @param count how many: 1; in space 4 directions, 24 with orders; 8 and 48 with reflections; 2 and
 *     4 about the vertical
 */
public record CloudFrames(CloudMapping mapping, int count) implements Serializable {
  /** The share of the sum of the eigenvalues below which a difference is a tie. */
  public static final double TIE = 0.05;

  private static final int[][] SPACE = {
    {0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}
  };
  private static final int EVEN = 3; // the first permutations of SPACE

  public CloudFrames {
    Objects.requireNonNull(mapping, "mapping");
    if (!counts(mapping.group()).contains(count)) {
      throw new IllegalArgumentException(
          "frames: expected one of %s for clouds under %s, found %d"
              .formatted(counts(mapping.group()), mapping.group().name(), count));
    }
  }

  /** The numbers of frames that a group has: one, the directions, the directions and orders. */
  public static List<Integer> counts(SimilarityGroup group) {
    return group.rotations() == Rotations.NONE
        ? List.of(1)
        : List.of(1, directions(group), matrices(group, true, true).size());
  }

  /** How many directions of the axes are as good as each other. */
  public static int directions(SimilarityGroup group) {
    return matrices(group, false, false).size();
  }

  /**
   * The frames of a canonical cloud as matrices, for each {@link #state}; one list if the state is
   * of no effect.
   */
  public List<List<Similarity>> table() {
    SimilarityGroup group = mapping.group();
    if (count == 1) {
      return List.of(List.of(group.identity()));
    }
    if (count == directions(group)) {
      return List.of(matrices(group, false, false));
    }
    List<List<Similarity>> all = new ArrayList<>();
    for (int state = 0; state < 1 << (group.rotated() - 1); state++) {
      boolean first = (state & 1) != 0;
      boolean second = (state & 2) != 0;
      List<Similarity> own = new ArrayList<>();
      for (int p = 0; p < permutations(group).length; p++) {
        own.addAll(matrices(group, tied(group, p, first, second)));
      }
      all.add(own);
    }
    return all;
  }

  /** Which eigenvalues tie: 1 for the first two, and 2 more for the second and third. */
  public int state(PointCloud canonical) {
    int mixed = mapping.group().rotated();
    int d = canonical.dimension();
    double[] values = new double[mixed];
    double sum = 0;
    for (int i = 0; i < canonical.coordinates().length; i++) {
      if (i % d < mixed) {
        double square = (double) canonical.coordinates()[i] * canonical.coordinates()[i];
        values[i % d] += square;
        sum += square;
      }
    }
    int state = 0;
    for (int j = 0; j + 1 < mixed; j++) {
      state |= values[j] - values[j + 1] < TIE * sum ? 1 << j : 0;
    }
    return state;
  }

  /** The frames of a canonical cloud, itself first. */
  public List<PointCloud> of(PointCloud canonical) {
    List<List<Similarity>> table = table();
    CloudAction act = mapping.action();
    return table.get(table.size() == 1 ? 0 : state(canonical)).stream()
        .map(h -> act.act(h, canonical))
        .toList();
  }

  /** The mean of a network's answers over the frames: invariant. */
  public Function<PointCloud, float[]> pooled(Function<PointCloud, float[]> net) {
    return x -> {
      float[] mean = null;
      for (PointCloud frame : of(mapping.map(x).point())) {
        float[] answer = net.apply(frame);
        mean = mean == null ? new float[answer.length] : mean;
        for (int i = 0; i < answer.length; i++) {
          mean[i] += answer[i] / count;
        }
      }
      return mean;
    };
  }

  /** All frames: those of the directions alone, or of every order of the axes, too. */
  static List<Similarity> matrices(SimilarityGroup group, boolean first, boolean second) {
    List<Similarity> all = new ArrayList<>();
    int orders = first || second ? permutations(group).length : 1;
    for (int p = 0; p < orders; p++) {
      all.addAll(matrices(group, permutations(group)[p]));
    }
    return all;
  }

  private static int[][] permutations(SimilarityGroup group) {
    return group.rotated() == 3
        ? SPACE
        : group.dimension() == 2
            ? new int[][] {{0, 1}, {1, 0}}
            : new int[][] {{0, 1, 2}, {1, 0, 2}};
  }

  /**
   * An order of the axes as far as ties allow it: as it is if all tie, none if nothing does; if two
   * axes tie, they are exchanged in half of the orders.
   */
  private static int[] tied(SimilarityGroup group, int p, boolean first, boolean second) {
    int[][] all = permutations(group);
    boolean whole = group.rotated() == 3 ? first && second : first;
    boolean odd = group.rotated() == 3 && p >= EVEN;
    return whole ? all[p] : odd && (first || second) ? SPACE[first ? 5 : 3] : all[0];
  }

  /** The matrices of the group with one ±1 in each row and column, at these places. */
  private static List<Similarity> matrices(SimilarityGroup group, int[] order) {
    int d = group.dimension();
    List<Similarity> frames = new ArrayList<>();
    for (int signs = 0; signs < 1 << d; signs++) {
      double[] r = new double[d * d];
      for (int i = 0; i < d; i++) {
        r[i * d + order[i]] = (signs >> i & 1) == 0 ? 1 : -1;
      }
      Similarity h = new Similarity(1, r, new double[d]);
      boolean upright = r[d * d - 1] == 1 || group.rotations() != Rotations.VERTICAL;
      if (upright && (group.rotations() == Rotations.ALL || h.handedness() > 0)) {
        frames.add(h);
      }
    }
    return frames;
  }
}
