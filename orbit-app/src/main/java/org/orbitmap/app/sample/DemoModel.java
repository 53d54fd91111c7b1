package org.orbitmap.app.sample;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Progress;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.wrap.Wrap;

/**
 * What a user does with a model file, done with one that recognises drawings and was trained
 * upright: audited, wrapped, audited again.
 *
 * @param model the file
 * @param wrapped the file behind the mapping, with several frames
 * @param plain what the model says of rotated drawings
 * @param mapped what the wrapped model says of them
 */
public record DemoModel(OnnxFile model, OnnxFile wrapped, Robustness plain, Robustness mapped) {
  /** How many frames the wrapped model looks at. */
  public static final int FRAMES = 8;

  private static final int IMAGES = 40;
  private static final int FIRST = 5000;
  private static final double STEP = 15;

  /**
   * Wraps the model and audits both; progress in images.
   *
   * @param model takes images and tells the classes of {@link SampleDrawings}
   */
  public static DemoModel run(OnnxFile model, Progress progress) throws IOException {
    OnnxFile wrapped = Wrap.of(model).frames(FRAMES).build();
    List<Robustness> both = new ArrayList<>();
    for (OnnxFile file : List.of(model, wrapped)) {
      int part = both.size();
      both.add(audit(file, (done, total) -> progress.update(part * total + done, 2 * total)));
    }
    return new DemoModel(model, wrapped, both.get(0), both.get(1));
  }

  private static Robustness audit(OnnxFile file, Progress progress) throws IOException {
    if (!(file.input(ModelInput.Hints.NONE) instanceof ModelInput.Images input)) {
      throw new IllegalArgumentException("expected a model of images, found " + file.inputs());
    }
    List<Labelled<Image>> drawings =
        IntStream.range(FIRST, FIRST + IMAGES)
            .mapToObj(
                k ->
                    new Labelled<>(
                        SampleDrawings.image(k, input.channels(), input.height(), input.width()),
                        k % SampleDrawings.CLASSES.size()))
            .toList();
    Sweep<Image> sweep = AngleSweep.every(STEP, Resampling.BILINEAR);
    try (OnnxModel model = OnnxModel.open(file, OnnxModel.Threads.ACROSS)) {
      return Robustness.measure(
          model.classifier(input, Preprocessing.usual(input), model.scoreOutput(null)),
          drawings,
          sweep,
          Robustness.Settings.defaults().withBatch(8),
          progress);
    }
  }
}
