package org.orbitmap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ImageTest {
  private static final float[] SIX = {1, 2, 3, 4, 5, 6};

  @Test
  void greyAndColourGoIntoEachOther() {
    Image colour = new Image(3, 1, 2, new float[] {0, 1, 0.5f, 1, 1, 1});
    Image grey = new Image(1, 1, 2, new float[] {0.5f, 1});
    assertThat(colour.withChannels(3)).isSameAs(colour);
    assertThat(colour.withChannels(1)).isEqualTo(grey);
    assertThat(grey.grey()).isSameAs(grey);
    assertThat(grey.withChannels(3))
        .isEqualTo(new Image(3, 1, 2, new float[] {0.5f, 1, 0.5f, 1, 0.5f, 1}));
    assertThatThrownBy(() -> colour.withChannels(4)).hasMessageContaining("found 3");
  }

  @Test
  void samplesStandChannelByChannelAndRowByRow() {
    Image u = new Image(1, 2, 3, SIX);
    assertThat(u.at(0, 1, 0)).isEqualTo(4);
    assertThat(new Image(2, 1, 3, SIX).at(1, 0, 2)).isEqualTo(6);
    assertThat(new Image(3, 2, 1, SIX).at(2, 1, 0)).isEqualTo(6);
    assertThat(u.plane()).isEqualTo(6);
    assertThat(u).hasToString("Image[1 x 2 x 3]");
    assertThat(u.mirrored()).isEqualTo(new Image(1, 2, 3, new float[] {3, 2, 1, 6, 5, 4}));
  }

  @Test
  void sizesMustFit() {
    assertThat(Image.black(1, 1, 1).data()).containsExactly(0);
    for (int[] bad : new int[][] {{0, 2, 3}, {1, 0, 6}, {1, 6, 0}}) {
      assertThatThrownBy(() -> new Image(bad[0], bad[1], bad[2], SIX))
          .hasMessageContaining("at least 1 channel, 1 row and 1 column");
    }
    assertThatThrownBy(() -> new Image(2, 2, 2, SIX))
        .hasMessage("image: expected 2 x 2 x 2 = 8 samples, found 6");
    assertThatThrownBy(() -> Image.black(3, 1 << 15, 1 << 15)).hasMessageContaining("at most 2^31");
    assertThatThrownBy(() -> Image.black(1, 1 << 16, 1 << 16)).hasMessageContaining("at most 2^31");
  }

  @Test
  void theFirstSampleThatIsNotFiniteIsNamed() {
    Image u = new Image(2, 2, 3, new float[12]);
    assertThat(u.requireFinite()).isSameAs(u);
    u.data()[11] = Float.NEGATIVE_INFINITY;
    u.data()[10] = Float.NaN;
    assertThatThrownBy(u::requireFinite)
        .hasMessage("image: expected finite samples, found NaN at channel 1, row 1, column 1");
  }

  @Test
  void distanceAndEquality() {
    Image u = new Image(1, 2, 3, SIX);
    Image v = new Image(1, 2, 3, new float[] {1, 2.5f, 3, 4, 4, 6});
    assertThat(u.distance(v)).isCloseTo(1, within(1e-12));
    assertThat(u.distance(u)).isZero();
    Image same = new Image(1, 2, 3, SIX.clone());
    assertThat(u).isEqualTo(same).hasSameHashCodeAs(same).doesNotHaveSameHashCodeAs(v);
    for (Image other :
        List.of(new Image(1, 3, 2, SIX), new Image(2, 1, 3, SIX), new Image(1, 1, 6, SIX))) {
      assertThat(u).isNotEqualTo(other);
      assertThat(u.sameShape(other)).isFalse();
      assertThat(u.distance(other)).isInfinite();
    }
    assertThat(new Image(2, 3, 1, SIX).sameShape(new Image(3, 2, 1, SIX))).isFalse();
    assertThat(new Image(2, 3, 1, SIX).sameShape(new Image(2, 1, 3, SIX))).isFalse();
    assertThat(u).isNotEqualTo(v);
  }
}
