package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.sample.Samples;
import org.orbitmap.eval.Progress;
import org.orbitmap.group.C4;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.QuarterTurns;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.image.mapping.Stability;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFit;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingFamily;
import org.orbitmap.model.MappingSpec;

class ImageCommandsTest {
  @TempDir private Path folder;

  private static JsonNode json(Run run) throws IOException {
    return Json.mapper().readTree(run.out());
  }

  @Test
  void mapBringsQuarterTurnsToTheSameImage() throws IOException {
    Image boat = Samples.boat(64);
    for (int k = 0; k < 4; k++) {
      ImageFiles.writePng(
          folder.resolve("in/turn" + k + ".png"), new QuarterTurns().act(C4.turn(k), boat));
    }
    Run run =
        Run.orbit(
            "map",
            folder.resolve("in").toString(),
            "--out",
            folder.resolve("out").toString(),
            "--epsilon",
            "0.5",
            "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode files = json(run).get("files");
    assertThat(files).hasSize(4);
    Image first = ImageFiles.read(folder.resolve("out/turn0.png"));
    for (int k = 0; k < 4; k++) {
      JsonNode file = files.get(k);
      assertThat(file.get("file").asText()).endsWith("turn" + k + ".png");
      double expected = files.get(0).get("angleDegrees").asDouble() - 90 * k;
      assertThat(Math.IEEEremainder(file.get("angleDegrees").asDouble() - expected, 360))
          .isCloseTo(0, within(1e-9));
      assertThat(file.get("margin").asDouble()).isGreaterThan(1);
      assertThat(file.get("certifiedDegrees").asDouble())
          .isCloseTo(Math.toDegrees(Math.asin(0.5 / file.get("margin").asDouble())), within(1e-9));
      assertThat(ImageFiles.read(folder.resolve("out/turn" + k + ".png")).distance(first))
          .isLessThanOrEqualTo(1.01 / 255);
    }
  }

  @Test
  void mapSaysWhenThereIsNoCertificate() throws IOException {
    ImageFiles.writePng(folder.resolve("grey.png"), new Image(1, 8, 8, filled(64, 0.5f)));
    String[] args = {
      "map", folder.resolve("grey.png").toString(), "--out", folder.resolve("o").toString(),
    };
    Run text = Run.orbit(with(args, "--epsilon", "1"));
    assertThat(text.code()).isZero();
    assertThat(text.out()).contains("angleDegrees 0,", "margin 0", "no certificate");
    JsonNode file = json(Run.orbit(with(args, "--epsilon", "1", "--json"))).get("files").get(0);
    assertThat(file.get("certifiedDegrees").isNull()).isTrue();
    assertThat(file.get("margin").asDouble()).isZero();
  }

  @Test
  void mapKnowsEveryGroupAndMapping() throws IOException {
    ImageFiles.writePng(folder.resolve("boat.png"), Samples.boat(40));
    InputShape<Image> images = new InputShape.Images(3, 40, 40);
    assertThat(MappingSpec.groups(images)).containsExactly("so2", "c4", "o2", "sim2");
    for (MappingFamily family : MappingSpec.families(images)) {
      for (String group : family.groups(images)) {
        String mapping = family.name();
        Run run =
            Run.orbit(
                "map",
                folder.resolve("boat.png").toString(),
                "--out",
                folder.resolve("out-" + group + mapping).toString(),
                "--group",
                group,
                "--mapping",
                mapping,
                "--json");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(json(run).get("files").get(0).has("angleDegrees")).isTrue();
      }
    }
    Run kernels =
        Run.orbit(
            "map",
            folder.resolve("boat.png").toString(),
            "--out",
            folder.resolve("k").toString(),
            "--mapping",
            "kernels",
            "--k1",
            "1,2,1;0,0,0;-1,-2,-1",
            "--k2",
            "-1,0,1;-2,0,2;-1,0,1");
    assertThat(kernels.code()).as(kernels.err()).isZero();
  }

  @Test
  void mapGoesOnAfterBadFilesAndCountsThem() throws IOException {
    ImageFiles.writePng(folder.resolve("in/good.png"), Samples.boat(16));
    Files.write(folder.resolve("in/empty.png"), new byte[0]);
    Files.writeString(folder.resolve("in/text.jpg"), "not an image");
    byte[] whole = Files.readAllBytes(folder.resolve("in/good.png"));
    Files.write(folder.resolve("in/cut.png"), Arrays.copyOf(whole, whole.length / 2));
    Files.writeString(folder.resolve("in/huge.pgm"), "P5\n10000 10000\n255\n");
    Files.writeString(folder.resolve("in/flat.pgm"), "P5\n0 4\n255\n");
    Files.writeString(folder.resolve("in/notes.txt"), "not to be mapped");
    Run run =
        Run.orbit(
            "map", folder.resolve("in").toString(), "--out", folder.resolve("out").toString());
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("5 of 6 files could not be mapped").doesNotContain("\tat ");
    assertThat(run.out())
        .contains("empty.png", "text.jpg", "cut.png", "huge.pgm", "flat.pgm", "expected", "found");
    assertThat(run.out()).contains("notes.txt: not an image or a cloud or mesh");
    assertThat(run.out().lines().filter(l -> l.contains("huge.pgm")).findFirst().orElseThrow())
        .contains("10000");
    try (var written = Files.walk(folder.resolve("out"))) {
      assertThat(written.filter(Files::isRegularFile).map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("good.png", "manifest.jsonl");
    }
  }

  @Test
  void mapLosesNoFiles() throws IOException {
    ImageFiles.writePng(folder.resolve("a/x.png"), Samples.boat(8));
    ImageFiles.writePng(folder.resolve("b/x.png"), Samples.boat(9));
    Run twice =
        Run.orbit(
            "map",
            folder.resolve("a/x.png").toString(),
            folder.resolve("b/x.png").toString(),
            "--out",
            folder.resolve("o").toString());
    assertThat(twice.code()).as(twice.err()).isZero();
    assertThat(ImageFiles.read(folder.resolve("o/x.png")).height()).isEqualTo(8);
    assertThat(ImageFiles.read(folder.resolve("o/x-2.png")).height()).isEqualTo(9);
    Run over =
        Run.orbit(
            "map", folder.resolve("a/x.png").toString(), "--out", folder.resolve("a").toString());
    assertThat(over.code()).isEqualTo(2);
    assertThat(over.err()).contains("overwritten");
  }

  @Test
  void badOptionsAreNamed() throws IOException {
    ImageFiles.writePng(folder.resolve("x.png"), Samples.boat(8));
    String[] base = {
      "map", folder.resolve("x.png").toString(), "--out", folder.resolve("o").toString()
    };
    assertBad(with(base, "--mapping", "nonsense"), "one of [disc, paper");
    assertBad(with(base, "--interpolation", "cubic"), "nearest, bilinear or bicubic");
    assertBad(with(base, "--fill", "red"), "zero, reflect, edge or a number");
    assertBad(with(base, "--group", "su5"), "group");
    assertBad(with(base, "--epsilon", "-1"), "--epsilon: expected a number >= 0");
    assertBad(with(base, "--mapping", "kernels"), "--k1 and --k2");
    assertBad(with(base, "--mapping", "kernels", "--k1", "1,x", "--k2", "1,1"), "found 'x'");
    assertBad(
        with(base, "--mapping", "kernels", "--k1", "1,1;1,1", "--k2", "1,1;1,1"), "k1[1,1] = 1.0");
    assertBad(new String[] {"map", "nowhere.png", "--out", "o"}, "nowhere.png");
    assertBad(new String[] {"stability", "--data", "nowhere"}, "nowhere");
    Path empty = Files.createDirectories(folder.resolve("empty"));
    assertBad(
        new String[] {"stability", "--data", empty.toString()},
        "expected image files or a data set");
    assertBad(new String[] {"stability"}, "expected the name or the folder of a data set");
    assertBad(new String[] {"bench", "--only", "nothing"}, "image-32-bilinear");
    assertBad(new String[] {"bench", "--seconds", "-1"}, "--seconds");
    assertBad(new String[] {"bench", "--group", "start", "--vectors"}, "--vectors");
    Path damaged = folder.resolve("damaged.png");
    Files.write(damaged, new byte[] {1, 2, 3});
    Run map = Run.orbit("map", damaged.toString(), "--out", base[3]);
    assertThat(map.code()).isEqualTo(2);
    assertThat(map.out()).contains("damaged.png: expected");
    assertThat(folder.resolve("o")).doesNotExist();
  }

  @Test
  void stabilityReadsCifarFilesPlainAndGzipped() throws IOException {
    Path plain = folder.resolve("data/test_batch.bin");
    Files.createDirectories(plain.getParent());
    Files.write(plain, records(12));
    Path out = folder.resolve("report");
    Run run =
        Run.orbit(
            "stability",
            "--data",
            plain.getParent().toString(),
            "--mapping",
            "disc,forward,released",
            "--noise",
            "0,0.05",
            "--step",
            "5",
            "--out",
            out.toString(),
            "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode document = json(run);
    assertThat(document.get("images").asInt()).isEqualTo(12);
    JsonNode results = document.get("results");
    assertThat(results).hasSize(6);
    assertThat(
            Page.assertWhole(
                out.resolve("report.html"), "Noise", "Histogram of disc", "Histogram of released"))
        .contains("10.46", "44.0 %", "78.0 %", "23.89", "sha-256", "--step 5");
    assertThat(results.get(0).get("meanStdDegrees").asDouble())
        .isLessThan(results.get(2).get("meanStdDegrees").asDouble());
    assertThat(results.get(0).get("under10").asDouble()).isBetween(0.0, 1.0);
    for (JsonNode png : document.get("histograms")) {
      assertThat(ImageIO.read(Path.of(png.asText()).toFile()).getWidth()).isGreaterThan(100);
    }
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(records(12));
    }
    Path gz = folder.resolve("test_batch.bin.gz");
    Files.write(gz, zipped.toByteArray());
    Run again =
        Run.orbit(
            "stability",
            "--data",
            gz.toString(),
            "--mapping",
            "disc,forward,released",
            "--noise",
            "0,0.05",
            "--step",
            "5",
            "--out",
            out.toString(),
            "--json");
    assertThat(json(again).get("results")).isEqualTo(results);
    Files.write(gz, Arrays.copyOf(zipped.toByteArray(), zipped.size() / 2));
    Run cut = Run.orbit("stability", "--data", gz.toString(), "--out", out.toString());
    assertThat(cut.code()).isEqualTo(2);
    assertThat(cut.err()).contains("test_batch.bin.gz").doesNotContain("\tat ");
  }

  /** Any folder of images: no labels, any size, below other folders. */
  @Test
  void stabilityTakesAFolderOfImages() throws IOException {
    Path photos = folder.resolve("photos");
    ImageFiles.writePng(photos.resolve("a.png"), Samples.boat(24));
    ImageFiles.writePng(photos.resolve("deep/er/b.png"), Samples.boat(40));
    Image wide = ImageFit.fit(Samples.boat(48), 20, 60);
    ImageFiles.writePng(photos.resolve("deep/c.png"), wide);
    Files.writeString(photos.resolve("notes.txt"), "a note");
    String[] base = {
      "stability", "--mapping", "disc", "--noise", "0", "--step", "15", "--json", "--data"
    };
    Run all = Run.orbit(with(base, photos.toString(), "--size", "48"));
    assertThat(all.code()).as(all.err()).isZero();
    assertThat(all.err()).contains("1 of 3 images are larger than 48");
    assertThat(json(all).get("images").asInt()).isEqualTo(3);
    double sum = 0;
    for (String one : List.of("a.png", "deep/er/b.png", "deep/c.png")) {
      Run alone = Run.orbit(with(base, photos.resolve(one).toString(), "--size", "48"));
      sum += json(alone).at("/results/0/meanStdDegrees").asDouble();
    }
    assertThat(json(all).at("/results/0/meanStdDegrees").asDouble())
        .isCloseTo(sum / 3, within(1e-9));
    assertThat(json(Run.orbit(with(base, photos.toString(), "--limit", "2"))).get("images").asInt())
        .isEqualTo(2);
    Files.writeString(photos.resolve("bad.png"), "no image");
    assertBad(with(base, photos.toString()), "1 of 4 files cannot be read");
  }

  @Test
  void stabilityWritesNothingUnasked() throws IOException {
    Run run =
        Run.orbit(
            "stability",
            "--data",
            "glyphs",
            "--limit",
            "5",
            "--mapping",
            "disc",
            "--noise",
            "0",
            "--step",
            "30",
            "--json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(json(run).get("images").asInt()).isEqualTo(5);
    assertThat(json(run).has("report")).isFalse();
    assertThat(json(run).has("histograms")).isFalse();
    assertThat(Path.of("orbit-stability")).doesNotExist();
  }

  /** The targets on the real test set; a tenth of it, every angle. */
  @Test
  void stabilityOnRealImages() throws IOException {
    String data = System.getProperty("orbit.data", "");
    assumeFalse(data.isEmpty(), "no real data: set ORBIT_DATA");
    Run run =
        Run.orbit(
            "stability",
            "--data",
            data + "/cifar10",
            "--noise",
            "0",
            "--limit",
            "1000",
            "--out",
            folder.toString(),
            "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode results = json(run).get("results");
    assertThat(mean(results, "disc")).isLessThanOrEqualTo(0.15);
    assertThat(mean(results, "paper")).isLessThanOrEqualTo(1.3);
    assertThat(mean(results, "released")).isBetween(6.0, 11.0);
    assertThat(mean(results, "forward")).isGreaterThan(mean(results, "central"));
  }

  /** Photographs of skin at other sizes: the default mapping stays within 0.3°. */
  @Test
  void stabilityOnOtherSizes() throws IOException {
    Path zip = Path.of(System.getProperty("orbit.data", ""), "ham10000", SAMPLE);
    assumeTrue(Files.exists(zip), "no real data: set ORBIT_DATA");
    List<Image> photographs = new ArrayList<>();
    try (ZipFile archive = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : Collections.list(archive.entries())) {
        if (entry.getName().endsWith(".jpg") && photographs.size() < 60) {
          photographs.add(
              ImageFiles.decode(Path.of(entry.getName()), archive.getInputStream(entry)));
        }
      }
    }
    for (int side : new int[] {28, 32, 33, 64, 224}) {
      List<Image> resized = photographs.stream().map(p -> square(p, side)).toList();
      Stability.Result result =
          new Stability(10, Interpolation.BILINEAR, 1)
              .measure(resized, List.of(PoseRule.DISC), new double[] {0}, Progress.OFF)
              .get(0);
      assertThat(result.meanStdDegrees()).as("side %d", side).isLessThanOrEqualTo(0.3);
    }
  }

  private static final String SAMPLE = "ham10000_200x150_sample.zip";

  /** The middle square of an image, averaged or interpolated to another size. */
  private static Image square(Image image, int side) {
    BufferedImage source = ImageFiles.toBufferedImage(image);
    int crop = Math.min(source.getWidth(), source.getHeight());
    BufferedImage target = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
    java.awt.Image scaled =
        source
            .getSubimage(
                (source.getWidth() - crop) / 2, (source.getHeight() - crop) / 2, crop, crop)
            .getScaledInstance(side, side, java.awt.Image.SCALE_AREA_AVERAGING);
    target.createGraphics().drawImage(scaled, 0, 0, null);
    return ImageFiles.of(target);
  }

  private static double mean(JsonNode results, String mapping) {
    for (JsonNode row : results) {
      if (row.get("mapping").asText().equals(mapping)) {
        return row.get("meanStdDegrees").asDouble();
      }
    }
    throw new AssertionError(mapping);
  }

  @Test
  void benchMeasuresEveryCase() throws IOException {
    Run run = Run.orbit("bench", "--seconds", "0.05", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode benchmarks = json(run).get("benchmarks");
    assertThat(benchmarks.findValuesAsText("name"))
        .contains(
            "image-32-bilinear", "image-32-bicubic", "image-224-bilinear", "image-224-bicubic");
    for (JsonNode b : benchmarks) {
      assertThat(b.get("microsecondsPerItem").asDouble()).isPositive();
    }
    JsonNode batches = json(run).get("batches");
    assertThat(batches.findValuesAsText("name"))
        .containsExactly("batch-32-bilinear", "batch-224-bilinear");
    for (JsonNode b : batches) {
      assertThat(b.get("speedup").asDouble()).isPositive();
    }
  }

  private static void assertBad(String[] args, String message) {
    Run run = Run.orbit(args);
    assertThat(run.code()).as(String.join(" ", args)).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("\tat ");
    assertThat(run.out()).isEmpty();
  }

  private static String[] with(String[] base, String... more) {
    String[] all = Arrays.copyOf(base, base.length + more.length);
    System.arraycopy(more, 0, all, base.length, more.length);
    return all;
  }

  private static float[] filled(int n, float value) {
    float[] data = new float[n];
    Arrays.fill(data, value);
    return data;
  }

  /** CIFAR records of smooth images. */
  private static byte[] records(int n) {
    SplittableRandom random = new SplittableRandom(5);
    byte[] bytes = new byte[n * 3073];
    for (int k = 0; k < n; k++) {
      bytes[k * 3073] = (byte) (k % 10);
      double a = random.nextDouble();
      double b = random.nextDouble();
      for (int p = 0; p < 3072; p++) {
        int x = p % 32;
        int y = p / 32 % 32;
        bytes[k * 3073 + 1 + p] =
            (byte) (128 + 100 * Math.sin(a * x / 5 + b) * Math.cos(b * y / 4 + a));
      }
    }
    return bytes;
  }
}
