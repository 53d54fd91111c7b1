package org.orbitmap.io.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightSettings;

class UprightMappingsTest {
  private static final InputShape.Images IMAGES = new InputShape.Images(3, 20, 20);

  @TempDir Path folder;

  private static MappingSpec spec(String rule, String group) {
    return new MappingSpec(rule, group, Resampling.BILINEAR);
  }

  @Test
  void aFileIsAMappingByName() throws Exception {
    Path file = folder.resolve("Mixed Case.safetensors");
    UprightSettings settings = UprightSettings.of("linear", 1, 8, 36);
    FittedUpright fitted = FittedUpright.random(settings, 1);
    UprightFile.write(file, fitted);
    assertThat(spec("Upright:" + file, "").mapping(IMAGES))
        .isEqualTo(UprightMapping.of(fitted, Resampling.BILINEAR));
    assertThat(spec("upright:" + file, "so2").mapping(IMAGES).name()).isEqualTo("upright");
    // a file that changed is read again
    UprightFile.write(file, FittedUpright.random(settings.withGroup("o2"), 2));
    Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(1));
    assertThat(spec("upright:" + file, "o2").mapping(IMAGES).action().group().name())
        .isEqualTo("O(2)");
    assertThatThrownBy(() -> spec("upright:" + file, "so2").mapping(IMAGES))
        .hasMessage("group: expected one of o2 for images with the mapping upright, found so2");
    assertThatThrownBy(() -> spec("upright:" + file, "").mapping(new InputShape.Clouds(9)))
        .hasMessageContaining("mapping: expected one of skewness, first-point, upright:FILE for");
  }

  @Test
  void refusesWhatIsNone() throws Exception {
    assertThatThrownBy(() -> spec("upright:" + folder.resolve("none"), "").mapping(IMAGES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected a file of a fitted mapping, found none at");
    assertThatThrownBy(() -> spec("sideways:x", "").mapping(IMAGES))
        .hasMessageContaining("expected one of disc, ")
        .hasMessageEndingWith("upright:FILE, found sideways:x");
    Path bad = Files.writeString(folder.resolve("bad"), "no tensors");
    assertThatThrownBy(() -> spec("upright:" + bad, "").mapping(IMAGES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bad: expected a safetensors file");
  }
}
