package org.orbitmap.io.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.Image;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.QuarterTurnMapping;

class CanonicalImagesTest {
  @Test
  void everyPoseOfAnImageBecomesTheSame() {
    Image image = Image.black(3, 9, 9);
    for (int i = 0; i < image.data().length; i++) {
      image.data()[i] = (i * 37 % 256) / 255f;
    }
    QuarterTurnMapping mapping = new QuarterTurnMapping(PoseRule.DISC);
    CanonicalImages canonical = new CanonicalImages(mapping);
    Stream<Image> poses =
        mapping.action().group().elements().stream().map(g -> mapping.action().act(g, image));
    assertThat(
            poses.map(ImageFiles::toBufferedImage).map(canonical).map(CanonicalImagesTest::pixels))
        .hasSize(4)
        .allMatch(p -> p.equals(pixels(ImageFiles.toBufferedImage(mapping.map(image).point()))));
  }

  private static Image pixels(BufferedImage image) {
    return ImageFiles.of(image);
  }
}
