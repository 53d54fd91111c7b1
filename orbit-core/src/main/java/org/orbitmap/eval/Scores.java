package org.orbitmap.eval;

/** What is read from a row of a classifier's scores. */
public final class Scores {
  private Scores() {}

  /** The prediction: the place of the largest score, the first of equal ones. */
  public static int argmax(float[] row) {
    int best = 0;
    for (int c = 1; c < row.length; c++) {
      if (row[c] > row[best]) {
        best = c;
      }
    }
    return best;
  }

  /** exp(sᵢ)/Σ exp(sⱼ), without overflow; infinite scores share all of it. */
  public static double[] softmax(float[] row) {
    double largest = row[argmax(row)];
    double[] p = new double[row.length];
    double sum = 0;
    for (int c = 0; c < p.length; c++) {
      p[c] = row[c] == largest ? 1 : Math.exp(row[c] - largest);
      sum += p[c];
    }
    for (int c = 0; c < p.length; c++) {
      p[c] /= sum;
    }
    return p;
  }

  /** The row itself if it is a distribution (non-negative with sum 1), else its softmax. */
  public static double[] probabilities(float[] row) {
    double[] p = new double[row.length];
    double sum = 0;
    boolean distribution = true;
    for (int c = 0; c < p.length; c++) {
      p[c] = row[c];
      sum += p[c];
      distribution &= p[c] >= 0;
    }
    return distribution && Math.abs(sum - 1) <= 1e-3 ? p : softmax(row);
  }

  /** ½ Σ |pᵢ − qᵢ|, the total variation distance of two distributions. */
  public static double totalVariation(double[] p, double[] q) {
    if (p.length != q.length) {
      throw new IllegalArgumentException(
          "distributions: expected equal lengths, found %d and %d".formatted(p.length, q.length));
    }
    double sum = 0;
    for (int c = 0; c < p.length; c++) {
      sum += Math.abs(p[c] - q[c]);
    }
    return sum / 2;
  }
}
