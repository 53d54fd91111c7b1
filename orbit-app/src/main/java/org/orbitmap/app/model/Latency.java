package org.orbitmap.app.model;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.run.OnnxRuntime;

/** How long a model takes for one call, on this machine. */
public final class Latency {
  private static final int CALLS = 30;
  private static final double SECONDS = 2;

  private Latency() {}

  /**
   * The least time of a few calls with the smallest batch that the model takes, all cores at work.
   *
   * @param runtime where it runs
   * @return milliseconds; NaN if the model needs other inputs as well
   */
  public static double milliseconds(OnnxFile file, ModelInput<?> input, OnnxRuntime runtime)
      throws IOException {
    if (file.inputs().size() > 1) {
      return Double.NaN;
    }
    int rows = Math.max(1, input.batch());
    int length = Inputs.shape(input, 1024).length();
    Random random = new Random(1);
    float[] data = new float[Math.multiplyExact(rows, length)];
    for (int i = 0; i < data.length; i++) {
      data[i] = random.nextFloat();
    }
    Map<String, OnnxModel.Feed> feed =
        Map.of(input.spec().name(), new OnnxModel.Feed(input.shape(rows, length), data));
    try (OnnxModel model = runtime.open(file)) {
      model.run(feed); // the first call plans
      double least = Double.POSITIVE_INFINITY;
      double sum = 0;
      for (int i = 0; i < CALLS && sum < 1e3 * SECONDS; i++) {
        long begun = System.nanoTime();
        model.run(feed);
        double now = (System.nanoTime() - begun) / 1e6;
        least = Math.min(least, now);
        sum += now;
      }
      return least;
    }
  }
}
