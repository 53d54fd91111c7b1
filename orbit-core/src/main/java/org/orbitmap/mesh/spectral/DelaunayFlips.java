package org.orbitmap.mesh.spectral;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Flips edges of a surface until it is Delaunay: as long as the two angles that look at an edge sum
 * up to more than half a turn (their cotangents to less than 0), the edge is replaced by the other
 * diagonal of its two triangles, laid out flat.
 */
final class DelaunayFlips {
  private static final double TOLERANCE = 1e-12;

  private final int[] t;
  private final double[] length;
  private final int[] twin;
  private final Surface surface;

  private DelaunayFlips(Surface s) {
    t = s.triangles().clone();
    length = s.lengths().clone();
    twin = s.twins().clone();
    surface = new Surface(s.vertices(), t, length, twin, true);
  }

  static Surface of(Surface s) {
    DelaunayFlips flips = new DelaunayFlips(s);
    flips.run();
    return flips.surface;
  }

  private void run() {
    Deque<Integer> waiting = new ArrayDeque<>();
    for (int h = 0; h < t.length; h++) {
      if (twin[h] > h) {
        waiting.add(h);
      }
    }
    long most = 50L * t.length; // far beyond what the flips of a proper surface need
    for (long step = 0; !waiting.isEmpty() && step < most; step++) {
      int h = waiting.poll();
      int o = twin[h];
      if (o < 0 || o / 3 == h / 3) {
        continue;
      }
      if (surface.cotangent(h) + surface.cotangent(o) < -TOLERANCE && flip(h, o)) {
        for (int e : new int[] {h, Surface.next(h), o, Surface.next(o)}) {
          for (int side : new int[] {e, Surface.next(Surface.next(e))}) {
            waiting.add(side);
          }
        }
      }
    }
  }

  /** Half-edge h = a→b with c in front, o = b→a with d: the edge becomes c–d. */
  private boolean flip(int h, int o) {
    int hb = Surface.next(h); // b→c
    int hc = Surface.next(hb); // c→a
    int oa = Surface.next(o); // a→d
    int od = Surface.next(oa); // d→b
    double ab = length[h];
    double bc = length[hb];
    double ca = length[hc];
    double ad = length[oa];
    double db = length[od];
    // Laid out flat: a at 0, b at (ab, 0), c above, d below.
    double cx = (ab * ab + ca * ca - bc * bc) / (2 * ab);
    double cy = 2 * Surface.heron(ab, bc, ca) / ab;
    double dx = (ab * ab + ad * ad - db * db) / (2 * ab);
    double dy = -2 * Surface.heron(ab, ad, db) / ab;
    double cd = Math.hypot(cx - dx, cy - dy);
    if (!(cd > 0) || !(Surface.heron(cd, db, bc) > 0) || !(Surface.heron(cd, ca, ad) > 0)) {
      return false;
    }
    int a = t[h];
    int b = t[hb];
    int c = t[hc];
    int d = t[od];
    int tbc = twin[hb];
    int tca = twin[hc];
    int tad = twin[oa];
    int tdb = twin[od];
    // Triangle of h becomes d→c→a … : (c, a, d) at h; that of o becomes (d, b, c).
    set(h, d, cd);
    set(hb, c, ca);
    set(hc, a, ad);
    set(o, c, cd);
    set(oa, d, db);
    set(od, b, bc);
    twin[h] = o;
    twin[o] = h;
    join(hb, tca, hc, hb, oa, od);
    join(hc, tad, hc, hb, oa, od);
    join(oa, tdb, hc, hb, oa, od);
    join(od, tbc, hc, hb, oa, od);
    return true;
  }

  private void set(int h, int from, double l) {
    t[h] = from;
    length[h] = l;
  }

  /**
   * Joins a moved half-edge with its old twin, which may be one of the four that moved, too: their
   * old places (c→a, b→c, a→d, d→b) were hc, hb, oa, od and are now hb, od, hc, oa.
   */
  private void join(int h, int old, int wasCa, int wasBc, int wasAd, int wasDb) {
    int to = old;
    if (old == wasCa) {
      to = wasBc; // c→a lies where b→c was
    } else if (old == wasBc) {
      to = wasDb;
    } else if (old == wasAd) {
      to = wasCa;
    } else if (old == wasDb) {
      to = wasAd;
    }
    twin[h] = to;
    if (to >= 0) {
      twin[to] = h;
    }
  }
}
