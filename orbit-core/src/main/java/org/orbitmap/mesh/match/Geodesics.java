package org.orbitmap.mesh.match;

import java.util.Arrays;
import org.orbitmap.mesh.spectral.Surface;

/**
 * Distances on a surface: shortest paths along the edges and across pairs of triangles.
 *
 * <p>Beside each edge there is the straight way between the two vertices that look at it, where it
 * stays inside the two triangles laid out flat. Such paths lie on the surface, so that a distance
 * is never too short; it is too long by a few per cent.
 */
public final class Geodesics {
  private final int n;
  private final int[] start;
  private final int[] to;
  private final float[] length;

  /** The graph of a surface. */
  public Geodesics(Surface s) {
    n = s.vertices();
    int most = 4 * s.triangles().length;
    int[] from = new int[most];
    int[] target = new int[most];
    float[] l = new float[most];
    int count = 0;
    int[] t = s.triangles();
    for (int h = 0; h < t.length; h++) {
      int twin = s.twins()[h];
      if (twin < 0 || h < twin) {
        count = add(from, target, l, count, t[h], t[Surface.next(h)], s.lengths()[h]);
        if (twin >= 0) {
          double across = across(s, h, twin);
          if (across > 0) {
            int c = t[Surface.next(Surface.next(h))];
            int d = t[Surface.next(Surface.next(twin))];
            count = add(from, target, l, count, c, d, across);
          }
        }
      }
    }
    start = new int[n + 1];
    for (int e = 0; e < count; e++) {
      start[from[e] + 1]++;
    }
    for (int v = 0; v < n; v++) {
      start[v + 1] += start[v];
    }
    int[] place = Arrays.copyOf(start, n);
    to = new int[count];
    length = new float[count];
    for (int e = 0; e < count; e++) {
      int at = place[from[e]]++;
      to[at] = target[e];
      length[at] = l[e];
    }
  }

  private static int add(int[] from, int[] to, float[] l, int count, int a, int b, double x) {
    from[count] = a;
    to[count] = b;
    l[count] = (float) x;
    from[count + 1] = b;
    to[count + 1] = a;
    l[count + 1] = (float) x;
    return count + 2;
  }

  /** The other diagonal of two triangles laid out flat, or -1 if it leaves them. */
  private static double across(Surface s, int h, int o) {
    double[] l = s.lengths();
    boolean turned = s.triangles()[h] == s.triangles()[o]; // not oriented alike
    int h1 = Surface.next(h);
    int o1 = Surface.next(o);
    double ab = l[h];
    double bc = l[h1];
    double ca = l[Surface.next(h1)];
    double ad = turned ? l[Surface.next(o1)] : l[o1];
    double db = turned ? l[o1] : l[Surface.next(o1)];
    double cx = (ab * ab + ca * ca - bc * bc) / (2 * ab);
    double cy = Math.sqrt(Math.max(0, ca * ca - cx * cx));
    double dx = (ab * ab + ad * ad - db * db) / (2 * ab);
    double dy = Math.sqrt(Math.max(0, ad * ad - dx * dx));
    if (!(cy + dy > 0)) {
      return -1;
    }
    double crossing = (cx * dy + dx * cy) / (cy + dy);
    return crossing > 0 && crossing < ab ? Math.hypot(cx - dx, cy + dy) : -1;
  }

  /** The distances of all vertices from one; infinite in other components. */
  public float[] from(int source) {
    float[] d = new float[n];
    Arrays.fill(d, Float.POSITIVE_INFINITY);
    new Search().spread(source, d, -1);
    return d;
  }

  /** The distance of two vertices. */
  public float between(int a, int b) {
    if (a == b) {
      return 0;
    }
    float[] d = new float[n];
    Arrays.fill(d, Float.POSITIVE_INFINITY);
    new Search().spread(a, d, b);
    return d[b];
  }

  /**
   * Points far apart: the first is the one farthest from vertex 0, each further one is farthest
   * from those before. The first m of them are the points that {@code farthest(m)} gives.
   *
   * @param owner receives for each vertex the place of its nearest point in the result
   */
  public int[] farthest(int count, int[] owner) {
    Search search = new Search();
    float[] first = from(0);
    int next = 0;
    for (int v = 0; v < n; v++) {
      if (first[v] > first[next]) {
        next = v;
      }
    }
    float[] d = new float[n];
    Arrays.fill(d, Float.POSITIVE_INFINITY);
    int[] points = new int[Math.min(count, n)];
    search.owner = owner;
    for (int i = 0; i < points.length; i++) {
      points[i] = next;
      search.mark = i;
      search.spread(next, d, -1);
      next = 0;
      for (int v = 1; v < n; v++) {
        if (d[v] > d[next]) {
          next = v;
        }
      }
    }
    return points;
  }

  /** Dijkstra's algorithm on a binary heap; it goes on only where it comes closer than before. */
  private final class Search {
    private int[] heap = new int[256];
    private float[] key = new float[256];
    private int size;
    private int[] owner;
    private int mark;

    void spread(int source, float[] d, int target) {
      size = 0;
      d[source] = 0;
      push(source, 0);
      while (size > 0) {
        int v = heap[0];
        float dv = key[0];
        pop();
        if (dv > d[v]) {
          continue;
        }
        if (owner != null) {
          owner[v] = mark;
        }
        if (v == target) {
          return;
        }
        for (int e = start[v]; e < start[v + 1]; e++) {
          float x = dv + length[e];
          if (x < d[to[e]]) {
            d[to[e]] = x;
            push(to[e], x);
          }
        }
      }
    }

    private void push(int v, float x) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
        key = Arrays.copyOf(key, 2 * size);
      }
      int i = size++;
      while (i > 0 && key[(i - 1) / 2] > x) {
        heap[i] = heap[(i - 1) / 2];
        key[i] = key[(i - 1) / 2];
        i = (i - 1) / 2;
      }
      heap[i] = v;
      key[i] = x;
    }

    private void pop() {
      size--;
      int v = heap[size];
      float x = key[size];
      int i = 0;
      while (true) {
        int child = 2 * i + 1;
        if (child >= size) {
          break;
        }
        if (child + 1 < size && key[child + 1] < key[child]) {
          child++;
        }
        if (key[child] >= x) {
          break;
        }
        heap[i] = heap[child];
        key[i] = key[child];
        i = child;
      }
      heap[i] = v;
      key[i] = x;
    }
  }
}
