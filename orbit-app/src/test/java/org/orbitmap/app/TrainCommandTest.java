package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.source.Glyphs;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.nn.train.RunFolder;

class TrainCommandTest {
  @TempDir Path folder;

  private Run train(String... more) {
    String[] args = {
      "train",
      "--preset",
      "glyphs-convnet",
      "--out",
      folder.resolve("run").toString(),
      "--no-progress",
      "--set",
      "network.width-factor=0.125",
      "--set",
      "limit=320",
      "--set",
      "epochs=2",
      "--set",
      "threads=1"
    };
    String[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return Run.orbit(all);
  }

  @Test
  void trainsEvaluatesAndPredicts() throws IOException {
    Run trained = train("--json");
    assertThat(trained.code()).as(trained.err()).isZero();
    JsonNode document = Json.mapper().readTree(trained.out());
    assertThat(document.at("/runs/0/parameters").asLong()).isPositive();
    Path run = folder.resolve("run");
    assertThat(run.resolve("model.safetensors")).exists();
    assertThat(run.resolve("config.yaml")).exists();
    assertThat(run.resolve("provenance.json")).exists();

    Run tested =
        Run.orbit(
            "evaluate",
            run.toString(),
            "--data",
            "glyphs",
            "--step",
            "90",
            "--limit",
            "16",
            "--interpolation",
            "nearest,bilinear",
            "--threads",
            "1",
            "--out",
            folder.resolve("my report").toString(),
            "--json");
    assertThat(tested.code()).as(tested.err()).isZero();
    JsonNode e = Json.mapper().readTree(tested.out());
    assertThat(e.get("clean").isNumber()).isTrue();
    assertThat(e.at("/sweeps/nearest/average").isNumber()).isTrue();
    assertThat(e.at("/sweeps/bilinear/worst").isNumber()).isTrue();
    assertThat(e.at("/sweeps/bilinear/perPose")).hasSize(4);
    assertThat(e.get("mapping").asText()).isEqualTo("none");

    String page =
        Page.assertWhole(
            folder.resolve("my report/evaluation.html"),
            "Accuracy by angle",
            "Probability of the true class",
            "Margins",
            "What it took",
            "without mapping",
            "same network behind disc, not retrained",
            "training seed");
    assertThat(page).contains("--out &#39;" + folder.resolve("my report") + "&#39; --json");

    Path image = folder.resolve("sign.png");
    ImageFiles.writePng(image, Glyphs.generate(1, 5).image(0));
    Run said = Run.orbit("predict", run.toString(), image.toString(), "--json");
    assertThat(said.code()).as(said.err()).isZero();
    JsonNode p = Json.mapper().readTree(said.out()).at("/predictions/0");
    assertThat(Glyphs.CLASSES).contains(p.get("label").asText());
    assertThat(p.get("probability").asDouble()).isBetween(0.0, 1.0);

    // An image of other proportions is cropped; the model alone knows its data.
    ImageFiles.writePng(image, Image.black(3, 40, 70));
    assertThat(Run.orbit("predict", run.toString(), image.toString()).code()).isZero();
    Path model = run.resolve("model.safetensors");
    Run alone = Run.orbit("evaluate", model.toString(), "--step", "180", "--limit", "3");
    assertThat(alone.code()).as(alone.err()).isZero();
    assertThat(alone.out()).contains("3 images of glyphs");
    assertWrong("--limit: expected 1 or more", "evaluate", run.toString(), "--limit", "0");
    assertWrong("--threads: expected", "evaluate", run.toString(), "--threads", "-4");
    assertWrong(
        "nothing but the folder of the run", "train", "--resume", run.toString(), "--seeds", "3");

    // A damaged checkpoint is told even when quiet.
    byte[] bytes = Files.readAllBytes(model);
    Files.writeString(run.resolve("checkpoint-000002.safetensors"), "damaged");
    Run damaged = Run.orbit("train", "--resume", run.toString(), "-q");
    assertThat(damaged.code()).isZero();
    assertThat(damaged.err())
        .contains("warning: checkpoint-000002.safetensors cannot be used")
        .doesNotContain("going on");
    assertThat(Files.readAllBytes(model)).isEqualTo(bytes);

    // The folder of a run is no configuration, and one of runs is no run.
    assertWrong("--resume RUN", "train", run.toString(), "--out", folder + "/x");
    Files.createDirectories(folder.resolve("seeds/seed-0"));
    assertWrong("such as " + folder + "/seeds/seed-0", "train", "--resume", folder + "/seeds");

    // Resuming a finished run changes nothing.
    assertThat(Run.orbit("train", "--resume", run.toString(), "--no-progress").code()).isZero();
    assertThat(Files.readAllBytes(model)).isEqualTo(bytes);
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    assertWrong("expected one of", "train", "--preset", "nope", "--out", folder + "/x");
    assertWrong("a CONFIG file or --preset", "train", "--out", folder + "/x");
    assertWrong("--out RUN", "train", "--preset", "glyphs-convnet");
    assertWrong("the folder of a run", "evaluate", folder + "/none");
    assertWrong("a finished run", "evaluate", folder.toString());
    assertWrong("expected", "train", "--resume", folder + "/none");
    assertWrong("expected one of", "reproduce", "nope");
    assertWrong("expected the scale paper", "reproduce", "cub200-methods", "--scale", "cpu");
    assertWrong("expected a data set", "data", "verify", folder.toString());
    assertWrong("expected one of", "data", "get", "nope", "--out", folder.toString());
    Path bad = Files.writeString(folder.resolve("model.safetensors"), "no model");
    assertWrong("a safetensors file", "predict", bad.toString(), bad.toString());
  }

  /** Four classes of 20 images each in files; the sign of a class is one of the first four. */
  private Path signs() throws IOException {
    ImageSet glyphs = Glyphs.generate(16 * 20, 5);
    for (int i = 0; i < glyphs.size(); i++) {
      if (glyphs.labels()[i] < 4) {
        ImageFiles.writePng(
            folder.resolve("signs/%s/%d.png".formatted((char) ('a' + glyphs.labels()[i]), i)),
            glyphs.image(i));
      }
    }
    return folder.resolve("signs");
  }

  @Test
  void theGivenDataIsUsedAndRecorded() throws IOException {
    Path signs = signs();
    // A relative path from here, which is recorded as an absolute one.
    Path relative = Path.of("").toAbsolutePath().relativize(signs.toAbsolutePath());
    Run trained =
        train("--data", relative.toString(), "--set", "limit=24", "--set", "epochs=1", "-q");
    assertThat(trained.code()).as(trained.err()).isZero();
    Path run = folder.resolve("run");
    assertThat(RunFolder.config(run).data()).isEqualTo(signs.toAbsolutePath().toString());
    assertThat(RunFolder.model(run).description().classes()).containsExactly("a", "b", "c", "d");
    Run again = Run.orbit("train", "--resume", run.toString(), "-q");
    assertThat(again.code()).as(again.err()).isZero();
    // Without --data: the recorded one, as evenly from every class as they allow.
    String[] evaluate = {
      "evaluate", run.toString(), "--step", "180", "--limit", "4", "--interpolation", "nearest"
    };
    Run tested = Run.orbit(evaluate);
    assertThat(tested.code()).as(tested.err()).isZero();
    assertThat(tested.out()).contains("4 images of signs");
    // Given data is never passed over.
    evaluate = Arrays.copyOf(evaluate, evaluate.length + 2);
    evaluate[evaluate.length - 2] = "--data";
    evaluate[evaluate.length - 1] = "glyphs";
    assertWrong("expected the 4 classes of the model, found 16", evaluate);
    Path empty = Files.createDirectories(folder.resolve("empty"));
    assertWrong(
        "one sub-folder of images for each class",
        "train",
        "--preset",
        "glyphs-convnet",
        "--data",
        empty.toString(),
        "--out",
        folder.resolve("x").toString());
  }

  @Test
  void aFolderOfDataSetsIsWhereTheConfiguredOneIs() throws IOException {
    Path signs = signs();
    Run trained =
        train("--data", signs.getParent().toString(), "--set", "epochs=1", "--set", "limit=64");
    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(RunFolder.config(folder.resolve("run")).data()).isEqualTo("glyphs");
    assertWrong(
        "Run: orbit data get rotmnist",
        "train",
        "--preset",
        "rotmnist-convnet",
        "--data",
        signs.getParent().toString(),
        "--out",
        folder.resolve("x").toString());
  }

  @Test
  void aSizeThatRecordsDoNotHaveIsRefused() {
    for (String preset : new String[] {"glyphs-convnet", "cifar10-convnet-upright"}) {
      Path run = folder.resolve(preset);
      assertWrong(
          "orbit train: size: expected 0 or one that glyphs has, such as 28, found 5. Only images in"
              + " files of their own are scaled",
          "train",
          "--preset",
          preset,
          "--data",
          "glyphs",
          "--set",
          "size=5",
          "--out",
          run.toString());
      assertThat(run).doesNotExist();
    }
    assertThat(folder.resolve("cifar10-convnet-upright-upright.safetensors")).doesNotExist();
    assertThat(
            train("--set", "size=28", "--set", "epochs=1", "--set", "limit=64").code()) // its own
        .isZero();
  }

  private static void assertWrong(String message, String... args) {
    Run run = Run.orbit(args);
    assertThat(run.code()).as(String.join(" ", args) + "\n" + run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void verifiesData() throws IOException {
    for (String c : new String[] {"cat", "dog"}) {
      for (int i = 0; i < 12; i++) {
        ImageFiles.writePng(
            folder.resolve("set/%s/%s%d.png".formatted(c, c, i)), Glyphs.generate(1, i).image(0));
      }
    }
    Run good = Run.orbit("data", "verify", folder.resolve("set").toString(), "--json");
    assertThat(good.code()).as(good.err()).isZero();
    assertThat(Json.mapper().readTree(good.out()).get("whole").asBoolean()).isTrue();
    // A folder of data sets: every one of them.
    Path cifar = Files.createDirectories(folder.resolve("cifar10"));
    Files.write(cifar.resolve("test_batch.bin"), new byte[3073]);
    Files.write(cifar.resolve("data_batch_1.bin"), new byte[3073]);
    Run all = Run.orbit("data", "verify", folder.toString());
    assertThat(all.code()).as(all.out()).isZero();
    assertThat(all.out()).contains("cifar10, 1 images").contains("cat=");
    Files.writeString(folder.resolve("set/cat/broken.png"), "no image");
    Run broken = Run.orbit("data", "verify", folder.resolve("set").toString());
    assertThat(broken.code()).isEqualTo(1);
    assertThat(broken.out()).contains("broken.png");
  }
}
