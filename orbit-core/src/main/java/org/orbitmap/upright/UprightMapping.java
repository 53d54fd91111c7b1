package org.orbitmap.upright;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Offset;
import org.orbitmap.image.Resampler;
import org.orbitmap.image.Resampler.Affine;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.OrthogonalMapping.OrthogonalPose;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.network.run.ArrayOperations;
import org.orbitmap.network.run.ArrayOperations.Batch;
import org.orbitmap.network.run.ArrayWeights;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.GroupAction;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.UprightModes.Mode;

/**
 * A learned orbit mapping, x → s(h(x))·h(x) ({@link OrbitMapping#refinedBy}): h brings the image to
 * a canonical pose, and a network looks at it and says by which s it must be rotated to stand
 * upright. It sees nothing but the canonical image, so whatever it says, it says the same for every
 * pose: the laws hold for any numbers of the network, fitted or not.
 *
 * <p>The image is interpolated once, straight from the input, by s(h(x))·ĝ.
 *
 * <p>The margin is the smaller of two: that of h, the L2 norm of a change of the image, and the gap
 * between the best and the next mode of the predictor, a difference of probabilities. Both are 0
 * where a choice is ambiguous; {@link #pose} has them apart.
 *
 * @param <G> rotations, or rotations and mirrorings if the predictor tells mirror images apart
 */
public final class UprightMapping<G> implements OrbitMapping<G, Image> {
  private static final long serialVersionUID = 1L;

  private final FittedUpright fitted;
  private final Resampling resampling;
  private final OrbitMapping<G, Image> base;
  private final GroupAction<G, Image> action;
  private final Inclusion<Image, Base<G>> pose;
  private final Inclusion<Mode, G> element;
  private final Inclusion<G, Affine> map;
  private transient ArrayWeights predictor;
  private transient ArrayWeights restorer;

  private UprightMapping(
      FittedUpright fitted,
      Resampling resampling,
      OrbitMapping<G, Image> base,
      Inclusion<Image, Base<G>> pose,
      GroupAction<G, Image> action,
      Inclusion<Mode, G> element,
      Inclusion<G, Affine> map) {
    this.fitted = fitted;
    this.resampling = Objects.requireNonNull(resampling, "resampling");
    this.base = base;
    this.pose = pose;
    this.action = action;
    this.element = element;
    this.map = map;
    prepare();
  }

  private void prepare() {
    predictor = new ArrayWeights(fitted.predictor());
    restorer = new ArrayWeights(fitted.restorer());
  }

  private Object readResolve() {
    prepare();
    return this;
  }

  /**
   * The mapping of a fitted predictor, of its group.
   *
   * @param resampling how the upright image is computed
   */
  public static UprightMapping<?> of(FittedUpright fitted, Resampling resampling) {
    return fitted.settings().mirrors()
        ? orthogonal(fitted, resampling)
        : rotations(fitted, resampling);
  }

  /** The mapping of a predictor of rotations. */
  public static UprightMapping<Rotation2> rotations(FittedUpright fitted, Resampling resampling) {
    require(fitted, "so2");
    UprightSettings s = fitted.settings();
    RotationMapping base =
        new RotationMapping(PoseRule.named(s.base()), Resampling.of(s.interpolation()));
    return new UprightMapping<>(
        fitted,
        resampling,
        base,
        u -> {
          Pose pose = base.pose(u);
          return new Base<>(pose.rotation(), pose.margin());
        },
        new ImageRotation(resampling),
        Mode::rotation,
        Affine::of);
  }

  /** The mapping of a predictor of rotations and mirrorings. */
  public static UprightMapping<Orthogonal2> orthogonal(
      FittedUpright fitted, Resampling resampling) {
    require(fitted, "o2");
    UprightSettings s = fitted.settings();
    OrthogonalMapping base =
        new OrthogonalMapping(PoseRule.named(s.base()), Resampling.of(s.interpolation()));
    return new UprightMapping<>(
        fitted,
        resampling,
        base,
        u -> {
          OrthogonalPose pose = base.pose(u);
          return new Base<>(pose.element(), pose.margin());
        },
        new ImageOrthogonal(resampling),
        mode -> new Orthogonal2(mode.rotation(), mode.mirrored()),
        Affine::of);
  }

  /** What the mapping below says of an image. */
  private record Base<G>(G element, double margin) {}

  private static void require(FittedUpright fitted, String group) {
    if (!fitted.settings().group().equals(group)) {
      throw new IllegalArgumentException(
          "upright: expected a predictor of %s, found one of %s"
              .formatted(group, fitted.settings().group()));
    }
  }

  /** The predictor. */
  public FittedUpright fitted() {
    return fitted;
  }

  /** How the upright image is computed. */
  public Resampling resampling() {
    return resampling;
  }

