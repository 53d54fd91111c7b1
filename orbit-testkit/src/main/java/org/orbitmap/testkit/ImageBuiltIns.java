package org.orbitmap.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.orbitmap.eval.Classifier;
import org.orbitmap.group.C4;
import org.orbitmap.group.C4.QuarterTurn;
import org.orbitmap.group.O2.Orthogonal2;
import org.orbitmap.group.Rotation2;
import org.orbitmap.group.SO2;
import org.orbitmap.group.Sim2.Similarity2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageOrthogonal;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.ImageSimilarity;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.QuarterTurns;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.Frames.Pool;
import org.orbitmap.image.mapping.OrthogonalMapping;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.QuarterTurnMapping;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.image.mapping.SimilarityMapping;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.orbit.Canonical;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightFrames;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightSettings;

/**
 * The groups and mappings of images.
 *
 * <p>Rotating an image interpolates, so the laws hold up to an error that depends on how smooth the
 * image is. The images drawn here are sums of Gaussian spots with σ = 4 pixels and values up to 1.
 * One bilinear pass errs by at most 2·(1/8)/σ² = 0.016, one nearest-pixel pass by 0.7·0.61/σ =
 * 0.11; two passes, and the pose error of the rule, give the tolerances below.
 *
 * <p>Long because it lists the laws of every mapping of images.
 */
public final class ImageBuiltIns {
  private static final double SIGMA = 4;
  private static final double BILINEAR = 0.03;

  /** What images are multiplied by where nothing may depend on it. */
  private static final float[] SCALES = {1, 1e-12f, 1e12f, 1e-36f, 1e33f};

  /** Square images of even and odd size. */
  public static final Space<Image> SQUARE = images(new int[][] {{32, 32}, {33, 33}});

  /** Images of several shapes. */
  public static final Space<Image> IMAGES = images(new int[][] {{32, 32}, {33, 33}, {33, 46}});

  /**
   * Larger images, on which the same spots make a figure with a direction of its own that has room
   * in the frame at its canonical size: what the frame cuts off, no mapping can know.
   */
  private static final Space<Image> FIGURES =
      images(new int[][] {{64, 64}, {65, 80}}, ImageBuiltIns::hasRoom);

  /** Quarter turns, which are exact. */
  public static final Subject<QuarterTurn, Image> QUARTER_TURNS =
      Subject.of("C4 on images", new QuarterTurns(), withTies(), 0);

  /** Quarter turns of images that stay of their size. */
  static final Subject<QuarterTurn, Image> TURNED =
      Subject.of("C4 on square images", new QuarterTurns(), SQUARE, 0);

  /** Rotations, bilinear. */
  public static final Subject<Rotation2, Image> ROTATIONS =
      rotations(Interpolation.BILINEAR, BILINEAR);

  /** Rotations and mirrorings, bilinear. */
  public static final Subject<Orthogonal2, Image> MOTIONS =
      Subject.of("O(2) on images", new ImageOrthogonal(Resampling.BILINEAR), IMAGES, BILINEAR)
          .withNear(r -> new Orthogonal2(turn(r, 1e-4), false));

  /** Rotations, scalings and shifts that keep the figure inside its frame, bilinear. */
  public static final Subject<Similarity2, Image> SIMILARITIES =
      Subject.of("Sim(2) on images", new ImageSimilarity(Resampling.BILINEAR), FIGURES, BILINEAR)
          .withElements(r -> similarity(new SO2().sample(r), r, 1))
          .withNear(r -> similarity(turn(r, 1e-4), r, 1e-4));

  private ImageBuiltIns() {}

