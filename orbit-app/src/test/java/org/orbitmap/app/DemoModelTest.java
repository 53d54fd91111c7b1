package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.orbitmap.app.sample.DemoModel;
import org.orbitmap.app.serve.api.Pages;
import org.orbitmap.eval.Progress;
import org.orbitmap.onnx.graph.OnnxFile;

class DemoModelTest {
  /** What the demo promises: a model that falls when it is rotated, and does not when wrapped. */
  @Test
  void theModelOfTheDemoKeepsItsAnswersOnceItIsWrapped() throws IOException {
    OnnxFile file = OnnxFile.decode("drawings", Pages.resource("drawings.onnx"));
    DemoModel demo = DemoModel.run(file, Progress.OFF);
    assertThat(demo.plain().accuracy().clean()).isGreaterThan(0.9);
    assertThat(demo.plain().agreement().labelKept()).isLessThan(0.5);
    assertThat(demo.mapped().agreement().labelKept()).isGreaterThan(0.95);
    assertThat(demo.mapped().agreement().allKept()).isGreaterThan(0.9);
    assertThat(demo.mapped().accuracy().worst()).isGreaterThan(0.7);
  }
}
