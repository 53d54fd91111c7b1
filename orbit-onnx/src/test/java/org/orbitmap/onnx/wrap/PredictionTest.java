package org.orbitmap.onnx.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFit;
import org.orbitmap.model.Layout;
import org.orbitmap.onnx.graph.OnnxFile;
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

  /** The central part as it is, the fitted image, or a refusal; never more than that. */
  @Test
  void imagesOfOtherSizesAreCroppedFittedOrRefused() throws Exception {
    OnnxFile file = UprightWrapTest.model(16, Layout.NCHW, 1, 3);
    Image large = Image.black(3, 19, 17);
    Image middle = Image.black(3, 14, 14);
    SplittableRandom random = new SplittableRandom(3);
    for (int c = 0; c < 3; c++) {
      for (int y = 0; y < 19; y++) {
        for (int x = 0; x < 17; x++) {
          float value = random.nextFloat();
          large.data()[(c * 19 + y) * 17 + x] = value;
          if (y >= 2 && y < 16 && x >= 1 && x < 15) {
            middle.data()[(c * 14 + y - 2) * 14 + x - 1] = value;
          }
        }
      }
    }
    Wrap wrap = Wrap.of(file).frames(1);
    try (Predictor fit = wrap.open();
        Predictor crop = wrap.sizing(Predictor.Sizing.CROP).open();
        Predictor exact = wrap.sizing(Predictor.Sizing.EXACT).open()) {
      Prediction expected = exact.predict(middle);
      assertThat(crop.predict(large)).isEqualTo(expected);
      assertThat(crop.predict(middle)).isEqualTo(expected);
      assertThat(fit.predict(large)).isEqualTo(exact.predict(ImageFit.fit(large, 14, 14)));
      assertThat(fit.predict(large)).isNotEqualTo(expected);
      assertThatThrownBy(() -> exact.predict(large))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected images of 14 x 14, found");
      for (Image small : List.of(Image.black(3, 13, 20), Image.black(3, 20, 13))) {
        assertThatThrownBy(() -> crop.predict(small))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("expected images of at least 14 x 14 to crop");
      }
    }
  }
}
