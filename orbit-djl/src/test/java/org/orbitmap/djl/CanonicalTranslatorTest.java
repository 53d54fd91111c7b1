package org.orbitmap.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.modality.cv.Image;
import ai.djl.modality.cv.ImageFactory;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.Batchifier;
import ai.djl.translate.Translator;
import ai.djl.translate.TranslatorContext;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.image.ImageFiles;

/** A real model in a real engine of the library: the one of the studio page, by ONNX Runtime. */
class CanonicalTranslatorTest {
  private static final Path MODEL =
      Path.of(System.getProperty("orbit.root", ".."))
          .resolve("orbit-app/src/main/resources/org/orbitmap/app/serve/api/drawings.onnx");

  /** Red, green and blue in [0, 1], plane by plane; the scores as they are. */
  private static final class Plain implements Translator<Image, float[]> {
    @Override
    public NDList processInput(TranslatorContext context, Image input) {
      float[] samples = ImageFiles.of((BufferedImage) input.getWrappedImage()).data();
      return new NDList(context.getNDManager().create(samples, new Shape(1, 3, 64, 64)));
    }

    @Override
    public float[] processOutput(TranslatorContext context, NDList list) {
      return list.singletonOrThrow().toFloatArray();
    }

    @Override
    public Batchifier getBatchifier() {
      return null;
    }
  }

  private static BufferedImage drawing() {
    BufferedImage image = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setColor(Color.ORANGE);
    g.fillRect(20, 30, 26, 14);
    g.setColor(Color.RED);
    g.fillPolygon(new int[] {20, 46, 33}, new int[] {30, 30, 14}, 3);
    g.dispose();
    return image;
  }

  /** By a quarter turn clockwise; pixels only change places. */
  private static BufferedImage turned(BufferedImage image) {
    BufferedImage out = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < 64; y++) {
      for (int x = 0; x < 64; x++) {
        out.setRGB(63 - y, x, image.getRGB(x, y));
      }
    }
    return out;
  }

  @Test
  void aMappedModelSaysTheSameInEveryPose() throws Exception {
    ImageFactory factory = ImageFactory.getInstance();
    try (Model model = Model.newInstance("drawings", "OnnxRuntime")) {
      model.load(MODEL);
      try (Predictor<Image, float[]> plain = model.newPredictor(new Plain());
          Predictor<Image, float[]> mapped =
              model.newPredictor(CanonicalTranslator.of(new Plain(), RotationMapping.disc()))) {
        BufferedImage pose = drawing();
        float[] upright = plain.predict(factory.fromImage(pose));
        float[] first = mapped.predict(factory.fromImage(pose));
        double moved = 0;
        for (int i = 0; i < 3; i++) {
          pose = turned(pose);
          float[] bare = plain.predict(factory.fromImage(pose));
          float[] scores = mapped.batchPredict(List.of(factory.fromImage(pose))).get(0);
          for (int c = 0; c < scores.length; c++) {
            moved = Math.max(moved, Math.abs(bare[c] - upright[c]));
            assertThat(scores[c]).isCloseTo(first[c], within(2e-2f));
          }
        }
        assertThat(moved).as("the bare model depends on the pose").isGreaterThan(0.5);
      }
    }
  }
}
