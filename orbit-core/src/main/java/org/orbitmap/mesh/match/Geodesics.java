package org.orbitmap.mesh.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.orbitmap.mesh.spectral.Surface;

/**
 * Distances on a surface: shortest paths along the edges and across pairs of triangles.
 *
 * <p>Beside each edge there is the straight way between the two vertices that look at it, where it
 * stays inside the two triangles laid out flat. Such paths lie on the surface, so that a distance
 * is never too short; it is too long by a few per cent.
 */
public final class Geodesics {
  private static final int MOST_ROWS = 4096;

  private final int n;
  private final int[] start;
  private final int[] to;
  private final float[] length;

  /** How long the distances of a row are, and how many rows no edge leads beyond. */
  private final float width;

  private final int rows;

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
    double sum = 0;
    float longest = 0;
    for (float x : length) {
      sum += x;
      longest = Math.max(longest, x);
    }
    width = (float) Math.max(sum / (2 * count), longest / MOST_ROWS);
    rows = (int) (longest / width) + 3;
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
   * Points, and the part of the surface around each.
   *
   * @param points their vertices
   * @param owner for each vertex of the surface the place of its nearest point
   */
  public record Cells(int[] points, int[] owner) {}

  /**
   * Points far apart: the first is the one farthest from vertex 0, each further one is farthest
   * from those before.
   *
   * @param counts how many points, ascending; there are at most as many as vertices
   * @return the cells of the first points, for each count
   */
  public List<Cells> farthest(int... counts) {
    List<Cells> cells = new ArrayList<>();
    int[] points = new int[n];
    int[] owner = new int[n];
    Search search = new Search();
    float[] d = from(0);
    int next = last(d);
    Arrays.fill(d, Float.POSITIVE_INFINITY);
    search.owner = owner;
    int i = 0;
    for (int count : counts) {
      for (; i < Math.min(count, n); i++) {
        points[i] = next;
        search.mark = i;
        search.spread(next, d, -1);
        next = last(d);
      }
      cells.add(new Cells(Arrays.copyOf(points, i), owner.clone()));
    }
    return cells;
  }

  /** The vertex with the largest distance, the first one of equals. */
  private static int last(float[] d) {
    int last = 0;
    float most = d[0];
    for (int v = 1; v < d.length; v++) {
      if (d[v] > most) {
        most = d[v];
        last = v;
      }
    }
    return last;
  }

  /**
   * Shortest paths from one vertex; they go on only where they come closer than before.
   *
   * <p>Vertices wait in rows by their distance, each row as wide as a short edge. A vertex that
   * finds a shorter way while its row is worked on comes again, so that the distances are those of
   * Dijkstra's algorithm to the last bit.
   */
  private final class Search {
    private final int[] head = new int[rows];
    private final int[] tail = new int[rows];
    private int[] vertex = new int[2 * n];
    private float[] key = new float[2 * n];
    private int[] after = new int[2 * n];
    private int size;
    private int[] owner;
    private int mark;

    Search() {
      Arrays.fill(head, -1);
    }

    void spread(int source, float[] d, int target) {
      size = 0;
      d[source] = 0;
      push(source, 0);
      int done = 0;
      for (long row = 0; done < size; row++) {
        if (target >= 0 && d[target] < (row - 1) * (double) width) {
          Arrays.fill(head, -1);
          return;
        }
        int at = (int) (row % rows);
        for (int entry = head[at]; entry >= 0; entry = after[entry]) {
          done++;
          if (key[entry] <= d[vertex[entry]]) {
            relax(vertex[entry], key[entry], d);
          }
        }
        head[at] = -1;
      }
    }

    private void relax(int v, float dv, float[] d) {
      if (owner != null) {
        owner[v] = mark;
      }
      for (int e = start[v]; e < start[v + 1]; e++) {
        float x = dv + length[e];
        if (x < d[to[e]]) {
          d[to[e]] = x;
          push(to[e], x);
        }
      }
    }

    private void push(int v, float x) {
      if (size == vertex.length) {
        vertex = Arrays.copyOf(vertex, 2 * size);
        key = Arrays.copyOf(key, 2 * size);
        after = Arrays.copyOf(after, 2 * size);
      }
      int row = (int) ((long) (x / width) % rows);
      vertex[size] = v;
      key[size] = x;
      after[size] = -1;
      if (head[row] < 0) {
        head[row] = size;
      } else {
        after[tail[row]] = size;
      }
      tail[row] = size++;
    }
  }
}
