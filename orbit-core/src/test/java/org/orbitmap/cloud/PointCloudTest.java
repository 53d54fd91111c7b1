package org.orbitmap.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.cloud.PointFeature.Kind;
import org.orbitmap.group.Permutation;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.orbit.Guarantee;

/** Clouds, what belongs to their points, and how both move. */
class PointCloudTest {
  private static final float[] XYZ = {1, 2, 3, 4, 5, 6};

  @Test
  void pointsAndFeaturesMustFit() {
    assertThat(new PointCloud(2, XYZ).size()).isEqualTo(3);
    assertThat(new PointCloud(3, XYZ).size()).isEqualTo(2);
    for (int dimension : new int[] {1, 4}) {
      assertThatThrownBy(() -> new PointCloud(dimension, new float[12]))
          .hasMessage("cloud: expected dimension 2 or 3, found " + dimension);
    }
    for (float[] bad : new float[][] {{}, {1, 2, 3, 4}}) {
      assertThatThrownBy(() -> new PointCloud(3, bad))
          .hasMessage("cloud: expected a positive multiple of 3 coordinates, found " + bad.length);
    }
    assertThatThrownBy(() -> new PointCloud(3, XYZ, List.of(PointFeature.colours(new float[3]))))
        .hasMessage("cloud: expected the feature colour for 2 points, found it for 1");
    PointFeature flat = PointFeature.normals(2, new float[4]);
    assertThatThrownBy(() -> new PointCloud(3, XYZ, List.of(flat)))
        .hasMessage("cloud: expected the vector feature normal to have width 3, found 2");
    assertThatThrownBy(() -> new PointFeature("f", Kind.SCALAR, 0, new float[0]))
        .hasMessageContaining("feature f");
    assertThatThrownBy(() -> new PointFeature("f", Kind.SCALAR, 2, new float[3]))
        .hasMessage("feature f: expected a multiple of its width 2, found 3 numbers");
    assertThat(new PointFeature("f", Kind.SCALAR, 1, new float[4]).size()).isEqualTo(4);
  }

  @Test
  void featuresByName() {
    PointFeature colour = PointFeature.colours(new float[6]);
    PointCloud x = new PointCloud(3, XYZ, List.of(PointFeature.normals(3, new float[6]), colour));
    assertThat(x.feature("colour")).contains(colour);
    assertThat(x.feature("intensity")).isEmpty();
    assertThat(x).hasToString("PointCloud[2 points in 3-D with normal, colour]");
    assertThat(new PointCloud(2, XYZ)).hasToString("PointCloud[3 points in 2-D]");
    assertThat(colour).hasToString("PointFeature[colour, SCALAR, 2 x 3]");
  }

  @Test
  void equalByNumbers() {
    PointFeature f = new PointFeature("f", Kind.SCALAR, 1, new float[] {7, 8});
    PointCloud x = new PointCloud(3, XYZ, List.of(f));
    PointCloud same =
        new PointCloud(
            3, XYZ.clone(), List.of(new PointFeature("f", Kind.SCALAR, 1, f.values().clone())));
    assertThat(x).isEqualTo(same).hasSameHashCodeAs(same);
    for (PointCloud other :
        List.of(
            new PointCloud(3, XYZ),
            new PointCloud(3, new float[] {1, 2, 3, 4, 5, 7}, List.of(f)),
            new PointCloud(2, XYZ))) {
      assertThat(x).isNotEqualTo(other).doesNotHaveSameHashCodeAs(other);
    }
    assertThat(new PointCloud(2, XYZ)).isNotEqualTo(new PointCloud(3, XYZ));
    for (PointFeature other :
        List.of(
            new PointFeature("g", Kind.SCALAR, 1, f.values()),
            new PointFeature("f", Kind.VECTOR, 1, f.values()),
            new PointFeature("f", Kind.SCALAR, 2, f.values()),
            new PointFeature("f", Kind.SCALAR, 1, new float[] {7, 9}))) {
      assertThat(f).isNotEqualTo(other).doesNotHaveSameHashCodeAs(other);
    }
  }

  @Test
  void theFirstCoordinateThatIsNotFiniteIsNamed() {
    PointCloud x = new PointCloud(3, XYZ);
    assertThat(x.requireFinite()).isSameAs(x);
    PointCloud bad = new PointCloud(3, new float[] {1, 2, 3, 4, Float.NaN, 6});
    assertThatThrownBy(bad::requireFinite)
        .hasMessage("cloud: expected finite coordinates, found NaN at point 1, coordinate 1");
  }

  /** ‖x - y‖ / ‖x‖. */
  @Test
  void relativeDistance() {
    PointCloud x = new PointCloud(2, new float[] {3, 0, 0, 4});
    PointCloud y = new PointCloud(2, new float[] {3, 1, 2, 2});
    assertThat(x.relativeDistance(y)).isCloseTo(3 / 5.0, within(1e-12));
    assertThat(x.relativeDistance(x)).isZero();
    assertThat(x.relativeDistance(new PointCloud(2, new float[] {3, 0}))).isInfinite();
    assertThat(new PointCloud(2, XYZ).relativeDistance(new PointCloud(3, XYZ))).isInfinite();
    PointCloud zero = new PointCloud(2, new float[4]);
    assertThat(zero.relativeDistance(zero)).isZero();
    assertThat(zero.relativeDistance(x)).isInfinite();
  }

