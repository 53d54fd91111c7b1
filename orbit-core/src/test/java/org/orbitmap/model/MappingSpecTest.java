package org.orbitmap.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.QuarterTurnMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.image.mapping.SimilarityMapping;
import org.orbitmap.orbit.OrbitMapping;

/** Names and the mappings they stand for. */
class MappingSpecTest {
  private static final InputShape.Images IMAGES = new InputShape.Images(3, 8, 8);
  private static final InputShape.Clouds CLOUDS = new InputShape.Clouds(16);
  private static final Resampling GREY = Resampling.BILINEAR.with(Fill.constant(0.5f));

  private static OrbitMapping<?, ?> image(String rule, String group) {
    return new MappingSpec(rule, group, GREY).mapping(IMAGES);
  }

  private static OrbitMapping<?, ?> cloud(String rule, String group) {
    return new MappingSpec(rule, group, GREY).mapping(CLOUDS);
  }

  @Test
  void images() {
    assertThat(image("", "")).isEqualTo(new RotationMapping(PoseRule.DISC, GREY));
    assertThat(image("disc", "so2")).isEqualTo(new RotationMapping(PoseRule.DISC, GREY));
    assertThat(image(" Paper ", "O2")).isEqualTo(new OrthogonalMapping(PoseRule.PAPER, GREY));
    assertThat(image("central", "c4")).isEqualTo(new QuarterTurnMapping(PoseRule.CENTRAL));
    assertThat(image("disc", "sim2")).isEqualTo(new SimilarityMapping(GREY));
    assertThat(image("disc", "similarity2")).isEqualTo(new SimilarityMapping(GREY));
  }

  @Test
  void clouds() {
    assertThat(cloud("", ""))
        .isEqualTo(
            new CloudMapping(
                SimilarityGroup.similarities(3), AxisSignRule.SKEWNESS, ScaleRule.MEAN_DISTANCE));
    assertThat(cloud("first-point", "so3"))
        .isEqualTo(
            new CloudMapping(
                SimilarityGroup.so(3), AxisSignRule.FIRST_POINT, ScaleRule.MEAN_DISTANCE));
  }

  /** Quarter turns need a rule that is exact on them, similarities the disc. */
  @Test
  void groupsOfARule() {
    assertThat(MappingSpec.family("disc").groups(IMAGES))
        .containsExactly("so2", "c4", "o2", "sim2");
    assertThat(MappingSpec.family("paper").groups(IMAGES)).containsExactly("so2", "c4", "o2");
    assertThat(MappingSpec.family("forward").groups(IMAGES)).containsExactly("so2", "o2");
    assertThat(MappingSpec.family("disc").groups(CLOUDS)).isEmpty();
    assertThat(MappingSpec.family("skewness").groups(IMAGES)).isEmpty();
    assertThat(MappingSpec.family("skewness").groups(CLOUDS)).startsWith("sim3").contains("so3");
    assertThat(MappingSpec.groups(IMAGES)).containsExactly("so2", "c4", "o2", "sim2");
    assertThat(MappingSpec.groups(CLOUDS)).isEqualTo(SimilarityGroup.names(3));
    assertThat(MappingSpec.families(CLOUDS))
        .extracting(MappingFamily::name)
        .containsExactly("skewness", "first-point");
    assertThat(MappingSpec.families(IMAGES))
        .extracting(MappingFamily::name)
        .containsExactly("disc", "paper", "released", "central", "forward");
    assertThat(MappingSpec.names()).contains("disc", "forward", "skewness", "first-point");
    assertThat(MappingSpec.families().names()).isEqualTo(MappingSpec.names());
  }

  @Test
  void whatCannotBeChosenIsNamed() {
    assertThatThrownBy(() -> image("skewness", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "mapping: expected one of disc, paper, released, central, forward for images, found"
                + " skewness");
    assertThatThrownBy(() -> cloud("disc", "")).hasMessageContaining("for clouds, found disc");
    assertThatThrownBy(() -> image("forward", "c4"))
        .hasMessage("group: expected one of so2, o2 for images with the mapping forward, found c4");
    assertThatThrownBy(() -> MappingSpec.family("none"))
        .hasMessageContaining("disc, paper, released, central, forward, skewness, first-point")
        .hasMessageEndingWith(", found none");
    assertThatThrownBy(() -> MappingSpec.family("nothing:File"))
        .hasMessageEndingWith(", found nothing:File");
  }

  @Test
  void aRuleMayNameAFile() {
    assertThat(MappingSpec.rule(" Upright:/A/B.safetensors "))
        .isEqualTo("upright:/A/B.safetensors");
    assertThat(MappingSpec.rule("DISC")).isEqualTo("disc");
    assertThat(MappingSpec.file("upright:/A:B")).contains("/A:B");
    assertThat(MappingSpec.file("disc")).isEmpty();
    assertThat(MappingSpec.defaults()).isEqualTo(new MappingSpec("", "", Resampling.BILINEAR));
  }
}
