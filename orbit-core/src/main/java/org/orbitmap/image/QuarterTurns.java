package org.orbitmap.image;

import org.orbitmap.group.C4;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;

/**
 * Images rotated by multiples of 90°: pixels change places, nothing is interpolated, so the laws
 * hold exactly. An image of h × w pixels becomes one of w × h.
 */
public record QuarterTurns() implements GroupAction<QuarterTurn, Image> {
  @Override
  public C4 group() {
    return new C4();
  }

  @Override
  public Guarantee guarantee() {
    return Guarantee.EXACT;
  }

  @Override
  public Image act(QuarterTurn g, Image image) {
    int h = image.height();
    int w = image.width();
    float[] in = image.data();
    float[] out = new float[in.length];
    boolean swap = g.turns() % 2 == 1;
    int rows = swap ? w : h;
    int columns = swap ? h : w;
    int[] walk = walk(g.turns(), h, w);
    int o = 0;
    for (int c = 0; c < image.channels(); c++) {
      for (int i = 0; i < rows; i++) {
        int source = c * h * w + walk[0] + i * walk[1];
        for (int j = 0; j < columns; j++, source += walk[2]) {
          out[o++] = in[source];
        }
      }
    }
    return new Image(image.channels(), rows, columns, out);
  }

  /**
   * Where a rotated image is read: the source of its row i and column j, in a plane of h x w, is
   * {@code walk[0] + i * walk[1] + j * walk[2]}.
   */
  public static int[] walk(int turns, int h, int w) {
    return switch (turns) {
      case 0 -> new int[] {0, w, 1};
      case 1 -> new int[] {w - 1, -1, w};
      case 2 -> new int[] {h * w - 1, -w, -1};
      default -> new int[] {(h - 1) * w, 1, -w};
    };
  }
}