  static List<Law> laws() {
    List<Law> laws = new ArrayList<>(upright());

    laws.addAll(Laws.all(QUARTER_TURNS, new QuarterTurnMapping(PoseRule.DISC)));
    laws.addAll(
        Laws.refinement(
            QUARTER_TURNS,
            new QuarterTurnMapping(PoseRule.DISC),
            ImageBuiltIns::toBrightest,
            0,
            0));
    Subject<QuarterTurn, Image> square = TURNED;
    laws.addAll(Laws.pooling(square, new C4(), ImageBuiltIns::mean, 1e-6));
    for (PoseRule rule : PoseRule.all()) {
      if (rule.exactQuarterTurns()) {
        laws.add(
            Laws.invariant(
                square.with(rule.name() + ", " + square.name(), square.action()),
                x -> new RotationMapping(rule, Resampling.BILINEAR).map(x).point(),
                1e-5));
        laws.add(onTies(rule));
      }
    }

    laws.addAll(Laws.group(ROTATIONS));
    for (Interpolation interpolation : Interpolation.values()) {
      double tolerance =
          switch (interpolation) {
            case NEAREST -> 0.22;
            case BILINEAR -> BILINEAR;
            case BICUBIC -> 0.03;
          };
      Subject<Rotation2, Image> rotations = rotations(interpolation, tolerance);
      RotationMapping disc = new RotationMapping(PoseRule.DISC, Resampling.of(interpolation));
      laws.addAll(Laws.action(rotations));
      laws.addAll(Laws.mapping(rotations, disc, tolerance, CLEAR));
      laws.addAll(Laws.wrappers(rotations, disc, tolerance, CLEAR));
      laws.addAll(Laws.refinement(rotations, disc, ImageBuiltIns::byLight, tolerance, CLEAR));
    }
    laws.addAll(
        Laws.mapping(
            anyScale(ROTATIONS, RotationMapping.disc(), CLEAR),
            RotationMapping.disc(),
            BILINEAR,
            ANY));
    // The other rules find the pose less exactly; they are there to be compared with.
    for (PoseRule rule : PoseRule.all()) {
      if (!rule.equals(PoseRule.DISC)) {
        RotationMapping mapping = new RotationMapping(rule, Resampling.BILINEAR);
        laws.addAll(Laws.mapping(ROTATIONS, mapping, poseError(rule), CLEAR));
        laws.addAll(
            Laws.mapping(anyScale(ROTATIONS, mapping, CLEAR), mapping, poseError(rule), ANY));
      }
    }
    laws.add(
        Laws.invariant(
            ROTATIONS.with("frames of disc, " + ROTATIONS.name(), ROTATIONS.action()),
            x ->
                new Frames(RotationMapping.disc(), 8)
                    .invariant(SCORES, Frames.Pool.MEAN)
                    .scores(List.of(x))[0],
            BILINEAR));

    laws.addAll(Laws.group(MOTIONS));
    laws.addAll(Laws.action(MOTIONS));
    OrthogonalMapping motion = new OrthogonalMapping(PoseRule.DISC, Resampling.BILINEAR);
    laws.addAll(Laws.mapping(MOTIONS, motion, BILINEAR, CLEAR));
    laws.addAll(Laws.wrappers(MOTIONS, motion, BILINEAR, CLEAR));
    // Where an image is its own mirror image both choices lead to the same one.
    laws.add(
        Laws.invariant(
            MOTIONS.with("disc-o2, O(2) on symmetric images", Space.of(ImageBuiltIns::symmetric)),
            x -> motion.map(x).point(),
            BILINEAR));
    laws.addAll(Laws.mapping(anyScale(MOTIONS, motion, CLEAR), motion, BILINEAR, ANY));
    laws.addAll(
        Laws.refinement(MOTIONS, motion, u -> new Orthogonal2(byLight(u), true), BILINEAR, CLEAR));
    laws.add(
        Laws.invariant(
            MOTIONS.with("frames of disc with mirror images, " + MOTIONS.name(), MOTIONS.action()),
            x ->
                new Frames(RotationMapping.disc(), 8, true)
                    .invariant(SCORES, Frames.Pool.MEAN)
                    .scores(List.of(x))[0],
            BILINEAR));

    laws.addAll(Laws.group(SIMILARITIES));
    laws.addAll(Laws.action(SIMILARITIES));
    SimilarityMapping similarity = new SimilarityMapping(Resampling.BILINEAR);
    laws.addAll(Laws.mapping(SIMILARITIES, similarity, 0.1, 0.02));
    laws.addAll(Laws.wrappers(SIMILARITIES, similarity, 0.1, 0.02));
    laws.addAll(Laws.mapping(anyScale(SIMILARITIES, similarity, 0.02), similarity, 0.1, ANY));
    laws.addAll(
        Laws.refinement(
            SIMILARITIES,
            similarity,
            u -> new Similarity2(byLight(u), 1 / (1 + light(u)), light(u), -1),
            0.1,
            0.02));
    return laws;
  }

