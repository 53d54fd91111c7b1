package example;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;

/** Models of one's own, made invariant: one of images, one of readings. */
public final class Main {
  private Main() {}

  /** The model: is the image brighter on the right (1) than on the left (0)? */
  static float[] model(Image image) {
    float[] scores = new float[2];
    for (int y = 0; y < image.height(); y++) {
      for (int x = 0; x < image.width(); x++) {
        scores[2 * x < image.width() ? 0 : 1] += image.at(0, y, x);
      }
    }
    return scores;
  }

  /** A bright spot, so many pixels right of the middle. */
  static Image spot(double offset) {
    float[] samples = new float[33 * 33];
    for (int y = 0; y < 33; y++) {
      for (int x = 0; x < 33; x++) {
        samples[33 * y + x] = (float) Math.exp(-(Math.pow(x - 16 - offset, 2) + Math.pow(y - 16, 2)) / 18);
      }
    }
    return new Image(1, 33, 33, samples);
  }

  static Robustness audit(Function<Image, float[]> model) {
    Classifier<Image> classifier =
        batch -> batch.stream().map(model).toArray(float[][]::new);
    return Robustness.measure(
        classifier,
        List.of(new Labelled<>(spot(6), 1), new Labelled<>(spot(8), 1)),
        AngleSweep.every(15, Resampling.BILINEAR),
        Robustness.Settings.defaults(),
        Progress.OFF);
  }

  public static void main(String[] arguments) {
    System.out.println("plain:  " + audit(Main::model));
    System.out.println("mapped: " + audit(RotationMapping.disc().invariant(Main::model)));

    Function<double[], String> loudness = x -> Arrays.toString(x);
    Function<double[], String> mounted = new Ring(4).invariant(loudness);
    System.out.println("ring:   " + mounted.apply(new double[] {2, 9, 4, 1}));
    System.out.println("        " + mounted.apply(new double[] {1, 2, 9, 4}));
  }
}
