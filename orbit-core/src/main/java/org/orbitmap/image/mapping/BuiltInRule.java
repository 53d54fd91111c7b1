package org.orbitmap.image.mapping;

import java.util.Locale;

/** The weights of the built-in rules; {@link PoseRule} says what they are. */
enum BuiltInRule implements WeightRule {
  /** W(z) = r(1-(r/R)²)e^{iθ} = (x + iy)(1 - |z|²/R²). */
  DISC(Symmetry.QUARTER) {
    @Override
    public void build(Weights weights) {
      double radius = weights.side / 2.0;
      for (int i = 0; i < weights.height; i++) {
        for (int j = 0; j < weights.width; j++) {
          double x = j - weights.centreX;
          double y = i - weights.centreY;
          double window = 1 - (x * x + y * y) / (radius * radius);
          if (window > 0) {
            weights.re[i * weights.width + j] = x * window;
            weights.im[i * weights.width + j] = y * window;
          }
        }
      }
    }
  },

  /** Gradients of the bilinear model. */
  PAPER(Symmetry.QUARTER) {
    @Override
    public void build(Weights weights) {
      weights.circles(POINTS, RADII, weights::addGradient);
      weights.blur(gaussian(WIDE), true);
    }
  },

  /** The same with a short blur and larger circles. */
  RELEASED(Symmetry.HALF) {
    @Override
    public void build(Weights weights) {
      double[] radii = {RADII[0] * Math.sqrt(2), RADII[1] * Math.sqrt(2)};
      weights.circles(300, radii, weights::addGradient);
      weights.blur(gaussian(2), false);
    }
  },

  /** Central differences. */
  CENTRAL(Symmetry.QUARTER) {
    @Override
    public void build(Weights weights) {
      weights.circles(POINTS, RADII, (x, y) -> weights.addDifference(x, y, -1));
      weights.blur(gaussian(WIDE), true);
    }
  },

  /** Forward differences. */
  FORWARD(Symmetry.NONE) {
    @Override
    public void build(Weights weights) {
      weights.circles(POINTS, RADII, (x, y) -> weights.addDifference(x, y, 0));
      weights.blur(gaussian(WIDE), true);
    }
  },

  /** W₂(z) = (x + iy)²(1 - |z|²/R²), less a multiple of the window that makes the sum 0. */
  SECOND_HARMONIC(Symmetry.NONE) {
    @Override
    public void build(Weights weights) {
      double radius = weights.side / 2.0;
      double sum = 0;
      double windows = 0;
      for (int pass = 0; pass < 2; pass++) {
        double mean = pass == 0 || windows == 0 ? 0 : sum / windows;
        for (int i = 0; i < weights.height; i++) {
          for (int j = 0; j < weights.width; j++) {
            double x = j - weights.centreX;
            double y = i - weights.centreY;
            double window = 1 - (x * x + y * y) / (radius * radius);
            if (window > 0) {
              weights.re[i * weights.width + j] = (x * x - y * y - mean) * window;
              weights.im[i * weights.width + j] = 2 * x * y * window;
              sum += pass == 0 ? (x * x - y * y) * window : 0;
              windows += pass == 0 ? window : 0;
            }
          }
        }
      }
    }
  };

  /** The radii of the paper's circles, as shares of the shorter side less one. */
  static final double[] RADII = {0.05, 0.4};

  /** The points on each. */
  static final int POINTS = 360;

  private static final double SIGMA = 1.5;
  private static final int WIDE = (int) Math.ceil(4 * SIGMA);

  private final Symmetry symmetry;

  BuiltInRule(Symmetry symmetry) {
    this.symmetry = symmetry;
  }

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public Symmetry symmetry() {
    return symmetry;
  }

  private static double[] gaussian(int reach) {
    double[] g = new double[2 * reach + 1];
    double sum = 0;
    for (int k = -reach; k <= reach; k++) {
      g[k + reach] = Math.exp(-k * k / (2 * SIGMA * SIGMA));
      sum += g[k + reach];
    }
    for (int k = 0; k < g.length; k++) {
      g[k] /= sum;
    }
    return g;
  }
}
