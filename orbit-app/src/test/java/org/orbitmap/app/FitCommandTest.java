package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.upright.UprightSettings;

class FitCommandTest {
  @TempDir Path folder;

  /** A bright sky over dark ground, in images of several sizes, some in a folder below. */
  private Path landscapes() throws IOException {
    Path images = folder.resolve("images");
    for (int k = 0; k < 40; k++) {
      SplittableRandom random = new SplittableRandom(k);
      int h = 20 + random.nextInt(12);
      int w = 18 + random.nextInt(20);
      Image u = Image.black(3, h, w);
      for (int i = 0; i < u.data().length; i++) {
        boolean sky = i / w % h < h / 2;
        u.data()[i] = (float) ((sky ? 0.8 : 0.2) + 0.1 * random.nextDouble());
      }
      Path file = images.resolve(k % 4 == 0 ? "more" : "").resolve("u" + k + ".png");
      Files.createDirectories(file.getParent());
      ImageFiles.writePng(file, u);
    }
    return images;
  }

  @Test
  void aFolderOfImagesIsFitted() throws IOException {
    Path out = folder.resolve("upright.safetensors");
    Run run =
        Run.orbit(
            "fit",
            "--data",
            landscapes().toString(),
            "--size",
            "16",
            "--minutes",
            "0.1",
            "--restore",
            "--out",
            out.toString(),
            "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode d = Json.mapper().readTree(run.out());
    assertThat(d.path("images").asInt()).isEqualTo(36);
    assertThat(d.path("validation").asInt()).isEqualTo(4);
    assertThat(d.path("examples").asInt()).isPositive();
    assertThat(d.path("within10").asDouble()).isBetween(0.0, d.path("within20").asDouble());
    assertThat(d.path("medianErrorDegrees").asDouble()).isBetween(0.0, 180.0);
    assertThat(d.path("calibrationError").asDouble()).isBetween(0.0, 1.0);
    assertThat(d.path("calibration").get(0).path("count").asInt()).isPositive();
    assertThat(d.path("restorer").size()).isEqualTo(3);
    UprightSettings settings = UprightFile.read(out).settings();
    assertThat(settings.size()).isEqualTo(16);
    assertThat(settings.channels()).isEqualTo(3);
    assertThat(settings.restorer()).isNotEmpty();
    Path page = folder.resolve("upright.html");
    assertThat(d.path("report").asText()).isEqualTo(page.toString());
    assertThat(Files.readString(page))
        .contains("Calibration", "Examples", "within 20°", "data:image/png;base64");
    assertThat(folder.resolve("upright.fit")).doesNotExist();
  }

  @Test
  void wrongInputIsRefusedInOneLine() throws IOException {
    String data = landscapes().toString();
    String out = folder.resolve("x.safetensors").toString();
    refused(
        "--group: expected so2 or o2 for images", "--data", data, "--group", "c4", "--out", out);
    refused("--minutes: expected more than 0", "--data", data, "--minutes", "0", "--out", out);
    refused("--size: expected a multiple of 8", "--data", data, "--size", "12", "--out", out);
    refused("--out: expected a file", "--data", data, "--out", folder.toString());
    refused("at least 20 images", "--data", data, "--limit", "10", "--size", "16", "--out", out);
    refused("Give it with --data", "--out", out);
    Path empty = Files.createDirectory(folder.resolve("empty"));
    refused("expected a data set", "--data", empty.toString(), "--out", out);
    assertThat(folder.resolve("x.safetensors")).doesNotExist();
    assertThat(folder.resolve("x.fit")).doesNotExist();
  }

  private static void refused(String message, String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "fit";
    System.arraycopy(args, 0, all, 1, args.length);
    Run run = Run.orbit(all);
    assertThat(run.code()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message).hasLineCount(1);
  }
}
