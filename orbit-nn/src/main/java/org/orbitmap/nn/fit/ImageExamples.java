package org.orbitmap.nn.fit;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.orbitmap.group.O2;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.SO2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;

/**
 * Images in poses as the predictor meets them, made from upright ones. An upright image u comes
 * rotated, h·u, and is brought to its canonical pose, g·h·u; what makes it upright again is (gh)⁻¹.
 */
final class ImageExamples {
  private static final O2 GROUP = new O2();

  private final boolean mirrors;
  private final FitRecipe recipe;

  ImageExamples(FitConfig config) {
    mirrors = config.mirrors();
    recipe = config.recipe();
  }

  /**
   * An image in a pose.
   *
   * @param image what the predictor may look at
   * @param upright what must be done to it
   */
  record Posed(Image image, Orthogonal2 upright) {}

  /** An example for training, of an upright image. */
  Posed draw(Image image, SplittableRandom random) {
    Image u = recipe.flip() && !mirrors && random.nextBoolean() ? image.mirrored() : image;
    Interpolation before = pick(recipe.first(), random);
    boolean canonical = random.nextDouble() < recipe.canonical();
    Orthogonal2 h = sample(random);
    Orthogonal2 g = sample(random);
    return posed(u, before, h, canonical ? null : g);
  }

  /** An upright image that comes rotated, in its canonical pose. */
  Posed mapped(Image image, Interpolation before, Orthogonal2 h) {
    return posed(image, before, h, null);
  }

  private Posed posed(Image u, Interpolation before, Orthogonal2 h, Orthogonal2 g) {
    Orthogonal2 first =
        before == null ? new Orthogonal2(GROUP.identity().rotation(), h.mirrored()) : h;
    Image x =
        before == null && !first.mirrored()
            ? u
            : new ImageOrthogonal(Resampling.of(before == null ? Interpolation.NEAREST : before))
                .act(first, u);
    Orthogonal2 second = g == null ? canonical(x) : g;
    Image y = new ImageOrthogonal(Resampling.of(recipe.reading())).act(second, x);
    return new Posed(y, GROUP.inverse(GROUP.compose(second, first)));
  }

  /** What brings an image to its canonical pose. */
  private Orthogonal2 canonical(Image x) {
    Resampling any = Resampling.BILINEAR;
    return mirrors
        ? new OrthogonalMapping(PoseRule.DISC, any).pose(x).element()
        : new Orthogonal2(new RotationMapping(PoseRule.DISC, any).pose(x).rotation(), false);
  }

  /** A random element of the group. */
  Orthogonal2 sample(RandomGenerator random) {
    return mirrors ? GROUP.sample(random) : new Orthogonal2(new SO2().sample(random), false);
  }

  static Interpolation pick(List<Interpolation> from, SplittableRandom random) {
    return from.get(random.nextInt(from.size()));
  }
}
