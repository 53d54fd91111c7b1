package org.orbitmap.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orbitmap.group.C4;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.image.mapping.RotationMapping;

/** Canvases that lose nothing, and the way back. */
class PlacementTest {
  /** Smooth up to its border: bright everywhere, brighter to one side. */
  private static Image smooth(int height, int width) {
    Image image = Image.black(2, height, width);
    for (int c = 0; c < 2; c++) {
      for (int i = 0; i < height; i++) {
        for (int j = 0; j < width; j++) {
          image.data()[(c * height + i) * width + j] =
              (float) (0.5 + 0.2 * Math.sin(0.11 * i + c) + 0.2 * Math.cos(0.07 * j + 0.05 * i));
        }
      }
    }
    return image;
  }

  private static Image noise(int height, int width) {
    SplittableRandom random = new SplittableRandom(3);
    Image image = Image.black(1, height, width);
    for (int i = 0; i < image.data().length; i++) {
      image.data()[i] = (float) random.nextDouble();
    }
    return image;
  }

  /** The mean absolute difference away from the border, and the worst there. */
  private static double[] difference(Image a, Image b, int border) {
    assertThat(a.sameShape(b)).isTrue();
    double sum = 0;
    double worst = 0;
    int count = 0;
    for (int c = 0; c < a.channels(); c++) {
      for (int i = border; i < a.height() - border; i++) {
        for (int j = border; j < a.width() - border; j++) {
          double d = Math.abs(a.at(c, i, j) - b.at(c, i, j));
          sum += d;
          worst = Math.max(worst, d);
          count++;
        }
      }
    }
    return new double[] {sum / count, worst};
  }

  @Test
  void aGrownCanvasLosesNothing() {
    SplittableRandom random = new SplittableRandom(1);
    for (int k = 0; k < 30; k++) {
      Image image = smooth(20 + random.nextInt(60), 20 + random.nextInt(60));
      Rotation2 g = Rotation2.ofDegrees(360 * random.nextDouble());
      for (Interpolation kind :
          new Interpolation[] {Interpolation.BILINEAR, Interpolation.BICUBIC}) {
        Resampling how = Resampling.of(kind);
        Placement placement =
            k % 2 == 0
                ? Placement.of(g, image.height(), image.width())
                : Placement.of(new Orthogonal2(g, true), image.height(), image.width());
        Placement grown = placement.grown();
        Image canonical = grown.toCanonical(image, how);
        assertThat(grown.canvas().is(canonical)).isTrue();
        double[] back = difference(image, grown.toInput(canonical, how), 3);
        assertThat(back[1]).as("%s %s", image, kind).isLessThan(0.005);
        // Every pixel is there: the sum is the same, up to the interpolation of the border.
        assertThat(sum(canonical) / sum(image)).isCloseTo(1, within(0.005));
      }
      // On the size of the input corners are lost.
      Placement same = Placement.of(Rotation2.ofDegrees(45), image.height(), image.width());
      Image lost = same.toCanonical(image, Resampling.BILINEAR);
      assertThat(difference(image, same.toInput(lost, Resampling.BILINEAR), 3)[1])
          .isGreaterThan(0.2);
    }
  }

  private static double sum(Image image) {
    double sum = 0;
    for (float v : image.data()) {
      sum += v;
    }
    return sum;
  }

  /**
   * The canvas depends on the size alone, and not on which side is longer: quarter turns of an
   * image that is not square have the same canonical image, every pixel of it.
   */
  @Test
  void quarterTurnsHaveOneCanonicalImage() {
    RotationMapping mapping = RotationMapping.disc();
    for (int[] size : new int[][] {{31, 50}, {40, 57}, {48, 48}, {33, 34}}) {
      Image image = noise(size[0], size[1]);
      Image first = null;
      for (int turns = 0; turns < 4; turns++) {
        Image turned = new QuarterTurns().act(C4.turn(turns), image);
        Image canonical =
            Placement.of(mapping.pose(turned).rotation(), turned.height(), turned.width())
                .grown()
                .toCanonical(turned, mapping.resampling());
        first = first == null ? canonical : first;
        assertThat(canonical.distance(first)).as("%d turns", turns).isLessThan(1e-5);
      }
    }
  }

  /**
   * Any rotation within the frame: what the inscribed circle holds is all that both have, and there
   * the canonical images agree as well as they do on the size of the input.
   */
  @Test
  void rotatedImagesAgreeInsideTheCircle() {
    RotationMapping mapping = RotationMapping.disc();
    Image image = smooth(64, 96);
    for (int degrees = 0; degrees < 360; degrees += 17) {
      Image rotated = mapping.action().act(Rotation2.ofDegrees(degrees), image);
      Image a = canonical(mapping, image);
      Image b = canonical(mapping, rotated);
      double centre = (a.height() - 1) / 2.0;
      for (int i = 0; i < a.height(); i++) {
        for (int j = 0; j < a.width(); j++) {
          if (Math.hypot(i - centre, j - centre) < 29) {
            assertThat(b.at(0, i, j)).as("%d°", degrees).isCloseTo(a.at(0, i, j), within(0.02f));
          }
        }
      }
    }
  }

  private static Image canonical(RotationMapping mapping, Image image) {
    return Placement.of(mapping.pose(image).rotation(), image.height(), image.width())
        .grown()
        .toCanonical(image, mapping.resampling());
  }

  @Test
  void quarterTurnsGoBackExactly() {
    Image image = noise(21, 34);
    for (int turns = 0; turns < 4; turns++) {
      C4.QuarterTurn g = C4.turn(turns);
      Image turned = new QuarterTurns().act(g, image);
      Placement placement =
          Placement.of(g.rotation(), 21, 34)
              .on(new Placement.Size(turned.height(), turned.width()));
      for (Interpolation kind : Interpolation.values()) {
        assertThat(placement.toInput(turned, Resampling.of(kind))).isEqualTo(image);
        assertThat(placement.toCanonical(image, Resampling.of(kind))).isEqualTo(turned);
      }
    }
  }

