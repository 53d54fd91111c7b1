package org.orbitmap.io.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LevelsTest {
  private static final int PLANE = 1000; // more than is used
  private final SplittableRandom random = new SplittableRandom(3);

  /** The definition: one sample at a time. */
  private static byte[] plain(float[] in, int channels, int pixels, boolean differences) {
    byte[] out = new byte[pixels * channels];
    for (int i = 0; i < out.length; i++) {
      int here = ImageFiles.toByte(in[2 + i % channels * PLANE + i / channels]);
      int before =
          differences && i >= channels
              ? ImageFiles.toByte(in[2 + i % channels * PLANE + i / channels - 1])
              : 0;
      out[i] = (byte) (here - before);
    }
    return out;
  }

  /** Everywhere between black and white and beyond, and next to where levels change. */
  private float sample(int i) {
    return switch (i % 4) {
      case 0 -> (float) random.nextDouble(-0.5, 1.5);
      case 1 -> random.nextInt(256) / 255f;
      case 2 -> Math.nextUp((random.nextInt(256) + 0.5f) / 255f);
      default -> Math.nextDown((random.nextInt(256) + 0.5f) / 255f);
    };
  }

  @Test
  void bytesAreTheNearestLevels() {
    for (int channels : new int[] {1, 3}) {
      for (int pixels : new int[] {0, 1, 2, 33, 900}) {
        for (boolean differences : new boolean[] {false, true}) {
          float[] in = new float[2 + 3 * PLANE];
          for (int i = 0; i < in.length; i++) {
            in[i] = sample(i);
          }
          in[2] = Float.NaN;
          in[3] = Float.POSITIVE_INFINITY;
          in[4] = Float.NEGATIVE_INFINITY;
          in[5] = Math.nextDown(0.5f) / 255f;
          byte[] out = new byte[5 + channels * pixels];
          Levels.bytes(in, 2, PLANE, channels, pixels, differences, out, 4);
          byte[] expected = new byte[out.length];
          byte[] middle = plain(in, channels, pixels, differences);
          System.arraycopy(middle, 0, expected, 4, middle.length);
          assertThat(out).isEqualTo(expected);
        }
      }
    }
  }

  /** All floats around the places where the level changes, and around the ends. */
  @Test
  void noFloatIsRoundedOtherwise() {
    int around = 40;
    for (int level = 0; level <= 256; level++) {
      float[] in = new float[2 * around];
      float v = (level - 0.5f) / 255f;
      for (int i = 0; i < around; i++) {
        v = Math.nextDown(v);
      }
      for (int i = 0; i < in.length; i++, v = Math.nextUp(v)) {
        in[i] = v;
      }
      byte[] out = new byte[in.length];
      Levels.bytes(in, 0, 0, 1, in.length, false, out, 0);
      for (int i = 0; i < in.length; i++) {
        assertThat(out[i]).as("%s", in[i]).isEqualTo((byte) ImageFiles.toByte(in[i]));
      }
    }
  }

  @Test
  void samplesOfBytes() {
    byte[] in = new byte[1 + 3 * 256];
    for (int i = 1; i < in.length; i++) {
      in[i] = (byte) (i < 257 ? i - 1 : random.nextInt(256));
    }
    for (int channels : new int[] {1, 3}) {
      float[] out = new float[2 + channels * 300];
      Levels.samples(in, 1, channels, 256, out, 2, 300);
      for (int i = 0; i < 256 * channels; i++) {
        assertThat(out[2 + i % channels * 300 + i / channels]).isEqualTo((in[1 + i] & 255) / 255f);
      }
      assertThat(out[0]).isZero();
      assertThat(out[1]).isZero();
    }
  }

  @Test
  void samplesOfWords() {
    int[] in = random.ints(100).toArray();
    float[] out = new float[3 * 100];
    Levels.samples(in, 1, 99, out, 1, 100);
    for (int x = 1; x < 100; x++) {
      for (int c = 0; c < 3; c++) {
        assertThat(out[100 * c + x]).isEqualTo((in[x] >>> (24 - 8 * c) & 255) / 255f);
      }
    }
    assertThat(Levels.sample(255)).isEqualTo(1);
  }
}
