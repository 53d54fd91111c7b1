package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.report.CloudFigure;
import org.orbitmap.cloud.CloudAction;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.group.Similarity;
import org.orbitmap.group.SimilarityGroup;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.data.source.DataSets;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.network.UprightFile;
import org.orbitmap.mesh.Mesh;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightMapping;
import org.orbitmap.upright.UprightSettings;

/** {@code upright:FILE} wherever a mapping is taken, with numbers that nobody fitted. */
class UprightCommandsTest {
  @TempDir Path folder;
  private Path file;
  private String rule;
  private FittedUpright fitted;

  @BeforeEach
  void write() throws Exception {
    UprightSettings settings = UprightSettings.of("convnet", 0.1, 16, 36);
    fitted = FittedUpright.random(settings, 1);
    file = folder.resolve("Upright.safetensors");
    UprightFile.write(file, fitted);
    rule = "upright:" + file;
  }

  private static Run ok(String... args) {
    Run run = Run.orbit(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run;
  }

  private Path photos(int n) throws Exception {
    Random random = new Random(1);
    Path photos = folder.resolve("photos");
    for (int i = 0; i < n; i++) {
      Image u = Image.black(3, 24, 24);
      for (int k = 0; k < u.data().length; k++) {
        u.data()[k] = random.nextInt(256) / 255f;
      }
      ImageFiles.writePng(photos.resolve("%d.png".formatted(i)), u);
    }
    return photos;
  }

  @Test
  void mapTellsBothMargins() throws Exception {
    Path photos = photos(2);
    Path out = folder.resolve("out");
    Run run = ok("map", photos.toString(), "--out", out.toString(), "--mapping", rule, "--json");
    JsonNode one = Json.mapper().readTree(run.out()).get("files").get(0);
    Image u = ImageFiles.read(photos.resolve("0.png"));
    UprightMapping<?> mapping = UprightMapping.of(fitted, Resampling.BILINEAR);
    assertThat(one.get("margin").asDouble())
        .isEqualTo(Math.min(one.get("baseMargin").asDouble(), one.get("gap").asDouble()));
    assertThat(one.get("gap").asDouble()).isEqualTo(mapping.pose(u).gap());
    Image written = ImageFiles.read(out.resolve("0.png"));
    assertThat(written.distance(mapping.map(u).point())).isLessThan(0.01);
    // back again, by the manifest
    ok("map", "--inverse", out.toString(), "--out", folder.resolve("back").toString());
    // another file under the same name is another mapping: everything is mapped again
    UprightFile.write(file, FittedUpright.random(fitted.settings(), 2));
    Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(1));
    Run again = Run.orbit("map", photos.toString(), "--out", out.toString(), "--mapping", rule);
    assertThat(again.out() + again.err()).doesNotContain("unchanged");
  }

