package org.orbitmap.nn.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.Image;

class AugmentationTest {
  private static final Image IMAGE =
      new Image(2, 2, 3, new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  private static final Image MIRRORED =
      new Image(2, 2, 3, new float[] {3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10});
  private static final Image UPSIDE_DOWN =
      new Image(2, 2, 3, new float[] {4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9});
  private static final Image BOTH =
      new Image(2, 2, 3, new float[] {6, 5, 4, 3, 2, 1, 12, 11, 10, 9, 8, 7});

  private static Set<List<Float>> flips(boolean flip, boolean vertical) {
    Augmentation a = new Augmentation(0, flip, vertical, 0);
    SplittableRandom random = new SplittableRandom(1);
    Set<List<Float>> seen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      seen.add(values(a.flip(IMAGE, random)));
    }
    return seen;
  }

  private static List<Float> values(Image image) {
    Float[] values = new Float[image.data().length];
    for (int i = 0; i < values.length; i++) {
      values[i] = image.data()[i];
    }
    return List.of(values);
  }

  @Test
  void flipsAsItIsAsked() {
    assertThat(flips(false, false)).containsExactly(values(IMAGE));
    assertThat(flips(true, false)).containsExactlyInAnyOrder(values(IMAGE), values(MIRRORED));
    assertThat(flips(false, true)).containsExactlyInAnyOrder(values(IMAGE), values(UPSIDE_DOWN));
    assertThat(flips(true, true))
        .containsExactlyInAnyOrder(
            values(IMAGE), values(MIRRORED), values(UPSIDE_DOWN), values(BOTH));
  }
}
