package org.orbitmap.io.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelStatisticsTest {
  /** Two images of one pixel and two channels, and one that is not asked for. */
  private static final ImageSet SET =
      new ImageSet(
          "two",
          List.of("a"),
          2,
          1,
          1,
          new byte[][] {{0, 51}, {(byte) 255, 51}, {7, 7}},
          new int[3]);

  @Test
  void meanAndDeviationOfTheChosenImages() {
    ChannelStatistics s = ChannelStatistics.of(SET, new int[] {0, 1});
    assertThat(s.mean()).containsExactly(0.5f, 0.2f);
    // The second channel does not vary: its deviation is the least there is.
    assertThat(s.std()).containsExactly(0.5f, 1e-3f);
    assertThat(ChannelStatistics.of(SET, new int[] {1, 0})).isEqualTo(s).hasSameHashCodeAs(s);
    assertThat(ChannelStatistics.of(SET, new int[] {0, 2})).isNotEqualTo(s);
    assertThatThrownBy(() -> ChannelStatistics.of(SET, new int[0]))
        .hasMessageContaining("two: expected images, found none");
  }

  @Test
  void publishedOnesAreThoseOfTheirSet() {
    assertThat(ChannelStatistics.published("cifar10")).contains(ChannelStatistics.CIFAR10);
    assertThat(ChannelStatistics.published("mnist")).isEmpty();
    assertThatThrownBy(() -> new ChannelStatistics(new float[3], new float[1]))
        .hasMessageContaining("found 3 and 1");
  }
}
