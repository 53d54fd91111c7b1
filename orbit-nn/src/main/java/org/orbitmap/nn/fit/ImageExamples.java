package org.orbitmap.nn.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.group.O2;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SO2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Offset;
import org.orbitmap.image.Resampler;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.InputShape;
import org.orbitmap.network.Architecture;
import org.orbitmap.nn.layer.TorchOperations;
import org.orbitmap.upright.UprightModes;
import org.orbitmap.upright.UprightPredictor;
import org.orbitmap.upright.UprightSettings;
import org.orbitmap.upright.UprightView;

/**
 * Images in poses. An upright image u comes rotated, h·u, and is brought to its canonical pose,
 * g·h·u; what makes it upright again is (gh)⁻¹.
 */
final class ImageExamples implements Examples<Image, Orthogonal2> {
  private static final O2 GROUP = new O2();

  private final FitRecipe recipe;
  private final InputShape<Image> shape;
  private final UprightSettings settings;
  private final RestorerTask restorer;
  private final List<Offset> offsets;

  /**
   * Examples.
   *
   * @param restorer trained before the predictor, which looks at restored images then; null for
   *     none
   */
  ImageExamples(
      FitRecipe recipe, InputShape<Image> shape, UprightSettings settings, RestorerTask restorer) {
    this.recipe = recipe;
    this.settings = settings;
    this.restorer = restorer;
    int[] axes = shape.axes();
    offsets = UprightPredictor.offsets(axes[1], axes[2], settings);
    this.shape = new InputShape.Images(axes[0] * offsets.size(), axes[1], axes[2]);
  }

  /** Of each channel all readings. */
  @Override
  public InputShape<Image> shape() {
    return shape;
  }

  /** The first of the readings of an image, as an image of this shape. */
  static Image first(Image readings, InputShape<Image> shape) {
    int[] axes = shape.axes();
    int each = readings.channels() / axes[0];
    if (each == 1) {
      return readings;
    }
    float[] first = new float[shape.length()];
    int plane = readings.plane();
    for (int c = 0; c < axes[0]; c++) {
      System.arraycopy(readings.data(), c * each * plane, first, c * plane, plane);
    }
    return shape.input(first, 0);
  }

  @Override
  public Architecture architecture() {
    return settings.architecture();
  }

  @Override
  public int copies() {
    return recipe.copies();
  }

  /** Copies that were rotated differently, h₁·u, h₂·u, …, and are all brought to one pose p·u. */
  @Override
  public List<Posed<Image, Orthogonal2>> draw(Image image, SplittableRandom random) {
    boolean flipped = recipe.flip() && !settings.mirrors() && random.nextBoolean();
    Image u = flipped ? image.mirrored() : image;
    boolean canonical = random.nextDouble() < recipe.canonical();
    Orthogonal2 p = canonical ? null : sample(random);
    List<Posed<Image, Orthogonal2>> copies = new ArrayList<>();
    for (int k = 0; k < recipe.copies(); k++) {
      Posed<Image, Orthogonal2> copy = posed(u, pick(recipe.first(), random), sample(random), p);
      p = GROUP.inverse(copy.upright());
      copies.add(copy);
    }
    return copies;
  }

  @Override
  public Posed<Image, Orthogonal2> mapped(Image image, SplittableRandom random) {
    Interpolation[] kinds = Interpolation.values();
    return posed(image, kinds[random.nextInt(kinds.length)], sample(random), null);
  }

  /** An image that comes rotated by h, in the pose p·u; in its canonical one if p is null. */
  private Posed<Image, Orthogonal2> posed(
      Image u, Interpolation before, Orthogonal2 h, Orthogonal2 p) {
    Orthogonal2 first = before == null ? new Orthogonal2(Rotation2.IDENTITY, h.mirrored()) : h;
    Image x =
        before == null && !first.mirrored()
            ? u
            : new ImageOrthogonal(Resampling.of(before == null ? Interpolation.NEAREST : before))
                .act(first, u);
    Orthogonal2 second = p == null ? canonical(x) : GROUP.compose(p, GROUP.inverse(first));
    Image y =
        Resampler.sample(x, Resampler.Affine.of(second), Resampling.of(recipe.reading()), offsets);
    Orthogonal2 upright = GROUP.inverse(GROUP.compose(second, first));
    return new Posed<>(y, upright);
  }

  /** What brings an image to its canonical pose. */
  private Orthogonal2 canonical(Image x) {
    Resampling any = Resampling.BILINEAR;
    PoseRule rule = PoseRule.named(settings.base());
    return settings.mirrors()
        ? new OrthogonalMapping(rule, any).pose(x).element()
        : new Orthogonal2(new RotationMapping(rule, any).pose(x).rotation(), false);
  }

