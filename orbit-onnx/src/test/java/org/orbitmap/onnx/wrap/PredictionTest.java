package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.orbitmap.onnx.wrap.Predictor.Prediction;

class PredictionTest {
  /** A value: by what the scores are, not by which array holds them. */
  @Test
  void isComparedAndPrintedByItsScores() {
    Prediction a = new Prediction(1, new float[] {0.25f, 0.75f});
    assertThat(a)
        .isEqualTo(new Prediction(1, new float[] {0.25f, 0.75f}))
        .hasSameHashCodeAs(new Prediction(1, new float[] {0.25f, 0.75f}))
        .isNotEqualTo(new Prediction(0, new float[] {0.25f, 0.75f}))
        .isNotEqualTo(new Prediction(1, new float[] {0.25f, 0.5f}))
        .hasToString("Prediction[label=1, scores=[0.25, 0.75]]");
  }
}