  /** x → s R x + t; normals turn, colours stay. */
  @Test
  void similaritiesMovePointsAndTurnNormals() {
    PointFeature normals = PointFeature.normals(3, new float[] {1, 0, 0, 0, 0, 1});
    PointFeature colours = PointFeature.colours(XYZ);
    PointCloud x = new PointCloud(3, XYZ, List.of(normals, colours));
    Similarity g =
        Similarity.translation(10, 20, 30)
            .after(Similarity.scale(3, 2))
            .after(Similarity.rotation(2, Math.PI / 2));
    PointCloud y = new CloudAction(SimilarityGroup.similarities(3)).act(g, x);
    assertThat(y.coordinates()).containsExactly(new float[] {6, 22, 36, 0, 28, 42}, within(1e-5f));
    assertThat(y.features().get(0).values())
        .containsExactly(new float[] {0, 1, 0, 0, 0, 1}, within(1e-6f));
    assertThat(y.features().get(0).name()).isEqualTo("normal");
    assertThat(y.features().get(1)).isSameAs(colours);
    PointCloud flat = new PointCloud(2, new float[] {1, 2, 3, 4});
    assertThatThrownBy(() -> new CloudAction(SimilarityGroup.so(3)).act(g, flat))
        .hasMessage("cloud: expected 3 coordinates a point, found 2");
  }

  /** In the plane: turned by 90° and moved. */
  @Test
  void similaritiesOfThePlane() {
    PointCloud x = new PointCloud(2, new float[] {1, 2, 3, 4});
    Similarity g = new Similarity(2, new double[] {0, -1, 1, 0}, new double[] {10, 20});
    PointCloud y = new CloudAction(SimilarityGroup.similarities(2)).act(g, x);
    assertThat(y.coordinates()).containsExactly(6, 22, 2, 26);
  }

  /** Point i moves to place π(i), with all that belongs to it. */
  @Test
  void permutationsTakeFeaturesAlong() {
    PointCloud x =
        new PointCloud(
            2,
            new float[] {1, 1, 2, 2, 3, 3},
            List.of(new PointFeature("f", Kind.SCALAR, 1, new float[] {1, 2, 3})));
    PermutationAction action = new PermutationAction(3);
    PointCloud y = action.act(new Permutation(new int[] {2, 0, 1}), x);
    assertThat(y.coordinates()).containsExactly(2, 2, 3, 3, 1, 1);
    assertThat(y.features().get(0).values()).containsExactly(2, 3, 1);
    assertThat(action.guarantee()).isEqualTo(Guarantee.EXACT);
    assertThatThrownBy(() -> action.act(new Permutation(new int[] {1, 0}), x))
        .hasMessage("cloud: expected 2 points, found 3");
  }

  @Test
  void answersComeBackInTheFrameOfTheInput() {
    SimilarityGroup group = SimilarityGroup.similarities(3);
    Similarity g =
        Similarity.translation(10, 20, 30)
            .after(Similarity.scale(3, 2))
            .after(Similarity.rotation(2, Math.PI / 2));
    assertThat(CloudOutputs.points(group).act(g, XYZ))
        .containsExactly(new float[] {6, 22, 36, 0, 28, 42}, within(1e-5f));
    assertThat(CloudOutputs.vectors(group).act(g, XYZ))
        .containsExactly(new float[] {-2, 1, 3, -5, 4, 6}, within(1e-5f));
    assertThatThrownBy(() -> CloudOutputs.points(group).act(g, new float[4]))
        .hasMessage("output: expected a multiple of 3 numbers, found 4");
    Similarity pose = Similarity.translation(1, 2, 3);
    assertThat(CloudOutputs.poses(group).act(g, pose)).isEqualTo(g.after(pose));
    Box box = Box.between(new double[] {0, 0, 0}, new double[] {1, 2, 3});
    double[][] corners = box.corners();
    double[][] moved = CloudOutputs.boxes(group).act(g, box).corners();
    for (int k = 0; k < 8; k++) {
      assertThat(moved[k]).containsExactly(g.apply(corners[k]), within(1e-9));
    }
  }

  @Test
  void boxesAroundClouds() {
    PointCloud x = new PointCloud(2, new float[] {1, 5, 3, -2, 2, 0});
    Box box = Box.around(x);
    assertThat(box.size()).containsExactly(2, 7);
    assertThat(box.corners()).isDeepEqualTo(new double[][] {{1, -2}, {3, -2}, {1, 5}, {3, 5}});
    assertThat(box)
        .isEqualTo(Box.between(new double[] {1, -2}, new double[] {3, 5}))
        .hasSameHashCodeAs(Box.between(new double[] {1, -2}, new double[] {3, 5}));
    assertThat(Box.around(new PointCloud(2, new float[] {-3, -1, -2, -5})))
        .isEqualTo(Box.between(new double[] {-3, -5}, new double[] {-2, -1}));
    for (Box other :
        List.of(
            new Box(new double[] {2, 8}, box.pose()),
            new Box(box.size(), Similarity.translation(1, 1)))) {
      assertThat(box).isNotEqualTo(other).doesNotHaveSameHashCodeAs(other);
    }
    assertThat(box.toString()).startsWith("Box[[2.0, 7.0], ");
    assertThatThrownBy(() -> new Box(new double[3], Similarity.identity(2)))
        .hasMessage("box: expected 2 edge lengths, found 3");
  }
}