  /** An interpolated turn changes an image a little: closer than this the choice may jump. */
  private static final double CLEAR = 0.05;

  /** No image is passed over, whatever its margin. */
  private static final double ANY = -1;

  /** A network with three outputs that respects no symmetry. */
  private static final Classifier<Image> SCORES =
      batch -> {
        float[][] scores = new float[batch.size()][3];
        for (int i = 0; i < scores.length; i++) {
          Image u = batch.get(i);
          for (int p = 0; p < u.data().length; p++) {
            double column = p % u.width() / (double) u.width();
            for (int k = 0; k < 3; k++) {
              scores[i][k] +=
                  (float) (u.data()[p] * Math.sin((k + 1) * column) / (0.05 * u.plane()));
            }
          }
        }
        return scores;
      };

  /** The mean sample, brighter ones to the right counting more: smooth, and never symmetric. */
  private static double light(Image u) {
    double sum = 0;
    for (int p = 0; p < u.data().length; p++) {
      double column = p % u.width() - (u.width() - 1) / 2.0;
      sum += u.data()[p] * (1 + Math.tanh(column / 8));
    }
    return sum / u.data().length;
  }

  private static Rotation2 byLight(Image u) {
    return Rotation2.ofRadians(1 + 4 * light(u));
  }

  /** By as many quarters as the number of the brightest pixel says: no smoother than it need be. */
  private static QuarterTurn toBrightest(Image u) {
    int brightest = 0;
    for (int p = 1; p < u.data().length; p++) {
      brightest = u.data()[p] > u.data()[brightest] ? p : brightest;
    }
    return C4.turn(brightest);
  }

  private static double poseError(PoseRule rule) {
    return switch (rule.name()) {
      case "paper", "central" -> 0.05;
      case "released" -> 0.1;
      default -> 0.35;
    };
  }

  private static Subject<Rotation2, Image> rotations(
      Interpolation interpolation, double tolerance) {
    return Subject.of(
            "SO(2) on images, " + interpolation.id(),
            new ImageRotation(Resampling.of(interpolation)),
            IMAGES,
            tolerance)
        .withNear(r -> turn(r, 1e-4));
  }

  private static Rotation2 turn(RandomGenerator random, double radians) {
    return Rotation2.ofRadians(radians * random.nextGaussian());
  }

  private static Similarity2 similarity(Rotation2 turn, RandomGenerator random, double spread) {
    return new Similarity2(
        turn,
        Math.exp(spread * random.nextDouble(-0.2, 0.2)),
        spread * random.nextDouble(-2, 2),
        spread * random.nextDouble(-2, 2));
  }

  private static Space<Image> images(int[][] sizes) {
    return images(sizes, u -> true);
  }

  private static Space<Image> images(int[][] sizes, Predicate<Image> wanted) {
    List<Image> special =
        List.of(
            Image.black(1, 32, 32),
            new Image(1, 1, 1, new float[] {0.5f}),
            new Image(1, 1, 5, new float[] {0, 0, 1, 0.5f, 0}),
            new Image(1, 2, 2, new float[] {0.3f, 0.3f, 0.3f, 0.3f}),
            new Image(1, 3, 3, new float[] {0, 1, 0, 1, 0, 1, 0, 1, 0}));
    return new Space<>(
        r -> {
          Image drawn = spots(sizes[r.nextInt(sizes.length)], r);
          while (!wanted.test(drawn)) {
            drawn = spots(sizes[r.nextInt(sizes.length)], r);
          }
          return drawn;
        },
        special,
        u -> shade(u));
  }

  /** Whether the canonical image has 99 % of the figure's mass, which grows as its area. */
  private static boolean hasRoom(Image figure) {
    Canonical<Similarity2, Image> canonical =
        new SimilarityMapping(Resampling.BILINEAR).map(figure);
    double area = canonical.element().scale() * canonical.element().scale();
    return mass(canonical.point()) > 0.99 * area * mass(figure);
  }

  private static double mass(Image image) {
    double mass = 0;
    for (float value : image.data()) {
      mass += value;
    }
    return mass;
  }

  /**
   * Images with ties: every second one small, of few grey levels, with equal rows, symmetric in a
   * diagonal, or so dark that its response is next to nothing.
   */
  private static Space<Image> withTies() {
    return new Space<>(
        r -> r.nextBoolean() ? tied(r) : IMAGES.sample().apply(r), IMAGES.special(), IMAGES.net());
  }

