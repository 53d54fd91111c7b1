package org.orbitmap.onnx.wrap;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Frames;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.data.CifarFiles;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;

/**
 * A long run, not a test of the build: the wrapped SqueezeNet in steps of 1°.
 *
 * <p>{@code mvn test -pl orbit-onnx -am -Dtest=FramesTradeOff -Dorbit.long=true
 * -Dsurefire.failIfNoSpecifiedTests=false -Dorbit.data=…}, with {@code -Dorbit.frames} (default
 * 24), {@code -Dorbit.items} (1000), {@code -Dorbit.step} (1, in degrees), {@code -Dorbit.check}
 * (100), {@code -Dorbit.interpolation} (of the frames, bilinear), {@code -Dorbit.corners}
 * (reflect), {@code -Dorbit.mirrors} (false) and {@code -Dorbit.result=FILE}. With {@code
 * -Dorbit.core=true} the frames are made by the core in front of the bare model, which is the same
 * to 1e-4 ({@code WrapTest}) and several times faster where the opset has no GridSample.
 *
 * <p>Where K is 1 or a multiple of 4, an image rotated by α + 90° has the frames of the one rotated
 * by α: the quarter turn moves pixels onto pixels, the disc map turns along exactly, and the frames
 * are permuted. So angles in [0°, 90°) decide about all. That is not taken for granted: the first
 * items are run over all 360 angles, and the answers that differ are counted.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
class FramesTradeOff {
  @Test
  void squeezenet() throws Exception {
    assumeTrue(Boolean.getBoolean("orbit.long"), "a long run: -Dorbit.long=true");
    int frames = Integer.getInteger("orbit.frames", 24);
    int items = Integer.getInteger("orbit.items", 1000);
    int step = Integer.getInteger("orbit.step", 1);
    Interpolation kind = Interpolation.named(System.getProperty("orbit.interpolation", "bilinear"));
    int check = Math.min(items, Integer.getInteger("orbit.check", 100));
    ImageSet set =
        CifarFiles.read(
            "cifar10",
            CifarFiles.CIFAR10,
            List.of(Zoo.data().resolve("cifar10/test_batch.bin.gz")));
    List<Labelled<Image>> data = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      data.add(new Labelled<>(set.image(i), set.labels()[i]));
    }
    boolean core = Boolean.getBoolean("orbit.core");
    boolean mirrors = Boolean.getBoolean("orbit.mirrors");
    Fill corners = Fill.named(System.getProperty("orbit.corners", "reflect"));
    RotationMapping mapping = RotationMapping.disc().with(Resampling.of(kind).with(corners));
    OnnxFile bare = Zoo.SQUEEZENET.read();
    OnnxFile file =
        core ? bare : Wrap.of(bare).mapping(mapping).frames(frames).mirrors(mirrors).build();
    ModelInput.Images input = (ModelInput.Images) file.input(ModelInput.Hints.NONE);
    Robustness.Settings settings = Robustness.Settings.defaults().withBatch(16);
    try (OnnxModel model = OnnxModel.open(file, OnnxModel.Threads.ACROSS)) {
      Classifier<Image> net = model.classifier(input, Preprocessing.NONE, "loss");
      Classifier<Image> classifier =
          core ? new Frames(mapping, frames, mirrors).invariant(net, Frames.Pool.CONFIDENCE) : net;
      long start = System.nanoTime();
      Robustness quarter =
          Robustness.measure(classifier, data, sweep(90, step), settings, FramesTradeOff::progress);
      double seconds = (System.nanoTime() - start) / 1e9;
      Robustness all =
          Robustness.measure(
              classifier,
              data.subList(0, check),
              sweep(360, step),
              settings,
              FramesTradeOff::progress);
      int different = 0;
      int flipped = 0;
      for (int i = 0; i < check; i++) {
        boolean same = true;
        for (int a = 0; a < 360 / step; a++) {
          if (all.prediction(i, a) != quarter.prediction(i, a % (90 / step))) {
            different++;
            same = false;
          }
        }
        boolean right = quarter.misses(i).isEmpty();
        flipped += !same && right != all.misses(i).isEmpty() ? 1 : 0;
      }
      StringBuilder perAngle = new StringBuilder();
      quarter
          .poses()
          .forEach(
              p ->
                  perAngle
                      .append(perAngle.isEmpty() ? "" : ", ")
                      .append(String.format(Locale.ROOT, "%.4f", p.accuracy())));
      String result =
          """
          {
            "model": "cifar10_squeezenet_nhwc.onnx, disc, %s, corners %s, select confidence%s",
            "frames": %d,
            "items": %d,
            "step": %d,
            "clean": %.4f,
            "average": %.4f,
            "worst": %.4f,
            "seconds": %.0f,
            "checkedItems": %d,
            "checkedAnswers": %d,
            "checkedAnswersThatDiffer": %d,
            "checkedItemsWhoseWorstCaseDiffers": %d,
            "checkedWorst": [%.4f, %.4f],
            "perAngle": [%s]
          }
          """
              .formatted(
                  kind,
                  corners,
                  (mirrors ? ", with mirror images" : "") + (core ? ", frames by the core" : ""),
                  frames,
                  items,
                  step,
                  quarter.accuracy().clean(),
                  quarter.accuracy().average(),
                  quarter.accuracy().worst(),
                  seconds,
                  check,
                  360 / step * check,
                  different,
                  flipped,
                  worst(quarter, check),
                  all.accuracy().worst(),
                  perAngle);
      System.out.println(result);
      String to = System.getProperty("orbit.result", "");
      if (!to.isBlank()) {
        AtomicFiles.write(Path.of(to), result);
      }
    }
  }

  private static double worst(Robustness r, int items) {
    return IntStream.range(0, items).filter(i -> r.misses(i).isEmpty()).count() / (double) items;
  }

  private static Sweep<Image> sweep(int degrees, int step) {
    return Sweep.of(
        "rotation, bilinear",
        "°",
        new ImageRotation(Resampling.BILINEAR),
        IntStream.range(0, degrees / step).mapToDouble(i -> i * step).toArray(),
        Rotation2::ofDegrees);
  }

  private static void progress(long done, long total) {
    if (done % 4000 < 16) {
      System.out.println(done + " of " + total);
    }
  }
}
