package org.orbitmap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ImageTest {
  @Test
  void greyAndColourGoIntoEachOther() {
    Image colour = new Image(3, 1, 2, new float[] {0, 1, 0.5f, 1, 1, 1});
    Image grey = new Image(1, 1, 2, new float[] {0.5f, 1});
    assertThat(colour.withChannels(3)).isSameAs(colour);
    assertThat(colour.withChannels(1)).isEqualTo(grey);
    assertThat(grey.withChannels(3))
        .isEqualTo(new Image(3, 1, 2, new float[] {0.5f, 1, 0.5f, 1, 0.5f, 1}));
    assertThatThrownBy(() -> colour.withChannels(4)).hasMessageContaining("found 3");
  }
}
