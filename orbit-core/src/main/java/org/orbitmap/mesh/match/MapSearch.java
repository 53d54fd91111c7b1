package org.orbitmap.mesh.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Looks for the map between two surfaces without knowing anything of it: eigenfunction after
 * eigenfunction is added, once with either sign, and the maps that change distances least and keep
 * the sense of rotation go on.
 *
 * <p>An isometry takes eigenfunctions to eigenfunctions, up to their signs as long as eigenvalues
 * differ, and a few functions almost tell points apart. So a map is a path in a tree of signs; each
 * step of it is refined (points from functions, functions from points), by which functions may also
 * change places. A beam of the best paths that differ goes from level to level. Both an animal's
 * map and its mirror image survive on the way; the orientation decides between them.
 */
final class MapSearch {
  /** How many maps go on to the next level. */
  private static final int WIDTH = 24;

  /** With so many functions both signs are tried. */
  private static final int LEVELS = 9;

  /** From here on maps follow from the points alone, too. */
  private static final int FOLLOWED = 4;

  /** With so many functions the maps are compared at the end. */
  private static final int TOP = 20;

  /** Maps closer than this on average are the same. */
  private static final double SAME = 0.08;

  private static final int STEPS = 2;

  /**
   * What was moved to fit distances fits them a little better anyway; more than that counts. On
   * TOSCA's pairs without cat0–cat1 each half of them has its least mean error anywhere between
   * 0.70 and 0.80 (docs/isometry.md): this is the middle.
   */
  private static final double BETTER = 0.75;

  /** So many of the best are looked at more closely at the end. */
  private static final int SETTLED = 8;

  private final SampledSurface a;
  private final SampledSurface b;
  private final Landmarks landmarks;

  MapSearch(SampledSurface a, SampledSurface b, Landmarks landmarks) {
    this.a = a;
    this.b = b;
    this.landmarks = landmarks;
  }

  /**
   * The best maps, best first; all of them differ.
   *
   * @param other a functional map from elsewhere that competes, found meanwhile
   */
  List<Candidate> run(Supplier<FunctionalMap> other) {
    int most = Math.min(a.spectrum.size(), b.spectrum.size());
    List<Candidate> beam = List.of(refined(new FunctionalMap(new double[][] {{1}})));
    int level = 1;
    while (level < Math.min(LEVELS, most)) {
      level++;
      List<FunctionalMap> starts = new ArrayList<>();
      for (Candidate c : beam) {
        starts.add(c.map().extended(1));
        starts.add(c.map().extended(-1));
        if (level > FOLLOWED) {
          starts.add(FunctionalMap.of(level, a.coarse, b.coarse, c.points()));
        }
      }
      beam = best(starts.parallelStream().map(this::refined).toList());
    }
    List<Candidate> last = new ArrayList<>(beam);
    last.add(refined(other.get()));
    int top = Math.min(TOP, most);
    List<Candidate> zoomed = best(last.parallelStream().map(c -> zoomed(c, top)).toList());
    double enough = BETTER * zoomed.get(0).energy();
    List<Candidate> all = new ArrayList<>(zoomed);
    zoomed.stream()
        .limit(SETTLED)
        .parallel()
        .map(this::settled)
        .filter(c -> c.energy() < enough)
        .forEachOrdered(all::add);
    return best(all);
  }

  /**
   * Puts each point where its distances to all others fit best, as the map has those: so a few
   * limbs in the wrong place, such as a tail for a leg, are outvoted by the rest of the body.
   */
  private Candidate settled(Candidate c) {
    int[] t = c.points();
    for (int sweep = 0; sweep < STEPS; sweep++) {
      int[] next = new int[t.length];
      for (int p = 0; p < t.length; p++) {
        next[p] = place(t, b.distance[p]);
      }
      t = next;
    }
    int k = c.map().c().length;
    int[] smooth =
        FunctionalMap.of(k, a.coarse, b.coarse, t).points(a.coarse.basis(), b.coarse.basis());
    return rated(k, smooth);
  }

  private int place(int[] t, float[] distances) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int q = 0; q < a.coarse.size(); q++) {
      float[] row = a.distance[q];
      double sum = 0;
      for (int r = 0; r < t.length && sum < least; r += 2) {
        sum += Math.abs(row[t[r]] - distances[r]);
      }
      if (sum < least) {
        least = sum;
        best = q;
      }
    }
    return best;
  }

  private Candidate refined(FunctionalMap start) {
    int k = start.c().length;
    int[] t = start.points(a.coarse.basis(), b.coarse.basis());
    for (int i = 0; i < STEPS; i++) {
      t = FunctionalMap.of(k, a.coarse, b.coarse, t).points(a.coarse.basis(), b.coarse.basis());
    }
    return rated(k, t);
  }

  private Candidate zoomed(Candidate c, int top) {
    int[] t = c.points();
    for (int k = Math.min(top, c.map().c().length + 1); k <= top; k++) {
      t = FunctionalMap.of(k, a.coarse, b.coarse, t).points(a.coarse.basis(), b.coarse.basis());
    }
    return rated(top, t);
  }

  private Candidate rated(int k, int[] t) {
    return Candidate.of(a, b, landmarks, FunctionalMap.of(k, a.coarse, b.coarse, t), t);
  }

  /** Of maps that are the same, the better one; of all, the best. */
  private List<Candidate> best(List<Candidate> all) {
    List<Candidate> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingDouble(Candidate::energy));
    List<Candidate> kept = new ArrayList<>();
    for (Candidate c : sorted) {
      if (kept.size() < WIDTH && kept.stream().noneMatch(o -> o.apart(c, a, b) < SAME)) {
        kept.add(c);
      }
    }
    return kept;
  }
}
