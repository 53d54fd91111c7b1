package org.orbitmap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.CloudOutputs;
import org.orbitmap.cloud.CloudSweeps;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.cloud.mapping.AmbiguityPolicy;
import org.orbitmap.cloud.mapping.AxisSignRule;
import org.orbitmap.cloud.mapping.CloudMapping;
import org.orbitmap.cloud.mapping.PointOrder;
import org.orbitmap.cloud.mapping.ScaleRule;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Robustness.Settings;
import org.orbitmap.eval.Robustness.TrueClass;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.C4;
import org.orbitmap.group.O2;
import org.orbitmap.group.Permutations;
import org.orbitmap.group.Product;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SO2;
import org.orbitmap.group.ScaleShift;
import org.orbitmap.group.ScaleShifts;
import org.orbitmap.group.Scalings;
import org.orbitmap.group.Shifts;
import org.orbitmap.group.Sim2;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.ImageSimilarity;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.QuarterTurns;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.Layout;
import org.orbitmap.model.MappingFamily;
import org.orbitmap.model.MappingSpec;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.Guarantee;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.vector.VectorActions;
import org.orbitmap.vector.VectorMappings;

/** What goes to another JVM comes back as it was, and does there what it did here. */
class SerialisationTest {
  private static final int POINTS = 6;
  private static final PoseRule SOBEL =
      PoseRule.kernels(
          new double[][] {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}},
          new double[][] {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}});

  /** A mapping with some inputs. */
  private record Case<X>(OrbitMapping<?, X> mapping, List<X> inputs) {
    @Override
    public String toString() {
      return mapping.name() + ", " + mapping.action().group().name();
    }
  }

  @ParameterizedTest
  @MethodSource
  <X> void everyMappingGivesTheSameResults(Case<X> c) throws Exception {
    OrbitMapping<?, X> copy = copy(c.mapping());
    assertThat(copy.name()).isEqualTo(c.mapping().name());
    assertThat(copy.guarantee()).isEqualTo(c.mapping().guarantee());
    assertThat(copy.carries()).isEqualTo(c.mapping().carries());
    assertThat(copy.mapped()).isEqualTo(c.mapping().mapped());
    for (X x : c.inputs()) {
      Canonical<?, X> expected = c.mapping().map(x);
      Canonical<?, X> found = copy.map(x);
      assertThat(Values.distance(found.point(), expected.point())).isZero();
      assertThat(found.element()).isEqualTo(expected.element());
      assertThat(found.margin()).isEqualTo(expected.margin());
      assertThat(copy(expected).element()).isEqualTo(expected.element());
    }
  }

  static Stream<Case<?>> everyMappingGivesTheSameResults() {
    List<Case<?>> cases = new ArrayList<>();
    List<double[]> vectors = inputs(BuiltIns.PERMUTATIONS.space());
    List<Image> images = inputs(ImageBuiltIns.IMAGES);
    List<PointCloud> clouds = List.of(cloud(3, 1), cloud(3, 2));
    cases.add(new Case<>(VectorMappings.mean(), vectors));
    cases.add(new Case<>(VectorMappings.norm(), vectors));
    cases.add(new Case<>(VectorMappings.meanAndNorm(), vectors));
    cases.add(new Case<>(VectorMappings.sorting(BuiltIns.ENTRIES), vectors));
    cases.add(new Case<>(BuiltIns.MEAN, vectors));
    cases.add(new Case<>(VectorMappings.meanAndNorm().refinedBy(new Stretch()), vectors));
    cases.addAll(named(new InputShape.Images(1, 32, 32), images));
    cases.addAll(named(new InputShape.Clouds(POINTS), clouds));
    cases.add(new Case<>(new RotationMapping(SOBEL, Resampling.BILINEAR), images));
    cases.add(
        new Case<>(
            RotationMapping.disc()
                .refinedBy(
                    (Function<Image, Rotation2> & Serializable)
                        u -> Rotation2.ofRadians(u.data()[u.data().length / 2])),
            images));
    SimilarityGroup sim3 = SimilarityGroup.similarities(3);
    CloudAction joint = new CloudAction(sim3);
    cases.add(
        new Case<>(new CloudMapping(sim3, AxisSignRule.SKEWNESS, ScaleRule.MAX_NORM), clouds));
    cases.add(
        new Case<>(
            CloudMapping.of(SimilarityGroup.translations(3))
                .within(g -> g, joint)
                .then(CloudMapping.of(SimilarityGroup.so(3)).within(g -> g, joint), joint),
            clouds));
    cases.add(new Case<>(new PointOrder(POINTS), clouds));
    cases.add(new Case<>(CloudMapping.of(sim3).ordered(POINTS), clouds));
    cases.add(new Case<>(CloudMapping.of(SimilarityGroup.se(2)), List.of(cloud(2, 3))));
    return cases.stream();
  }

  /** Every mapping that users can name, with every interpolation. */
  private static <X> List<Case<?>> named(InputShape<X> shape, List<X> inputs) {
    List<Case<?>> cases = new ArrayList<>();
    for (MappingFamily family : MappingSpec.families(shape)) {
      for (String group : family.groups(shape)) {
        for (Interpolation interpolation : Interpolation.values()) {
          Resampling resampling = Resampling.of(interpolation).withMask(group.equals("so2"));
          MappingSpec spec = new MappingSpec(family.name(), group, resampling);
          cases.add(new Case<>(spec.mapping(shape), inputs));
          if (!shape.kind().equals("images")) {
            break;
          }
        }
      }
    }
    return cases;
  }

  /** A correction that can travel. */
  private record Stretch() implements Function<double[], ScaleShift>, Serializable {
    @Override
    public ScaleShift apply(double[] y) {
      return BuiltIns.scaleShift(y);
    }
  }

  @Test
  void aCorrectionThatCannotTravelIsRefused() {
    OrbitMapping<Double, double[]> refined = VectorMappings.mean().refinedBy(y -> y[0]);
    assertThatThrownBy(() -> copy(refined)).isInstanceOf(NotSerializableException.class);
  }

  @ParameterizedTest
  @MethodSource
  <X> void everySweepGivesTheSamePoses(Sweep<X> sweep) throws Exception {
    Sweep<X> copy = copy(sweep);
    assertThat(copy).isEqualTo(sweep);
    @SuppressWarnings("unchecked") // the name tells the inputs
    X x =
        (X)
            (sweep.name().startsWith("rotation, b") || sweep.name().contains("mirroring")
                ? inputs(ImageBuiltIns.SQUARE).get(0)
                : cloud(3, 5));
    for (int p = 0; p < sweep.poses().size(); p++) {
      assertThat(copy.poses().get(p).identity()).isEqualTo(sweep.poses().get(p).identity());
      assertThat(copy.poses().get(p).transform().apply(x))
          .isEqualTo(sweep.poses().get(p).transform().apply(x));
    }
  }

  static Stream<Sweep<?>> everySweepGivesTheSamePoses() {
    Random random = new Random(1);
    return Stream.concat(
        Stream.of(
            Sweep.clean(),
            AngleSweep.every(45, Resampling.BILINEAR),
            AngleSweep.at(Resampling.of(Interpolation.BICUBIC).with(Fill.EDGE), 10, 370.5),
            AngleSweep.mirrored(Resampling.BILINEAR, 0, 15),
            CloudSweeps.rotationsOfThePaper(),
            CloudSweeps.allShifts(),
            CloudSweeps.orders(2, 5),
            CloudSweeps.randomRotations(5, random)),
        CloudSweeps.of(SimilarityGroup.named("sim3-mirrored", 3), 4, 3, random).stream());
  }

  /** Values are equal to what they were. */
  @ParameterizedTest
  @MethodSource
  void everyValueComesBackEqual(Object value) throws Exception {
    Object copy = copy(value);
    assertThat(copy).isEqualTo(value).hasSameHashCodeAs(value).hasToString(value.toString());
  }

  static Stream<Object> everyValueComesBackEqual() throws Exception {
    SimilarityGroup sim3 = SimilarityGroup.similarities(3);
    PointCloud cloud = cloud(3, 4);
    Image image = inputs(ImageBuiltIns.IMAGES).get(0);
    List<Object> values = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(2);
    for (var group :
        List.of(
            new SO2(),
            new C4(),
            new O2(),
            new Sim2(),
            new Shifts(),
            new Scalings(),
            new ScaleShifts(),
            new Permutations(4),
            new Product<>(new SO2(), new Permutations(3)),
            sim3)) {
      values.add(group);
      values.add(group.sample(random));
    }
    values.addAll(
        List.of(
            image,
            new PointCloud(
                3, cloud.coordinates(), List.of(PointFeature.normals(3, cloud.coordinates()))),
            new Labelled<>(image, 3),
            new ImageRotation(Resampling.BILINEAR),
            new ImageOrthogonal(Resampling.BILINEAR),
            new ImageSimilarity(Resampling.BILINEAR),
            new QuarterTurns(),
            new CloudAction(sim3),
            PointOrder.action(3),
            VectorActions.permute(new Permutations(3)),
            Guarantee.ROUNDING,
            RotationMapping.disc(),
            new RotationMapping(SOBEL, Resampling.BILINEAR),
            RotationMapping.disc().pose(image),
            new OrthogonalMapping(PoseRule.DISC, Resampling.BILINEAR).pose(image),
            CloudMapping.of(sim3),
            CloudMapping.of(sim3).pose(cloud),
            CloudMapping.of(sim3).ordered(POINTS),
            VectorMappings.meanAndNorm().action().group(),
            new Frames(RotationMapping.disc(), 8, true),
            Frames.Pool.CONFIDENCE,
            Resampling.of(Interpolation.NEAREST).with(Fill.constant(0.5f)),
            Fill.REFLECT,
            AmbiguityPolicy.FRAMES,
            Settings.defaults(),
            new InputShape.Images(3, 32, 32),
            new InputShape.Clouds(1024),
            MappingSpec.defaults(),
            ModelInput.Images.free(Layout.NHWC, 3, 32, 32),
            ModelInput.Clouds.free(true),
            ModelInput.Hints.NONE,
            Preprocessing.NONE,
            new Preprocessing(255, new double[] {1, 2, 3}, new double[] {4}),
            new TensorSpec("scores", "float", TensorSpec.sizes(-1, 10))));
    for (TrueClass kept : TrueClass.values()) {
      values.add(robustness(kept));
    }
    return values.stream();
  }

  private static Robustness robustness(TrueClass kept) {
    return Robustness.measure(
        batch -> batch.stream().map(u -> new float[] {u.data()[0], 0.2f}).toArray(float[][]::new),
        inputs(ImageBuiltIns.SQUARE).stream().map(u -> new Labelled<>(u, 1)).toList(),
        AngleSweep.every(90, Resampling.BILINEAR),
        new Settings(1, 2, kept),
        Progress.OFF);
  }

  /** Everything derived is there, and parts that were measured elsewhere merge. */
  @Test
  void resultsThatTravelledMerge() throws Exception {
    Robustness here = robustness(TrueClass.SCORE);
    Robustness there = copy(here);
    assertThat(there.accuracy()).isEqualTo(here.accuracy());
    assertThat(there.perClass()).isEqualTo(here.perClass());
    assertThat(there.cost()).isEqualTo(here.cost());
    assertThat(here.merge(there)).isEqualTo(here.merge(here));
  }

  /** The built-in rules are the same instances again, with the weights that are there already. */
  @Test
  void namedRulesStayThemselves() throws Exception {
    for (PoseRule rule : PoseRule.all()) {
      assertThat(copy(rule)).isSameAs(rule);
    }
    assertThat(copy(OrthogonalMapping.SECOND_HARMONIC)).isSameAs(OrthogonalMapping.SECOND_HARMONIC);
    PoseRule kernels = copy(SOBEL);
    assertThat(kernels).isEqualTo(SOBEL).isNotSameAs(SOBEL);
    assertThat(kernels.weights(9, 12).re()).isEqualTo(SOBEL.weights(9, 12).re());
  }

  /** A large cache is no part of what is sent. */
  @Test
  void weightsAreNotSent() throws Exception {
    PoseRule.DISC.weights(500, 500);
    assertThat(bytes(RotationMapping.disc())).hasSizeLessThan(2000);
  }

  @Test
  void actionsByAFormulaTravel() throws Exception {
    double[] x = {1, 2, 3};
    assertThat(copy(VectorActions.SHIFT).act(2.0, x)).containsExactly(3, 4, 5);
    assertThat(copy(VectorActions.SCALE).act(2.0, x)).containsExactly(2, 4, 6);
    assertThat(copy(VectorActions.SCALE_SHIFT).act(new ScaleShift(2, 1), x))
        .containsExactly(3, 5, 7);
    SimilarityGroup so3 = SimilarityGroup.so(3);
    Similarity quarter = Similarity.rotation(0, -1, 0, 1, 0, 0, 0, 0, 1);
    assertThat(copy(CloudOutputs.vectors(so3)).act(quarter, new float[] {1, 0, 0}))
        .containsExactly(0, 1, 0);
    assertThat(copy(CloudOutputs.poses(so3)).act(quarter, quarter))
        .isEqualTo(quarter.after(quarter));
  }

  private static <X> List<X> inputs(Space<X> space) {
    List<X> inputs = new ArrayList<>(space.special());
    SplittableRandom random = new SplittableRandom(11);
    for (int k = 0; k < 3; k++) {
      inputs.add(0, space.sample().apply(random));
    }
    return inputs;
  }

  private static PointCloud cloud(int dimension, long seed) {
    Random random = new Random(seed);
    float[] c = new float[dimension * POINTS];
    for (int i = 0; i < c.length; i++) {
      c[i] = (float) ((1 + i % dimension) * random.nextGaussian());
    }
    return new PointCloud(dimension, c);
  }

  private static byte[] bytes(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  @SuppressWarnings({"unchecked", "BanSerializableRead"}) // it is what was written a line before
  private static <T> T copy(T value) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes(value)))) {
      return (T) in.readObject();
    }
  }
}