  /** A mask keeps its labels: nearest invents none. */
  @Test
  void masksKeepTheirValues() {
    Image mask = Image.black(1, 30, 44);
    for (int i = 0; i < mask.data().length; i++) {
      int label = i / 7 % 3;
      mask.data()[i] = label / 2f;
    }
    Placement placement = Placement.of(Rotation2.ofDegrees(33), 30, 44).grown();
    Resampling nearest = Resampling.of(Interpolation.NEAREST);
    Image back = placement.toInput(placement.toCanonical(mask, nearest), nearest);
    for (float v : back.data()) {
      assertThat(v).isIn(0f, 0.5f, 1f);
    }
    assertThat(placement.toCanonical(mask, nearest.with(Fill.constant(0.25f))).at(0, 0, 0))
        .isEqualTo(0.25f);
  }

  @Test
  void pointsFollowTheCanvas() {
    Placement placement = Placement.of(Rotation2.ofDegrees(20), 31, 50).grown();
    Image image = Image.black(1, 31, 50);
    image.data()[8 * 50 + 41] = 1;
    Placement.Point at = placement.toCanonical(new Placement.Point(41, 8));
    Image canonical = placement.toCanonical(image, Resampling.BILINEAR);
    double x = 0;
    double y = 0;
    double mass = 0;
    for (int i = 0; i < canonical.plane(); i++) {
      int row = i / canonical.width();
      x += canonical.data()[i] * (i % canonical.width());
      y += canonical.data()[i] * row;
      mass += canonical.data()[i];
    }
    assertThat(at.x()).isCloseTo(x / mass, within(0.3));
    assertThat(at.y()).isCloseTo(y / mass, within(0.3));
    Placement.Point back = placement.toInput(at);
    assertThat(back.x()).isCloseTo(41, within(1e-9));
    assertThat(back.y()).isCloseTo(8, within(1e-9));
  }

  @Test
  void whatDoesNotFitIsNamed() {
    Placement moved = Placement.of(new Similarity2(Rotation2.ofDegrees(10), 1.5, 2, 3), 20, 30);
    assertThatThrownBy(moved::grown).hasMessageContaining("a scale or a shift");
    Placement grown = Placement.of(Rotation2.ofDegrees(10), 20, 30).grown();
    assertThatThrownBy(() -> grown.toInput(Image.black(1, 20, 30), Resampling.BILINEAR))
        .hasMessageContaining("found 20 x 30");
    assertThatThrownBy(
            () -> grown.toCanonical(Image.black(1, 20, 30), Resampling.BILINEAR.with(Fill.REFLECT)))
        .hasMessageContaining("expected a constant fill");
    assertThatThrownBy(() -> new Placement.Size(0, 3)).hasMessageContaining("0 x 3");
  }

  /** z shows what the input has at r(ρ)((z - t)/s): known points, there and back. */
  @Test
  void scalesAndShiftsHaveTheirPlaces() {
    Placement moved = Placement.of(new Similarity2(Rotation2.IDENTITY, 2, 3, -1), 21, 31);
    assertThat(moved.toInput(new Placement.Point(20, 13))).isEqualTo(new Placement.Point(16, 12));
    assertThat(moved.toCanonical(new Placement.Point(16, 12)))
        .isEqualTo(new Placement.Point(20, 13));
    assertThat(moved.input()).isEqualTo(new Placement.Size(21, 31));
    Placement turned = Placement.of(new Similarity2(Rotation2.ofDegrees(90), 2, 3, -1), 21, 31);
    Placement.Point at = turned.toInput(new Placement.Point(20, 13));
    assertThat(at.x()).isCloseTo(13, within(1e-9));
    assertThat(at.y()).isCloseTo(11, within(1e-9));
    Placement.Point back = turned.toCanonical(at);
    assertThat(back.x()).isCloseTo(20, within(1e-9));
    assertThat(back.y()).isCloseTo(13, within(1e-9));
    assertThat(moved.toInput(new Placement.Box(20, 13, 22, 15)))
        .containsExactly(
            new Placement.Point(16, 12),
            new Placement.Point(17, 12),
            new Placement.Point(17, 13),
            new Placement.Point(16, 13));
    // an image of one bright pixel follows its point
    Image image = Image.black(1, 21, 31);
    image.data()[12 * 31 + 16] = 1;
    assertThat(moved.toCanonical(image, Resampling.BILINEAR).at(0, 13, 20)).isEqualTo(1);
    assertThat(
            moved
                .toInput(moved.toCanonical(image, Resampling.BILINEAR), Resampling.BILINEAR)
                .at(0, 12, 16))
        .isEqualTo(1);
  }

  /** The fill stands around the image before it is read: no dark rim between the two. */
  @Test
  void theFillMeetsTheImage() {
    Image grey = Image.black(1, 9, 14);
    Arrays.fill(grey.data(), 0.25f);
    Image canonical =
        Placement.of(Rotation2.ofDegrees(30), 9, 14)
            .grown()
            .toCanonical(grey, Resampling.BILINEAR.with(Fill.constant(0.25f)));
    for (float v : canonical.data()) {
      assertThat(v).isCloseTo(0.25f, within(1e-6f));
    }
    // the diagonal of 9 x 14, and a pixel on each side
    assertThat(Placement.of(Rotation2.IDENTITY, 9, 14).grown().canvas())
        .isEqualTo(new Placement.Size(19, 19));
  }
}
