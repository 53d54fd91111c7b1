package org.orbitmap.nn.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orbitmap.eval.Labelled;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.data.ImageSet;

class RestorerTaskTest {
  private static final int SIDE = 16;
  private static final int READINGS = 4;

  /** A wave across the image, which hardly changes when it is interpolated. */
  private static ImageSet wave() {
    byte[] u = new byte[SIDE * SIDE];
    for (int i = 0; i < u.length; i++) {
      int row = i / SIDE;
      u[i] = (byte) Math.round(127 + 90 * Math.sin(0.35 * row + 0.1 * (i % SIDE)));
    }
    return new ImageSet(
        "wave", List.of(), 1, SIDE, SIDE, new byte[][] {u}, new int[] {Labelled.UNKNOWN});
  }

  /**
   * The mapping is off by a few degrees, and so are the example and its target, by the same: never
   * more than 10, and hardly ever not at all.
   */
  @Test
  void anExampleComesBackNearlyAndItsTargetWithIt() {
    FitConfig config = new FitConfig("so2", true, SIDE, 1, 1, FitRecipe.standard());
    RestorerTask task = new RestorerTask(config, wave(), wave());
    Image u = wave().input(0);
    double least = 10;
    double most = -10;
    for (int k = 0; k < 60; k++) {
      float[] x = new float[READINGS * SIDE * SIDE];
      float[] target = new float[SIDE * SIDE];
      task.example(u, Interpolation.BICUBIC, new SplittableRandom(k), x, target, 0);
      double off = angle(u, target);
      assertThat(angle(u, x)).isBetween(off - 1.5, off + 1.5); // the first reading
      least = Math.min(least, off);
      most = Math.max(most, off);
    }
    assertThat(least).isBetween(-10.5, -7.0);
    assertThat(most).isBetween(7.0, 10.5);
  }

  /** By how many degrees an image is rotated: where the one that is known is nearest to it. */
  private static double angle(Image u, float[] rotated) {
    double best = 0;
    double nearest = Double.POSITIVE_INFINITY;
    for (double degrees = -20; degrees <= 20; degrees += 0.5) {
      Rotation2 by = Rotation2.ofDegrees(degrees);
      float[] v = new ImageRotation(Resampling.of(Interpolation.BICUBIC)).act(by, u).data();
      double sum = 0;
      for (int i = 0; i < v.length; i++) {
        int row = i / SIDE;
        double middle = (SIDE - 1) / 2.0;
        boolean inside = Math.hypot(row - middle, i % SIDE - middle) < SIDE / 2.0 - 2;
        sum += inside ? Math.pow(v[i] - rotated[i], 2) : 0;
      }
      if (sum < nearest) {
        nearest = sum;
        best = degrees;
      }
    }
    return best;
  }
}
