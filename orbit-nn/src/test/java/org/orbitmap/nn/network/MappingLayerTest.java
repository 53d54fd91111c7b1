package org.orbitmap.nn.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/** The mapping in the engine and the mapping of the core are one mapping. */
class MappingLayerTest {
  static List<RotationMapping> mappings() {
    List<RotationMapping> all = new ArrayList<>();
    for (PoseRule rule : PoseRule.all()) {
      for (Interpolation i : Interpolation.values()) {
        for (Fill fill : new Fill[] {Fill.ZERO, Fill.REFLECT, Fill.EDGE, Fill.constant(0.3f)}) {
          for (boolean mask : new boolean[] {false, true}) {
            all.add(new RotationMapping(rule, new Resampling(i, fill, mask)));
          }
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("mappings")
  void equalsTheCore(RotationMapping mapping) {
    // A pixel whose place falls on the border between two pixels may go either way with nearest.
    boolean nearest = mapping.resampling().interpolation() == Interpolation.NEAREST;
    for (int[] size : new int[][] {{3, 32, 32}, {1, 28, 28}, {3, 20, 27}}) {
      int n = 4;
      int samples = size[0] * size[1] * size[2];
      float[] pixels = NetworkTest.noise(n * samples, samples);
      MappingLayer layer = new MappingLayer(mapping, size[0], size[1], size[2]);
      float[] found =
          NativeScope.inference(
              () -> Tensors.toArray(layer.apply(Tensors.of(pixels, n, size[0], size[1], size[2]))));
      int off = 0;
      for (int i = 0; i < n; i++) {
        float[] u = Arrays.copyOfRange(pixels, i * samples, (i + 1) * samples);
        Image expected = mapping.map(new Image(size[0], size[1], size[2], u)).point();
        for (int k = 0; k < samples; k++) {
          off += Math.abs(expected.data()[k] - found[i * samples + k]) > 1e-4 ? 1 : 0;
        }
      }
      assertThat(off).isLessThanOrEqualTo(nearest ? n * samples / 500 : 0);
    }
  }

  @Test
  void aConstantImageKeepsItsPose() {
    MappingLayer layer = new MappingLayer(RotationMapping.disc(), 3, 16, 16);
    float[] pixels = new float[3 * 256];
    Arrays.fill(pixels, 0.7f);
    float[] found =
        NativeScope.inference(() -> Tensors.toArray(layer.apply(Tensors.of(pixels, 1, 3, 16, 16))));
    for (float v : found) {
      assertThat(v).isCloseTo(0.7f, Offset.offset(1e-6f));
    }
  }
}