  private Orthogonal2 sample(SplittableRandom random) {
    return settings.mirrors()
        ? GROUP.sample(random)
        : new Orthogonal2(new SO2().sample(random), false);
  }

  @Override
  public Tensor seen(TorchOperations ops, Tensor images) {
    return UprightView.of(ops, restorer == null ? images : cleared(images), settings);
  }

  /** Nothing of the restorer is learned here. */
  private Tensor cleared(Tensor images) {
    TorchOperations restoring = TorchOperations.inference(restorer.weights());
    return UprightPredictor.cleared(restoring, TorchOperations.arranged(images), settings).detach();
  }

  @Override
  public int targets() {
    return settings.scores();
  }

  /** q_k ∝ exp(κ cos(α - α_k)) about the true angle α, on the true side of the mirror. */
  @Override
  public void target(Orthogonal2 upright, float[] to, int at) {
    int bins = settings.bins();
    Arrays.fill(to, at, at + targets(), 0);
    int from = at + (upright.mirrored() ? bins : 0);
    double sum = 0;
    for (int k = 0; k < bins; k++) {
      double off = upright.rotation().radians() - 2 * Math.PI * k / bins;
      double q = Math.exp(recipe.concentration() * (Math.cos(off) - 1));
      to[from + k] = (float) q;
      sum += q;
    }
    for (int k = 0; k < bins; k++) {
      to[from + k] /= (float) sum;
    }
  }

  /**
   * The cross entropy -Σ q_k log p_k, and λ times the mean divergence KL(p‖m) of the answers p for
   * the copies of an example from their mean m (Jensen–Shannon): whichever way an image came, the
   * answer is to be one.
   */
  @Override
  public Tensor loss(Tensor scores, Tensor targets) {
    Tensor logs = torch.log_softmax(scores, 1);
    Tensor sum = logs.mul(targets).sum().neg();
    if (recipe.copies() > 1 && recipe.agreement() > 0) {
      Tensor copies = logs.reshape(-1, recipe.copies(), logs.size(1));
      Scalar count = new Scalar(Math.log(recipe.copies()));
      Tensor mean = torch.logsumexp(copies, new long[] {1}, true).sub(count); // finite where p is 0
      Tensor divergence = copies.sub(mean).mul(copies.exp()).sum();
      sum = sum.add(divergence.mul(new Scalar(recipe.agreement())));
    }
    return sum.div(new Scalar((double) scores.size(0)));
  }

  @Override
  public Orthogonal2 said(float[] scores) {
    UprightModes.Mode best = UprightModes.of(probabilities(scores), settings, 1).get(0);
    return new Orthogonal2(best.rotation(), best.mirrored());
  }

  private static float[] probabilities(float[] scores) {
    double largest = Double.NEGATIVE_INFINITY;
    for (float s : scores) {
      largest = Math.max(largest, s);
    }
    double sum = 0;
    for (float s : scores) {
      sum += Math.exp(s - largest);
    }
    float[] p = new float[scores.length];
    for (int k = 0; k < p.length; k++) {
      p[k] = (float) (Math.exp(scores[k] - largest) / sum);
    }
    return p;
  }

  /**
   * What is left to do is the identity if the answer was right. Where the side of the mirror is
   * wrong, the mirroring left-right leaves the image upright: it is a turn by 180° after the one
   * top-down.
   */
  @Override
  public double errorDegrees(Orthogonal2 truth, Orthogonal2 said) {
    Orthogonal2 left = GROUP.compose(truth, GROUP.inverse(said));
    double tilt = left.rotation().degrees() + (left.mirrored() ? 180 : 0);
    return Math.abs(Math.IEEEremainder(tilt, 360));
  }

  /**
   * The sum of the probabilities of the bins within 40°: twice as far as an answer may be off,
   * because the targets are soft.
   */
  @Override
  public double near(float[] scores, Orthogonal2 said) {
    float[] p = probabilities(scores);
    int bins = settings.bins();
    double sum = 0;
    for (int k = 0; k < bins; k++) {
      double off = said.rotation().radians() - 2 * Math.PI * k / bins;
      boolean near = Math.abs(Math.IEEEremainder(off, 2 * Math.PI)) <= Math.toRadians(40);
      sum += near ? p[(said.mirrored() ? bins : 0) + k] : 0;
    }
    return Math.min(1, sum);
  }

  static Interpolation pick(List<Interpolation> from, SplittableRandom random) {
    return from.get(random.nextInt(from.size()));
  }
}
