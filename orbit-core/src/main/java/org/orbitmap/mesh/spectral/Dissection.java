package org.orbitmap.mesh.spectral;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The order in which to eliminate the rows of a sparse matrix so that its factor stays sparse:
 * nested dissection of its graph.
 *
 * <p>A part is cut in half where the distances to two far ends balance; the vertices of one half
 * that touch the other come last, then each half is cut again. On a surface of n vertices the cut
 * has about √n of them, so that the factor has about n log n entries, where the order of a file may
 * give n√n and more.
 */
final class Dissection {
  /** Parts up to this size stay as they are. */
  private static final int LEAF = 24;

  private final SparseMatrix matrix;

  /** The part that each vertex belongs to; finished vertices are in none (-1). */
  private final int[] part;

  private final int[] depth;
  private final int[] queue;

  private Dissection(SparseMatrix matrix) {
    this.matrix = matrix;
    part = new int[matrix.size()];
    depth = new int[matrix.size()];
    queue = new int[matrix.size()];
  }

  /** The rows in the order of elimination. */
  static int[] order(SparseMatrix matrix) {
    return new Dissection(matrix).run();
  }

  private int[] run() {
    int n = matrix.size();
    int[] order = new int[n];
    int last = n;
    int parts = 1;
    Deque<int[]> waiting = new ArrayDeque<>();
    int[] all = new int[n];
    Arrays.setAll(all, i -> i);
    waiting.push(all);
    while (!waiting.isEmpty()) {
      int[] members = waiting.pop();
      if (members.length <= LEAF) {
        for (int v : members) {
          part[v] = -1;
          order[--last] = v;
        }
        continue;
      }
      int id = parts++;
      for (int v : members) {
        part[v] = id;
      }
      int reached = search(members[0], id);
      if (reached < members.length) {
        // Several components: each is a part of its own.
        int[] component = Arrays.copyOf(queue, reached);
        for (int v : component) {
          part[v] = -2;
        }
        waiting.push(Arrays.stream(members).filter(v -> part[v] != -2).toArray());
        waiting.push(component);
        continue;
      }
      int a = queue[reached - 1];
      search(a, id);
      int b = queue[reached - 1];
      int[] balance = new int[members.length];
      for (int i = 0; i < balance.length; i++) {
        balance[i] = depth[members[i]];
      }
      search(b, id);
      for (int i = 0; i < balance.length; i++) {
        balance[i] -= depth[members[i]];
      }
      int[] sorted = balance.clone();
      Arrays.sort(sorted);
      int middle = sorted[sorted.length / 2];
      if (middle == sorted[0]) {
        middle++; // so that the near half is not empty
      }
      int far = parts++;
      for (int i = 0; i < members.length; i++) {
        part[members[i]] = balance[i] < middle ? id : far;
      }
      int near = 0;
      int[] halves = new int[members.length];
      int beyond = members.length;
      for (int v : members) {
        if (part[v] == id && touches(v, far)) {
          part[v] = -1;
          order[--last] = v;
        } else if (part[v] == id) {
          halves[near++] = v;
        } else {
          halves[--beyond] = v;
        }
      }
      waiting.push(Arrays.copyOfRange(halves, beyond, members.length));
      waiting.push(Arrays.copyOf(halves, near));
    }
    return order;
  }

  private boolean touches(int v, int other) {
    for (int e = matrix.start()[v]; e < matrix.start()[v + 1]; e++) {
      if (part[matrix.column()[e]] == other) {
        return true;
      }
    }
    return false;
  }

  /** Fills queue and depth from one vertex, breadth first, inside a part; how many it reached. */
  private int search(int from, int id) {
    int mark = -3 - id; // visited
    int count = 1;
    queue[0] = from;
    depth[from] = 0;
    part[from] = mark;
    for (int head = 0; head < count; head++) {
      int v = queue[head];
      for (int e = matrix.start()[v]; e < matrix.start()[v + 1]; e++) {
        int w = matrix.column()[e];
        if (part[w] == id) {
          part[w] = mark;
          depth[w] = depth[v] + 1;
          queue[count++] = w;
        }
      }
    }
    for (int i = 0; i < count; i++) {
      part[queue[i]] = id;
    }
    return count;
  }
}