  /**
   * A file of clouds makes clouds and meshes stand, the same for every pose; images are skipped.
   */
  @Test
  void mapMakesCloudsStand() throws Exception {
    Path clouds = folder.resolve("clouds.safetensors");
    FittedCloudUpright own =
        FittedCloudUpright.random(
            new CloudUprightSettings("sim3", "skewness", "upright-cube", 0.0625, 64), 1);
    UprightFile.write(clouds, own);
    Path scans = photos(1);
    Mesh chair = CloudFigure.chair();
    CloudFiles.write(scans.resolve("chair.ply"), chair);
    CloudAction action = new CloudAction(SimilarityGroup.similarities(3));
    Similarity g = action.group().sample(new SplittableRandom(3));
    CloudFiles.write(
        scans.resolve("moved.off"), chair.with(action.act(g, chair.vertices()), false));
    Path out = folder.resolve("out");
    String[] command = {
      "map", scans.toString(), "--out", out.toString(), "--mapping", "upright:" + clouds, "--json"
    };
    JsonNode told = Json.mapper().readTree(ok(command).out());
    assertThat(told.get("mapped").asInt()).isEqualTo(2);
    assertThat(told.get("skipped").get(0).get("file").asText()).endsWith("0.png");
    CloudUprightMapping mapping = new CloudUprightMapping(own);
    PointCloud stands = CloudFiles.readMesh(out.resolve("chair.ply")).vertices();
    assertThat(stands.relativeDistance(mapping.map(chair.vertices()).point())).isLessThan(1e-5);
    assertThat(stands.relativeDistance(mapping.base().map(chair.vertices()).point()))
        .isGreaterThan(0.1);
    Mesh moved = CloudFiles.readMesh(out.resolve("moved.off"));
    assertThat(moved.vertices().relativeDistance(stands)).isLessThan(1e-3);
    assertThat(moved.triangles()).isEqualTo(chair.triangles());
    assertThat(told.get("files").get(0).get("gap").asDouble())
        .isEqualTo(mapping.poses(chair.vertices(), 1).gap());
    Path images = folder.resolve("images");
    Files.createDirectories(images);
    Files.copy(scans.resolve("0.png"), images.resolve("0.png"));
    Run none = Run.orbit("map", images.toString(), "--out", out + "2", "--mapping", command[5]);
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("that can be mapped so, a cloud or mesh, found none");
    Path back = folder.resolve("back");
    ok("map", "--inverse", out.toString(), "--out", back.toString());
    assertThat(
            CloudFiles.readMesh(back.resolve("chair.ply"))
                .vertices()
                .relativeDistance(chair.vertices()))
        .isLessThan(1e-4);
    for (String[] wrong :
        new String[][] {
          {"--group", "so2", "expected one of sim3 for clouds"},
          {"--ambiguous", "frames", "expected warn or abstain"},
          {"--size", "max-norm", "expected mean-distance"}
        }) {
      Run refused = Run.orbit(join(new String[] {wrong[0], wrong[1]}, command));
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err().strip()).contains(wrong[2]).doesNotContain("\n");
    }
  }

  @Test
  void badFilesAreOneLine() throws Exception {
    Path bad = Files.writeString(folder.resolve("bad.safetensors"), "nothing of the kind");
    for (String command : List.of("map", "stability")) {
      Run run =
          command.equals("map")
              ? Run.orbit(
                  "map",
                  photos(1).toString(),
                  "--out",
                  folder.resolve("o").toString(),
                  "--mapping",
                  "upright:" + bad)
              : Run.orbit("stability", "--data", "glyphs", "--mapping", "upright:" + bad);
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err().strip()).contains("expected a safetensors file").doesNotContain("\n");
    }
    assertThat(Run.orbit("verify", "--mapping", "disc").err()).contains("expected upright:FILE");
  }

  @Test
  void verifyAndStability() throws Exception {
    // so few trials do not catch every mutant, but what is fitted must hold
    Run verified = Run.orbit("verify", "--trials", "2", "--mapping", rule, "--json");
    JsonNode ours = null;
    for (JsonNode law : Json.mapper().readTree(verified.out()).get("results")) {
      ours = law.get("subject").asText().startsWith("upright, fitted,") ? law : ours;
    }
    assertThat(ours).isNotNull();
    assertThat(ours.get("holds").asBoolean()).isTrue();
    Path clouds = folder.resolve("clouds.safetensors");
    UprightFile.write(
        clouds,
        FittedCloudUpright.random(
            new CloudUprightSettings("se3", "skewness", "upright-cube", 0.0625, 64), 1));
    Run other = Run.orbit("verify", "--trials", "2", "--mapping", "upright:" + clouds, "--json");
    List<JsonNode> laws = new ArrayList<>();
    for (JsonNode law : Json.mapper().readTree(other.out()).get("results")) {
      if (law.get("subject").asText().contains("upright, fitted, SE(3)")) {
        laws.add(law);
      }
    }
    assertThat(laws).isNotEmpty().allMatch(law -> law.get("holds").asBoolean());
    Path photos = photos(2);
    JsonNode rows =
        Json.mapper()
            .readTree(
                ok(
                        "stability",
                        "--data",
                        photos.toString(),
                        "--mapping",
                        "disc," + rule,
                        "--noise",
                        "0,0.01",
                        "--step",
                        "60",
                        "--json")
                    .out())
            .get("results");
    assertThat(rows.findValuesAsText("mapping"))
        .containsExactly("disc", "disc", "upright", "upright");
  }

  /** Train behind it, resume without its file, export, audit, evaluate with another. */
  @Test
  void aRunKeepsItsMapping() throws Exception {
    Path run = folder.resolve("run");
    ok(
        "train",
        "--preset",
        "glyphs-convnet",
        "--out",
        run.toString(),
        "--no-progress",
        "--mapping",
        rule,
        "--set",
        "network.width-factor=0.25",
        "--set",
        "limit=400",
        "--set",
        "epochs=1",
        "--set",
        "threads=1");
    assertThat(UprightFile.read(run.resolve("upright.safetensors"))).isEqualTo(fitted);
    Files.delete(file);
    Path exported = folder.resolve("model.onnx");
    ok("export", run.toString(), "--out", exported.toString());
    ImageSet glyphs = DataSets.images("glyphs", null, Split.TEST, Choice.ALL.withLimit(40));
    List<Image> images = IntStream.range(0, glyphs.size()).mapToObj(glyphs::image).toList();
    float[][] expected = RunFolder.model(run).taking(glyphs.shape()).scores(images);
    OnnxFile read = OnnxFile.read(exported);
    ModelInput.Images input = (ModelInput.Images) read.input(ModelInput.Hints.NONE);
    int same = 0;
    try (OnnxModel opened = OnnxModel.open(read)) {
      float[][] found =
          opened.classifier(input, Preprocessing.NONE, "probabilities").scores(images);
      for (int i = 0; i < found.length; i++) {
        boolean near = true;
        for (int c = 0; c < found[i].length; c++) {
          near &= Math.abs(found[i][c] - expected[i][c]) < 1e-3;
        }
        same += near ? 1 : 0;
      }
    }
    // an untrained predictor may be torn between two angles, where rounding decides
    assertThat(same).isGreaterThan(images.size() * 8 / 10);
    UprightFile.write(file, fitted);
    JsonNode evaluated =
        Json.mapper()
            .readTree(
                ok(
                        "evaluate",
                        run.toString(),
                        "--limit",
                        "20",
                        "--step",
                        "90",
                        "--mapping",
                        rule,
                        "--interpolation",
                        "bilinear",
                        "--json")
                    .out());
    double kept = evaluated.at("/sweeps/bilinear/labelKept").asDouble(-1);
    // quarter turns only move pixels
    assertThat(kept).isCloseTo(1, offset(0.051));
  }

  /** Fitted beside the run, on its training images; there are few, so it is soon done. */
  @Test
  void aPresetFitsWhatIsUprightFirst() throws Exception {
    Path run = folder.resolve("fitted");
    String[] command = {
      "train",
      "--preset",
      "cifar10-convnet-upright",
      "--out",
      run.toString(),
      "--no-progress",
      "--set",
      "data=glyphs",
      "--set",
      "network.width-factor=0.25",
      "--set",
      "limit=32",
      "--set",
      "validation=0.25",
      "--set",
      "epochs=1",
      "--set",
      "threads=1"
    };
    Run said = ok(command);
    assertThat(said.err()).contains("fitting what is upright on 24 images");
    FittedUpright own = UprightFile.read(folder.resolve("fitted-upright.safetensors"));
    assertThat(own.provenance()).containsEntry("images", "24");
    assertThat(UprightFile.read(run.resolve("upright.safetensors"))).isEqualTo(own);
    assertThat(folder.resolve("fitted-upright.fit")).doesNotExist();
    // a folder that is taken is told before a fit, and what was fitted is used again
    assertThat(Run.orbit(command).err()).contains("expected an empty or new folder");
    command[4] = folder.resolve("other").toString();
    Files.move(
        folder.resolve("fitted-upright.safetensors"), folder.resolve("other-upright.safetensors"));
    command[2] = "cifar10-convnet-upright-frames";
    assertThat(ok(command).err()).doesNotContain("fitting what is upright");
    // a run that is asked about two angles, and the file that is made of it, say the same
    Path file = folder.resolve("other.onnx");
    ok("export", command[4], "--out", file.toString());
    double byRun = clean("evaluate", command[4]);
    assertThat(clean("audit", file.toString(), "--data", "glyphs")).isEqualTo(byRun, offset(0.035));
  }

  /** The accuracy on 30 inputs as they are. */
  private static double clean(String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--limit", "30", "--step", "90", "--interpolation", "bilinear", "--json"));
    JsonNode told = Json.mapper().readTree(ok(all.toArray(String[]::new)).out());
    return told.get("clean").asDouble(-1);
  }

  @Test
  void wrapAndAudit() throws Exception {
    Path run = folder.resolve("run");
    ok(
        "train",
        "--preset",
        "glyphs-convnet",
        "--out",
        run.toString(),
        "--no-progress",
        "--set",
        "network.width-factor=0.25",
        "--set",
        "limit=400",
        "--set",
        "epochs=1");
    Path bare = folder.resolve("bare.onnx");
    ok("export", run.toString(), "--out", bare.toString());
    Path wrapped = folder.resolve("wrapped.onnx");
    JsonNode told =
        Json.mapper()
            .readTree(
                ok(
                        "wrap",
                        bare.toString(),
                        "--out",
                        wrapped.toString(),
                        "--mapping",
                        rule,
                        "--json")
                    .out());
    assertThat(told.at("/cost/calls").asInt()).isEqualTo(2);
    assertThat(told.at("/metadata/orbit.frames").asText()).isEqualTo("2, select mean");
    assertThat(told.at("/metadata/orbit.mapping").asText())
        .isEqualTo(
            "upright by convnet, 36 angles, behind disc, bicubic, corners continued from"
                + " the edge");
    String[] audit = {"--data", "glyphs", "--limit", "20", "--step", "90", "--json"};
    JsonNode file = Json.mapper().readTree(ok(join(audit, "audit", wrapped.toString())).out());
    JsonNode memory =
        Json.mapper().readTree(ok(join(audit, "audit", bare.toString(), "--mapping", rule)).out());
    assertThat(memory.get("clean")).isEqualTo(file.get("clean"));
    assertThat(memory.get("sweeps")).isEqualTo(file.get("sweeps"));
    Run tuned =
        ok(
            "wrap",
            bare.toString(),
            "--out",
            wrapped.toString(),
            "--mapping",
            rule,
            "--data",
            "glyphs",
            "--limit",
            "10",
            "--step",
            "90",
            "--max-cost",
            "4");
    assertThat(tuned.out()).contains("upright, 2 frames", "  4 frames");
    assertThat(
            Run.orbit(
                    "wrap",
                    bare.toString(),
                    "--out",
                    folder.resolve("mirrors.onnx").toString(),
                    "--mapping",
                    rule,
                    "--frames",
                    "1",
                    "--mirrors")
                .out())
        .contains("asked 2 times");
  }

  private static String[] join(String[] last, String... first) {
    return IntStream.range(0, first.length + last.length)
        .mapToObj(i -> i < first.length ? first[i] : last[i - first.length])
        .toArray(String[]::new);
  }
}