  /**
   * The same for images whose mirror images are as good: the predictor looks at both sides, and the
   * mean of its probabilities counts. A predictor that tells mirror images apart stays as it is.
   */
  public UprightMapping<?> onBothSides() {
    UprightSettings s = fitted.settings();
    return s.mirrors() || s.views() == 2 || s.views() == 8
        ? this
        : of(
            new FittedUpright(
                s.withViews(2 * s.views()),
                fitted.predictor(),
                fitted.restorer(),
                fitted.provenance()),
            resampling);
  }

  /** The mapping below, which gives the image that the predictor sees. */
  public OrbitMapping<G, Image> base() {
    return base;
  }

  /**
   * What is found of an image.
   *
   * @param elements what brings the image to each of the m best poses, the best first
   * @param weights the share of each
   * @param margin that of the mapping below
   * @param gap between the best and the next mode
   */
  public record Found<G>(List<G> elements, List<Double> weights, double margin, double gap)
      implements Serializable {
    public Found {
      elements = List.copyOf(elements);
      weights = List.copyOf(weights);
    }
  }

  /** The m best poses of an image; it is not resampled to them. */
  public Found<G> poses(Image image, int m) {
    Base<G> c = pose.apply(image);
    List<Mode> modes = modes(reduced(image), c.element(), Math.max(2, m));
    return new Found<>(
        modes.stream()
            .limit(m)
            .map(mode -> action.group().compose(element.apply(mode), c.element()))
            .toList(),
        weights(modes.subList(0, m)),
        c.margin(),
        modes.get(0).mass() - modes.get(1).mass());
  }

  private static List<Double> weights(List<Mode> modes) {
    double sum = modes.stream().mapToDouble(Mode::weight).sum();
    return modes.stream().map(mode -> mode.weight() / sum).toList();
  }

  /** The best pose of an image. */
  public Found<G> pose(Image image) {
    return poses(image, 1);
  }

  /** The refinement s: what the predictor says of a canonical image (see {@link UprightView}). */
  public G refinement(Image canonical) {
    return element.apply(modes(reduced(canonical), action.group().identity(), 1).get(0));
  }

  /**
   * What the predictor says.
   *
   * @param u an image, or the reduced copy of a large one
   * @param canonical what brings it to its canonical pose
   */
  private List<Mode> modes(Image u, G canonical, int m) {
    UprightSettings s = fitted.settings();
    List<Offset> offsets = UprightPredictor.offsets(u.height(), u.width(), s);
    Resampling how = Resampling.of(s.interpolation());
    Image seen = Resampler.sample(u, map.apply(canonical), how, offsets);
    Batch clear = UprightPredictor.cleared(new ArrayOperations(restorer), batch(seen), s);
    Batch p = UprightPredictor.probabilities(new ArrayOperations(predictor), clear, s);
    return UprightModes.of(p.values(), s, m);
  }

  private Image reduced(Image u) {
    if (!UprightView.reduces(u.height(), u.width(), fitted.settings())) {
      return u;
    }
    Batch y = UprightView.reduced(new ArrayOperations(predictor), batch(u), fitted.settings());
    int side = UprightView.side(fitted.settings());
    return new Image(fitted.settings().channels(), side, side, y.values());
  }

  private static Batch batch(Image u) {
    return Batch.of(u.data(), u.channels(), u.height(), u.width());
  }

  @Override
  public Canonical<G, Image> map(Image image) {
    Found<G> found = pose(image);
    G g = found.elements().get(0);
    return new Canonical<>(action.act(g, image), g, Math.min(found.margin(), found.gap()));
  }

  /** An image in its best pose, {@link #restored}. */
  public Image shown(Image image) {
    return restored(image, pose(image).elements().get(0));
  }

  /**
   * An image in a pose as a network should see it: g·u with the blur of resampling undone, or g·u
   * itself if there is no restorer.
   */
  public Image restored(Image u, G g) {
    if (!fitted.restores()) {
      return action.act(g, u);
    }
    UprightSettings s = fitted.settings();
    Image seen = Resampler.sample(u, map.apply(g), resampling, UprightPredictor.offsets(s));
    Batch y = UprightPredictor.restored(new ArrayOperations(restorer), batch(seen), s);
    return new Image(u.channels(), u.height(), u.width(), y.values());
  }

  @Override
  public String name() {
    return "upright";
  }

  @Override
  public GroupAction<G, Image> action() {
    return action;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof UprightMapping<?> m
        && fitted.equals(m.fitted)
        && resampling.equals(m.resampling);
  }

  @Override
  public int hashCode() {
    return Objects.hash(fitted.settings(), resampling);
  }

  /** Such as {@code upright by convnet, 36 angles, behind disc, bilinear, black outside}. */
  @Override
  public String toString() {
    return "%s, behind %s, %s".formatted(fitted, fitted.settings().base(), resampling);
  }
}
