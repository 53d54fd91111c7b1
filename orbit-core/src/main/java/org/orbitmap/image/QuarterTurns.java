package org.orbitmap.image;

import org.orbitmap.group.C4;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.Guarantee;

/**
 * Pictures turned by multiples of 90°: pixels change places, nothing is interpolated, so the laws
 * hold exactly. A picture of h × w pixels becomes one of w × h.
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
    int o = 0;
    for (int c = 0; c < image.channels(); c++) {
      int plane = c * h * w;
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
          int source =
              switch (g.turns()) {
                case 0 -> i * w + j;
                case 1 -> j * w + (w - 1 - i);
                case 2 -> (h - 1 - i) * w + (w - 1 - j);
                default -> (h - 1 - j) * w + i;
              };
          out[o++] = in[plane + source];
        }
      }
    }
    return new Image(image.channels(), rows, columns, out);
  }
}
