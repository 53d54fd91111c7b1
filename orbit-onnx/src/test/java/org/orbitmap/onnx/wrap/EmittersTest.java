package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.Layout;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.upright.UprightFrames;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightSettings;

/** Each kind of mapping once, on small models: the quick part of the tests beside it. */
class EmittersTest {
  @Test
  void images() throws Exception {
    Resampling bicubic = Resampling.of(Interpolation.BICUBIC).with(Fill.constant(0.3f));
    Resampling edge = Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE);
    ShapesTest.mapsAsJavaDoes(
        9, Layout.NCHW, "N", new RotationMapping(PoseRule.DISC, Resampling.BILINEAR));
    ShapesTest.mapsAsJavaDoes(9, Layout.NHWC, 2, new OrthogonalMapping(PoseRule.DISC, bicubic));
    ShapesTest.mapsAsJavaDoes(
        16,
        Layout.NHWC,
        "N",
        new RotationMapping(PoseRule.PAPER, Resampling.BILINEAR.withMask(true)));
    ShapesTest.mapsAsJavaDoes(16, Layout.NCHW, 2, new OrthogonalMapping(PoseRule.DISC, edge));
    ShapesTest.mapsAsJavaDoes(20, Layout.NCHW, 1, new RotationMapping(PoseRule.DISC, edge));
  }

  @Test
  void framesOfImages() throws Exception {
    ShapesTest.mapsBack(11, Layout.NHWC, "N", 5, Pool.CONFIDENCE);
    ShapesTest.mapsBack(17, Layout.NCHW, 1, 3, Pool.MEAN);
    ShapesTest.mapsBack(17, Layout.NCHW, "N", 2, Pool.MAX);
    ShapesTest.mapsBack(8, Layout.NCHW, "N", 1, Pool.MEAN);
  }

  @Test
  void fittedMappingsOfImages() throws Exception {
    UprightSettings settings = UprightSettings.of("convnet", 0.1, 12, 36);
    UprightMapping<?> mapping =
        UprightMapping.of(
            UprightWrapTest.sure(settings.withViews(4).withRestorer("fine-2x3"), 1),
            UprightFrames.RESAMPLING);
    UprightMapping<?> mirrors =
        UprightMapping.of(
            UprightWrapTest.sure(settings.withGroup("o2"), 2), UprightFrames.RESAMPLING);
    UprightMapping<?> reduced =
        UprightMapping.of(
            UprightWrapTest.sure(UprightSettings.of("linear", 1, 5, 36), 3),
            UprightFrames.RESAMPLING);
    List<Image> images = UprightWrapTest.images(20, 3);
    OnnxFile rows = UprightWrapTest.model(16, Layout.NCHW, "N", 3);
    UprightWrapTest.check(rows, mapping, null, null, UprightWrapTest.NORMAL, images);
    UprightWrapTest.check(
        UprightWrapTest.model(11, Layout.NHWC, 5L, 3),
        mapping,
        3,
        Pool.CONFIDENCE,
        UprightWrapTest.NORMAL,
        images);
    UprightWrapTest.check(rows, mirrors, 3, Pool.MEAN, UprightWrapTest.NORMAL, images);
    UprightWrapTest.check(rows, reduced, 1, null, UprightWrapTest.NORMAL, images);
  }

  @Test
  void clouds() throws Exception {
    List<PointCloud> clouds = CloudWrapTest.clouds(3, 40);
    OnnxFile file = CloudWrapTest.model(13, true, "N", 40);
    for (CloudMapping mapping :
        List.of(
            CloudMapping.of(SimilarityGroup.similarities(3)),
            new CloudMapping(
                SimilarityGroup.o(3), AxisSignRule.FIRST_POINT, ScaleRule.MEAN_DISTANCE))) {
      List<float[]> found =
          CloudWrapTest.run(Wrap.of(file).mapping(mapping).frames(1).build(), clouds);
      for (int i = 0; i < clouds.size(); i++) {
        float[] expected = mapping.map(clouds.get(i)).point().coordinates();
        assertThat(CloudWrapTest.distance(expected, found.get(i))).isLessThan(1e-5);
      }
    }
    OnnxFile back =
        Wrap.of(CloudWrapTest.model(11, false, 1, "P"))
            .mapping(CloudMapping.of(SimilarityGroup.so(3)))
            .frames(4, Pool.MEAN)
            .equivariant(List.of("cloud"))
            .build();
    List<float[]> same = CloudWrapTest.run(back, clouds);
    assertThat(CloudWrapTest.distance(clouds.get(2).coordinates(), same.get(2))).isLessThan(1e-5);
  }

  @Test
  void fittedMappingsOfClouds() throws Exception {
    CloudWrapTest.meanOfPoses(
        CloudWrapTest.model(13, true, "N", 40),
        CloudWrapTest.unsure(),
        4,
        CloudWrapTest.clouds(6, 40));
  }
}