  private static Image tied(RandomGenerator random) {
    int h = 1 + random.nextInt(8);
    int w = random.nextBoolean() ? h : 1 + random.nextInt(8);
    int channels = random.nextBoolean() ? 1 : 3;
    int levels = 1 + random.nextInt(3);
    float unit = SCALES[random.nextInt(SCALES.length)];
    boolean rows = random.nextInt(4) == 0;
    boolean diagonal = h == w && random.nextInt(4) == 0;
    Image u = Image.black(channels, h, w);
    for (int c = 0; c < channels; c++) {
      for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
          int p = (c * h + i) * w + j;
          float drawn = unit * random.nextInt(levels + 1) * (random.nextInt(9) == 0 ? -1 : 1);
          u.data()[p] =
              rows && j > 0
                  ? u.data()[p - 1]
                  : diagonal && j < i ? u.data()[(c * h + j) * w + i] : drawn;
        }
      }
    }
    return u;
  }

  /** The subject on images that are clear to a mapping, made tiny or huge. */
  private static <G> Subject<G, Image> anyScale(
      Subject<G, Image> s, OrbitMapping<G, Image> mapping, double margin) {
    return s.with(
        s.name() + " of any scale",
        Space.of(
            r -> {
              Image u = s.input(x -> mapping.map(x).margin() > margin, r);
              return scaled(u, SCALES[r.nextInt(SCALES.length)]);
            }));
  }

  private static Image scaled(Image u, float by) {
    Image scaled = Image.black(u.channels(), u.height(), u.width());
    for (int p = 0; p < u.data().length; p++) {
      scaled.data()[p] = by * u.data()[p];
    }
    return scaled;
  }

  /** An image that is its own mirror image, about an axis through the centre in any direction. */
  private static Image symmetric(RandomGenerator random) {
    Image u = spots(new int[] {33, 33}, random);
    Image v = u.mirrored();
    float[] sum = new float[u.data().length];
    for (int p = 0; p < sum.length; p++) {
      sum[p] = (u.data()[p] + v.data()[p]) / 2;
    }
    return ROTATIONS.action().act(new SO2().sample(random), new Image(u.channels(), 33, 33, sum));
  }

  /** Quarter turns of images with ties that have a pose: the canonical image stays to rounding. */
  private static Law onTies(PoseRule rule) {
    RotationMapping mapping = new RotationMapping(rule, Resampling.BILINEAR);
    Subject<QuarterTurn, Image> tied =
        QUARTER_TURNS.with(
            rule.name() + ", C4 on images with ties",
            Space.of(
                r -> {
                  Image u = tied(r);
                  while (u.height() != u.width() || mapping.pose(u).margin() == 0) {
                    u = tied(r);
                  }
                  float largest = 0;
                  for (float t : u.data()) {
                    largest = Math.max(largest, Math.abs(t));
                  }
                  return scaled(u, 1 / largest);
                }));
    return Laws.invariant(tied, x -> mapping.map(x).point(), 1e-5);
  }

  /** A strong spot off the centre and three weaker ones anywhere near it, 1 or 3 channels. */
  private static Image spots(int[] size, RandomGenerator random) {
    int h = size[0];
    int w = size[1];
    int channels = random.nextBoolean() ? 1 : 3;
    double side = Math.min(h, w);
    Image image = Image.black(channels, h, w);
    for (int k = 0; k < 4; k++) {
      double radius = side * (k == 0 ? 0.15 : 0.15 * Math.sqrt(random.nextDouble()));
      double angle = random.nextDouble(2 * Math.PI);
      double x0 = radius * Math.cos(angle);
      double y0 = radius * Math.sin(angle);
      for (int c = 0; c < channels; c++) {
        double weight = k == 0 ? 0.5 : random.nextDouble(1.0 / 6);
        for (int i = 0; i < h; i++) {
          for (int j = 0; j < w; j++) {
            double x = j - (w - 1) / 2.0 - x0;
            double y = i - (h - 1) / 2.0 - y0;
            image.data()[(c * h + i) * w + j] +=
                (float) (weight * Math.exp(-(x * x + y * y) / (2 * SIGMA * SIGMA)));
          }
        }
      }
    }
    return image;
  }

  /** A lamp from the right: a network on images that respects no rotation and no mirroring. */
  private static Image shade(Image u) {
    Image y = Image.black(u.channels(), u.height(), u.width());
    for (int p = 0; p < y.data().length; p++) {
      double column = p % u.width() - (u.width() - 1) / 2.0;
      double row = p / u.width() % u.height() - (u.height() - 1) / 2.0;
      y.data()[p] = (float) (u.data()[p] * (0.6 + 0.4 * Math.tanh((column + 0.5 * row) / 8)));
    }
    return y;
  }

  /** The mean of images of one shape: a pooling that commutes with turns. */
  private static Image mean(List<Image> all) {
    Image first = all.get(0);
    Image mean = Image.black(first.channels(), first.height(), first.width());
    for (Image u : all) {
      for (int p = 0; p < u.data().length; p++) {
        mean.data()[p] += u.data()[p] / all.size();
      }
    }
    return mean;
  }

  /**
   * Upright mappings. Their laws are those of any refinement: they hold for predictors that nobody
   * fitted, because these see the canonical image alone. Quarter turns only move pixels, so there
   * the same point is found up to rounding; where others interpolate the predictor must not be torn
   * between two angles, and its answer moves a little with the error of the image.
   */
  private static List<Law> upright() {
    List<Law> laws = new ArrayList<>();
    UprightSettings linear = UprightSettings.of("linear", 1, 16, 36);
    UprightSettings deep = UprightSettings.of("convnet", 0.1, 16, 36);
    laws.add(
        quarterTurns("linear, random", UprightMapping.of(sure(linear, 1), Resampling.BILINEAR)));
    laws.add(
        quarterTurns(
            "convnet, random", UprightMapping.of(sure(deep.withViews(4), 2), Resampling.BILINEAR)));
    laws.add(
        quarterTurns(
            "with mirror images, random",
            UprightMapping.of(sure(deep.withGroup("o2"), 3), Resampling.BILINEAR)));
    // so small a predictor sees a reduced copy of the images
    laws.add(
        quarterTurns(
            "reduced, random",
            UprightMapping.of(
                sure(UprightSettings.of("linear", 1, 4, 36).withGroup("o2"), 5),
                Resampling.BILINEAR)));
    // predictor and network see what a restorer makes of readings at twice the resolution
    UprightMapping<?> fine =
        UprightMapping.of(
            sure(UprightSettings.of("linear", 1, 40, 36).withRestorer("fine-2x3"), 6),
            Resampling.BILINEAR);
    laws.add(
        Laws.invariant(
            TURNED.with("restored, random, " + TURNED.name(), TURNED.action()), fine::shown, 1e-4));
    UprightMapping<Rotation2> frames = UprightMapping.rotations(sure(deep, 4), Resampling.BILINEAR);
    laws.add(
        Laws.invariant(
            TURNED.with("best poses of upright, " + TURNED.name(), TURNED.action()),
            x -> new UprightFrames(frames, 3).invariant(SCORES, Pool.MEAN).scores(List.of(x))[0],
            1e-4));
    laws.addAll(
        Laws.mapping(
            ROTATIONS, UprightMapping.rotations(sure(linear, 1), Resampling.BILINEAR), 0.1, 0.05));
    return laws;
  }

  /** The laws of one mapping, such as a fitted one. */
  public static List<Law> upright(UprightMapping<?> mapping) {
    return List.of(quarterTurns("fitted", mapping));
  }

  /** Whatever the predictor says, it says the same for all four quarter turns. */
  private static <G> Law quarterTurns(String name, UprightMapping<G> mapping) {
    return Laws.invariant(
        TURNED.with("upright, %s, %s".formatted(name, TURNED.name()), TURNED.action()),
        x -> mapping.map(x).point(),
        1e-4);
  }

  /** A predictor that nobody fitted and that is sure of what it says. */
  static FittedUpright sure(UprightSettings settings, long seed) {
    FittedUpright random = FittedUpright.random(settings, seed);
    FloatTensor head = random.predictor().get("head.weight");
    float[] values = head.values().clone();
    for (int i = 0; i < values.length; i++) {
      values[i] *= 10;
    }
    Map<String, FloatTensor> all = new LinkedHashMap<>(random.predictor());
    all.put("head.weight", new FloatTensor(head.shape(), values));
    return new FittedUpright(settings, all, random.restorer(), Map.of());
  }
}
