package org.orbitmap.network.steerable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.image.Image;

/** Groups of the plane, what they do to fields, and the kernels that commute with them. */
class FieldActionTest {
  @ParameterizedTest
  @CsvSource({"1, false", "4, false", "5, true", "8, true"})
  void everyElementHasItsInverse(int rotations, boolean mirrors) {
    PlaneGroup group = new PlaneGroup(rotations, mirrors);
    assertThat(group.name()).isEqualTo((mirrors ? "D" : "C") + rotations);
    assertThat(group.elements()).hasSize(mirrors ? 2 * rotations : rotations);
    for (int g : group.elements()) {
      assertThat(group.compose(g, group.identity())).isEqualTo(g);
      assertThat(group.compose(g, group.inverse(g))).isZero();
      assertThat(group.compose(group.inverse(g), g)).isZero();
      for (int h : group.elements()) {
        assertThat(group.distance(g, h)).isEqualTo(g == h ? 0 : 1);
        assertThat(group.compose(g, h)).isBetween(0, group.order() - 1);
      }
    }
  }

  private static Image numbered(int channels, int side) {
    Image f = Image.black(channels, side, side);
    for (int i = 0; i < f.data().length; i++) {
      f.data()[i] = i;
    }
    return f;
  }

  /** (gh)·f = g·(h·f), for fields and for the channels of an image. */
  @ParameterizedTest
  @CsvSource({"4, true, true, 4", "4, false, true, 3", "8, true, true, 5", "2, true, false, 3"})
  void productsActOneAfterTheOther(int rotations, boolean mirrors, boolean regular, int side) {
    PlaneGroup group = new PlaneGroup(rotations, mirrors);
    FieldType type = new FieldType(group, regular, 2);
    FieldAction action = new FieldAction(type);
    assertThat(action.group()).isEqualTo(group);
    Image f = numbered(type.channels(), side);
    assertThat(action.act(0, f)).isEqualTo(f);
    for (int g : group.elements()) {
      assertThat(FieldAction.exact(group, g)).isEqualTo(rotations < 8 || g % 2 == 0);
      for (int h : group.elements()) {
        if (FieldAction.exact(group, g) && FieldAction.exact(group, h)) {
          assertThat(action.act(g, action.act(h, f))).isEqualTo(action.act(group.product(g, h), f));
        }
      }
    }
  }

  /** A quarter turn takes the pixel on the right to the bottom, and channel h to channel gh. */
  @Test
  void pixelsAndChannelsMove() {
    FieldAction action = new FieldAction(FieldType.regular(PlaneGroup.dihedral(4), 2));
    Image f = Image.black(16, 3, 3);
    f.data()[9 * 9 + 5] = 1; // second field, channel 1, the middle of the right
    Image turned = action.act(1, f);
    assertThat(turned.at(10, 2, 1)).isEqualTo(1);
    Image mirrored = action.act(4, action.act(1, f));
    assertThat(mirrored.at(8 + PlaneGroup.dihedral(4).product(4, 2), 0, 1)).isEqualTo(1);
    assertThatThrownBy(() -> action.act(0, Image.black(16, 3, 4)))
        .hasMessageContaining("square images of 16 channels");
    assertThatThrownBy(() -> action.act(0, Image.black(15, 3, 3)))
        .hasMessageContaining("found 15 x 3 x 3 and 0");
    FieldAction eighths = new FieldAction(FieldType.scalars(PlaneGroup.cyclic(8), 1));
    assertThatThrownBy(() -> eighths.act(1, Image.black(1, 3, 3)))
        .hasMessageContaining("an element that exchanges pixels");
    assertThat(eighths.act(2, numbered(1, 2)).data()).containsExactly(2, 0, 3, 1);
  }

  /** The dimension of a space is the trace of the projection onto it. */
  @ParameterizedTest
  @CsvSource({"4, false, false, 3", "4, true, true, 3", "3, true, false, 5", "6, false, true, 4"})
  void dimensionsAreTraces(int rotations, boolean mirrors, boolean regular, int side) {
    PlaneGroup group = new PlaneGroup(rotations, mirrors);
    KernelSpace space =
        new KernelSpace(
            new FieldType(group, regular, 1),
            FieldType.regular(group, 1),
            Harmonics.published(side));
    double trace = 0;
    for (int i = 0; i < space.length(); i++) {
      double[] unit = new double[space.length()];
      unit[i] = 1;
      trace += space.projection(unit)[i];
    }
    assertThat((double) space.dimension()).isEqualTo(trace, within(1e-6));
  }

  /** b_m(a⁻¹x) is the sum that D(a) says. */
  @ParameterizedTest
  @CsvSource({"4, false, true, 3", "5, true, false, 4"})
  void steeredFunctionsAreSums(int rotations, boolean mirrors, boolean regular, int side) {
    PlaneGroup group = new PlaneGroup(rotations, mirrors);
    Harmonics basis = Harmonics.published(side);
    double[][] found =
        new KernelSpace(new FieldType(group, regular, 1), FieldType.regular(group, 1), basis)
            .steered();
    int area = side * side;
    assertThat(found).hasDimensions(basis.count(), group.order() * area);
    for (int a = 0; a < group.order(); a++) {
      double[][] d = basis.steering(group, a);
      for (int m = 0; m < basis.count(); m++) {
        for (int i = 0; i < area; i++) {
          double sum = 0;
          for (int n = 0; n < basis.count(); n++) {
            sum += d[m][n] * basis.sampled(n)[i];
          }
          assertThat(found[m][a * area + i]).isEqualTo(sum, within(1e-9));
        }
      }
    }
  }

  /** The kernel from channel b to channel a is the one that belongs to a⁻¹b, steered by a. */
  @ParameterizedTest
  @CsvSource({"4, true, true", "3, false, true", "5, true, false"})
  void kernelsStandWhereTheGroupTakesThem(int rotations, boolean mirrors, boolean regular) {
    PlaneGroup group = new PlaneGroup(rotations, mirrors);
    FieldType in = new FieldType(group, regular, 2);
    FieldType out = FieldType.regular(group, 3);
    int[] places = new SteerableConvolution("c", in, out, Harmonics.published(3)).findPlaces();
    assertThat(places).hasSize(out.channels() * in.channels());
    for (int o = 0; o < out.channels(); o++) {
      int a = o % group.order();
      for (int i = 0; i < in.channels(); i++) {
        int place = places[o * in.channels() + i];
        assertThat(place % group.order()).isEqualTo(a);
        int from = place / group.order();
        int h = from % in.size();
        assertThat(in.moved(a, h)).isEqualTo(i % in.size());
        assertThat(from / in.size()).isEqualTo(o / group.order() * 2 + i / in.size());
      }
    }
    assertThat(SteerableConvolution.flat(new double[][] {{1, 2, 3}, {4, 5, 6}}))
        .containsExactly(1, 2, 3, 4, 5, 6);
  }
}
