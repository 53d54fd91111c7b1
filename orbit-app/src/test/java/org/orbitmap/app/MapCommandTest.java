package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.report.CloudFigure;
import org.orbitmap.app.sample.Samples;
import org.orbitmap.cloud.Box;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.image.Image;
import org.orbitmap.io.Digests;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.mesh.Mesh;

/** What orbit map records, resumes, skips and takes back. */
class MapCommandTest {
  @TempDir private Path folder;

  private Run map(String... args) {
    return Run.orbit(
        Stream.concat(Stream.of("map"), Stream.of(args).map(this::resolved))
            .toArray(String[]::new));
  }

  /** A leading @ is the folder of the test. */
  private String resolved(String arg) {
    return arg.startsWith("@") ? folder.resolve(arg.substring(1)).toString() : arg;
  }

  private static JsonNode json(Run run) throws IOException {
    return Json.mapper().readTree(run.out());
  }

  /** Every file below a folder and its digest; manifests, whose order may differ, left out. */
  private static Map<String, String> contents(Path root) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("manifest.jsonl")) {
          all.put(root.relativize(file).toString(), Digests.sha256(file));
        }
      }
    }
    return all;
  }

  private static Image photograph(int height, int width, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double a = random.nextDouble(6);
    double b = random.nextDouble(0.02, 0.2);
    Image image = Image.black(3, height, width);
    for (int i = 0; i < image.data().length; i++) {
      int p = i % image.plane();
      int row = p / width;
      int column = p % width;
      int channel = i / image.plane();
      image.data()[i] =
          (float) (0.5 + 0.24 * Math.sin(b * row + a) + 0.24 * Math.cos(0.09 * column + channel));
    }
    return image;
  }

  @Test
  void aSecondCallKeepsWhatIsThere() throws IOException {
    for (int k = 0; k < 5; k++) {
      ImageFiles.writePng(folder.resolve("in/sub/" + k + ".png"), photograph(20, 30, k));
    }
    CloudFiles.write(folder.resolve("in/chair.ply"), CloudFigure.chair());
    Run first = map("@in", "--out", "@out", "--json");
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(json(first).get("mapped").asInt()).isEqualTo(6);
    assertThat(json(first).get("kept").asInt()).isZero();
    Map<String, String> before = contents(folder.resolve("out"));
    List<String> lines = Files.readAllLines(folder.resolve("out/manifest.jsonl"));
    assertThat(lines).hasSize(6);
    JsonNode line = Json.mapper().readTree(lines.get(0));
    assertThat(line.get("inputSha256").asText()).hasSize(64);
    assertThat(line.get("outputSha256").asText()).hasSize(64);
    assertThat(line.has("settings")).isTrue();
    assertThat(line.get("output").asText()).doesNotContain(folder.toString());

    Files.delete(folder.resolve("out/sub/3.png"));
    Run second = map("@in", "--out", "@out", "--json");
    assertThat(second.code()).as(second.err()).isZero();
    assertThat(json(second).get("mapped").asInt()).isEqualTo(1);
    assertThat(json(second).get("kept").asInt()).isEqualTo(5);
    assertThat(contents(folder.resolve("out"))).isEqualTo(before);
    // Kept results are reported as when they were made.
    for (int i = 0; i < 6; i++) {
      JsonNode now = json(second).get("files").get(i).deepCopy();
      ((ObjectNode) now).remove("kept");
      assertThat(now).isEqualTo(json(first).get("files").get(i));
    }
    assertThat(map("@in", "--out", "@out").err()).contains("6 of 6 files were mapped before");
  }

  @Test
  void whatIsInTheWayIsRefused() throws IOException {
    ImageFiles.writePng(folder.resolve("in/a.png"), photograph(20, 30, 1));
    ImageFiles.writePng(folder.resolve("in/b.png"), photograph(20, 30, 2));
    Files.createDirectories(folder.resolve("out"));
    Files.writeString(folder.resolve("out/b.png"), "mine");
    Run unknown = map("@in", "--out", "@out");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("b.png: expected nothing there", "--overwrite");
    assertThat(folder.resolve("out/a.png")).doesNotExist();
    assertThat(folder.resolve("out/b.png")).hasContent("mine");

    assertThat(map("@in", "--out", "@out", "--overwrite").code()).isZero();
    Run other = map("@in", "--out", "@out", "--mapping", "paper");
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err())
        .contains("expected the settings it was made with (mapping disc), found mapping paper");
    assertThat(map("@in", "--out", "@out", "--mapping", "paper", "--overwrite").code()).isZero();
    // Overwriting again has nothing to do.
    Run again = map("@in", "--out", "@out", "--mapping", "paper", "--overwrite", "--json");
    assertThat(json(again).get("kept").asInt()).isEqualTo(2);

    ImageFiles.writePng(folder.resolve("in/a.png"), photograph(20, 30, 3));
    Files.writeString(folder.resolve("out/b.png"), "edited");
    Run changed = map("@in", "--out", "@out", "--mapping", "paper");
    assertThat(changed.code()).isEqualTo(2);
    assertThat(changed.out())
        .contains("a.png: expected", "found it made from another content")
        .contains("b.png: expected", "found it changed since", "--overwrite");
    assertThat(folder.resolve("out/b.png")).hasContent("edited");
    assertThat(map("@in", "--out", "@out", "--mapping", "paper", "--overwrite").code()).isZero();
    assertThat(map("@in", "--out", "@fresh", "--mapping", "paper").code()).isZero();
    assertThat(contents(folder.resolve("out"))).isEqualTo(contents(folder.resolve("fresh")));
  }

  /** However a line was cut off, the next call goes on and ends with the same files. */
  @Test
  void aTornLineIsTolerated() throws IOException {
    for (int k = 0; k < 4; k++) {
      ImageFiles.writePng(folder.resolve("in/" + k + ".png"), photograph(16, 16, k));
    }
    assertThat(map("@in", "--out", "@whole").code()).isZero();
    byte[] manifest = Files.readAllBytes(folder.resolve("whole/manifest.jsonl"));
    int last = new String(manifest, StandardCharsets.UTF_8).trim().lastIndexOf('\n');
    for (int cut :
        new int[] {last + 1, last + 2, last + 60, manifest.length - 2, manifest.length - 1}) {
      Path out = folder.resolve("torn" + cut);
      assertThat(map("@in", "--out", out.toString()).code()).isZero();
      List<String> lines = Files.readAllLines(out.resolve("manifest.jsonl"));
      JsonNode lost = Json.mapper().readTree(lines.get(3));
      String text = String.join("\n", lines) + "\n";
      int end = text.lastIndexOf('\n', text.length() - 2) + 1 + cut - last - 1;
      Files.writeString(
          out.resolve("manifest.jsonl"), text.substring(0, Math.min(end, text.length())));
      Files.delete(out.resolve(lost.get("output").asText())); // appears only after its line
      Run again = map("@in", "--out", out.toString(), "--json");
      assertThat(again.code()).as(again.err()).isZero();
      assertThat(json(again).get("kept").asInt()).isEqualTo(3);
      assertThat(contents(out)).isEqualTo(contents(folder.resolve("whole")));
      Run third = map("@in", "--out", out.toString(), "--json");
      assertThat(json(third).get("kept").asInt()).isEqualTo(4);
    }
  }

  @Test
  void aKilledCallGoesOn() throws Exception {
    int files = 400;
    for (int k = 0; k < files; k++) {
      ImageFiles.writePng(folder.resolve("in/%03d.png".formatted(k)), photograph(60, 90, k));
    }
    Path out = folder.resolve("out");
    int resumed = 0;
    for (int kills = 0; kills < 3; kills++) {
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "map",
                  folder.resolve("in").toString(),
                  "--out",
                  out.toString())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log" + kills).toFile())
              .start();
      int enough = shown(out) + 5;
      while (child.isAlive() && shown(out) < enough) {
        child.waitFor(1, TimeUnit.MILLISECONDS);
      }
      child.destroyForcibly().waitFor();
      resumed += shown(out) < files ? 1 : 0;
    }
    assertThat(resumed).as("calls killed halfway").isPositive();
    Run last = map("@in", "--out", "@out", "--json");
    assertThat(last.code()).as(last.err()).isZero();
    assertThat(json(last).get("kept").asInt()).isPositive();
    assertThat(json(last).get("mapped").asInt() + json(last).get("kept").asInt()).isEqualTo(files);
    assertThat(map("@in", "--out", "@fresh").code()).isZero();
    assertThat(contents(out)).isEqualTo(contents(folder.resolve("fresh")));
  }

  /** How many results there are; those of a group appear one after the other. */
  private static int shown(Path out) throws IOException {
    if (!Files.exists(out)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(out)) {
      return (int) files.filter(f -> f.getFileName().toString().matches("\\d+\\.png")).count();
    }
  }

  @Test
  void everyResultHasItsName() throws IOException {
    Image boat = Samples.boat(24);
    Files.createDirectories(folder.resolve("in"));
    for (String format : List.of("bmp", "gif", "jpg")) {
      ImageIO.write(
          ImageFiles.toBufferedImage(boat), format, folder.resolve("in/a." + format).toFile());
    }
    ImageFiles.writePng(folder.resolve("in/b.png"), boat);
    ImageIO.write(ImageFiles.toBufferedImage(boat), "bmp", folder.resolve("in/b.bmp").toFile());
    Run run = map("@in", "@in/a.gif", "--out", "@out", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(contents(folder.resolve("out")).keySet())
        .containsExactly("a.bmp.png", "a.gif.png", "a.jpg", "b.bmp.png", "b.png");
    assertThat(json(run).get("skipped").get(0).get("reason").asText()).isEqualTo("named before");
    assertThat(json(map("@in", "--out", "@out", "--json")).get("kept").asInt()).isEqualTo(5);
  }

  @Test
  void nothingIsSkippedSilently() throws IOException {
    ImageFiles.writePng(folder.resolve("in/good.png"), Samples.boat(16));
    Files.writeString(folder.resolve("in/notes.md"), "a note");
    Files.writeString(folder.resolve("in/.abc.tmp.x.png"), "half");
    Files.createDirectories(folder.resolve("elsewhere"));
    Files.createSymbolicLink(folder.resolve("in/link"), folder.resolve("elsewhere"));
    Path out = folder.resolve("in/out");
    for (int k = 0; k < 2; k++) {
      Run run = map("@in", "--out", out.toString(), "--json");
      assertThat(run.code()).as(run.err()).isZero();
      JsonNode skipped = json(run).get("skipped");
      List<String> said = new ArrayList<>();
      skipped.forEach(
          s ->
              said.add(
                  Path.of(s.get("file").asText()).getFileName() + ": " + s.get("reason").asText()));
      List<String> expected =
          new ArrayList<>(
              List.of(
                  ".abc.tmp.x.png: left by a call that was interrupted",
                  "link: a link to a folder",
                  "notes.md: not an image or a cloud or mesh"));
      if (k == 1) {
        expected.add("out: the output folder");
      }
      assertThat(said).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(run.err()).contains(expected.size() + " skipped");
    }
    Run none = map("@elsewhere", "--out", "@o");
    assertThat(none.code()).isEqualTo(2);
    assertThat(map("--out", "@o").err()).contains("expected files or folders to map, found none");
  }

  @Test
  void ofManyFilesOnlyThoseThatFailedAreListed() throws IOException {
    for (int i = 0; i < 21; i++) {
      ImageFiles.writePng(folder.resolve("in/%02d.png".formatted(i)), Samples.boat(8));
    }
    Files.writeString(folder.resolve("in/bad.png"), "no image");
    Files.writeString(folder.resolve("in/notes.md"), "a note");
    Run many = map("@in", "--out", "@out");
    assertThat(many.code()).isEqualTo(2);
    List<String> lines = many.out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("failed: ").contains("bad.png");
    assertThat(lines.get(1)).startsWith("skipped: ").contains("notes.md");
    assertThat(lines.get(2)).startsWith("21 files are in ").contains("manifest.jsonl");
    assertThat(json(map("@in", "--out", "@out", "--json")).get("files")).hasSize(22);
    Run few = map("@in/00.png", "@in/01.png", "--out", "@few");
    assertThat(few.out().lines()).hasSize(2).allMatch(line -> line.contains(" -> "));
  }

  @Test
  void sixteenBitsAndRemarksReachTheResult() throws IOException {
    Image deep = photograph(40, 40, 5);
    Files.createDirectories(folder.resolve("in"));
    Files.write(folder.resolve("in/deep.png"), ImageFiles.png(deep, 16));
    Run run = map("@in/deep.png", "--out", "@out", "--group", "c4", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(ImageFiles.open(folder.resolve("out/deep.png")).bits()).isEqualTo(16);
    Run told = map("--inverse", "@out", "--out", "@back", "--group", "so2");
    assertThat(told.code()).isEqualTo(2);
    assertThat(told.err()).contains("--inverse: expected no --group and no --mapping");
    assertThat(map("--inverse", "@out", "--out", "@back").code()).isZero();
    assertThat(ImageFiles.read(folder.resolve("back/deep.png")).distance(deep)).isLessThan(1e-5);
    BufferedImage clear = new BufferedImage(8, 8, BufferedImage.TYPE_INT_ARGB);
    ImageIO.write(clear, "png", folder.resolve("in/clear.png").toFile());
    assertThat(map("@in/clear.png", "--out", "@c").out())
        .contains("remarks [transparent pixels blended over black]");
  }

  @Test
  void formatsOfImages() throws IOException {
    Path in = Files.createDirectories(folder.resolve("in"));
    Image image = photograph(60, 48, 7);
    Files.write(in.resolve("b.png"), ImageFiles.png(image));
    assertThat(map("@in/b.png", "--out", "@first", "--format", "jpeg:85").code()).isZero();
    Files.move(folder.resolve("first/b.jpg"), in.resolve("a.JPG"));

    Run plain = map("@in", "--out", "@plain", "--format", "png");
    assertThat(plain.code()).as(plain.err()).isZero();
    assertThat(plain.out()).doesNotContain("remarks");
    Run own = map("@in", "--out", "@own");
    assertThat(own.code()).as(own.err()).isZero();
    Run same = map("@in", "--out", "@own", "--format", "input", "--json");
    assertThat(json(same).get("kept").asInt())
        .as("the default is to write as it came")
        .isEqualTo(2);
    assertThat(own.out()).containsOnlyOnce("remarks [written as JPEG of quality 85]");
    assertThat(folder.resolve("own/b.png")).hasSameBinaryContentAs(folder.resolve("plain/b.png"));
    byte[] jpeg = Files.readAllBytes(folder.resolve("own/a.JPG"));
    assertThat(jpeg).startsWith(0xff, 0xd8);
    assertThat(jpeg.length).isLessThan((int) Files.size(folder.resolve("plain/a.png")));
    Image lossless = ImageFiles.read(folder.resolve("plain/a.png"));
    Image lossy = ImageFiles.read(folder.resolve("own/a.JPG"));
    assertThat(meanDifference(lossless, lossy, 0)).isBetween(1e-4, 0.03);
    // The element is that of the input, so that the way back is the same.
    assertThat(map("--inverse", "@own", "--out", "@back").code()).isZero();
    assertThat(map("--inverse", "@plain", "--out", "@exact").code()).isZero();
    assertThat(
            meanDifference(
                ImageFiles.read(folder.resolve("back/a.png")),
                ImageFiles.read(folder.resolve("exact/a.png")),
                0))
        .isLessThan(0.03);

    assertThat(map("@in/b.png", "--out", "@small", "--format", "jpeg:20").code()).isZero();
    assertThat(map("@in/b.png", "--out", "@large", "--format", "jpeg").out())
        .contains("[written as JPEG of quality 95]");
    assertThat(Files.size(folder.resolve("small/b.jpg")))
        .isLessThan(Files.size(folder.resolve("large/b.jpg")));
    Run again = map("@in/b.png", "--out", "@small", "--format", "jpeg:30");
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("format jpeg:20").contains("format jpeg:30");
    Run wrong = map("@in", "--out", "@no", "--format", "jpeg:0");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .startsWith(
            "orbit map: --format: expected png, jpeg, jpeg:1 to jpeg:100 or input for images, or"
                + " one of [off, ")
        .contains(" for clouds, found 'jpeg:0'");
    Run masks = map("--inverse", "@own", "--out", "@no", "--format", "jpeg");
    assertThat(masks.code()).isEqualTo(2);
    assertThat(masks.err()).contains("--format: expected png or a format of clouds");
    assertThat(folder.resolve("no")).doesNotExist();
  }

  /** Every image group: with a grown canvas nothing is lost, and boxes come back exactly. */
  @Test
  void imagesMasksAndBoxesGoBack() throws IOException {
    Image photo = photograph(64, 96, 7);
    ImageFiles.writePng(folder.resolve("in/p.png"), photo);
    for (String group : List.of("so2", "c4", "o2")) {
      String out = "@" + group;
      Run run = map("@in", "--out", out, "--group", group, "--canvas", "grow", "--json");
      assertThat(run.code()).as(run.err()).isZero();
      JsonNode canvas = json(run).get("files").get(0).get("canvas");
      assertThat(canvas.get(0).asInt()).isGreaterThanOrEqualTo(64);
      Run inverse = map("--inverse", out + "/manifest.jsonl", "--out", out + "-back", "--json");
      assertThat(inverse.code()).as(inverse.err()).isZero();
      Image back = ImageFiles.read(folder.resolve(group + "-back/p.png"));
      assertThat(meanDifference(photo, back, 3)).as(group).isLessThan(1.5 / 255);

      // The box around the whole canvas holds the whole input; points move as the pixels do.
      Path boxes = folder.resolve(group + "-boxes/p.json");
      Files.createDirectories(boxes.getParent());
      double w = canvas.get(1).asDouble() - 1;
      double h = canvas.get(0).asDouble() - 1;
      Files.writeString(
          boxes,
          "{\"boxes\": [{\"left\": 0, \"top\": 0, \"right\": %s, \"bottom\": %s, \"label\": \"cat\"}],"
                  .formatted(w, h)
              + " \"points\": [{\"x\": %s, \"y\": %s}]}".formatted(w / 2, h / 2));
      Run taken = map("--inverse", out, boxes.toString(), "--out", out + "-found");
      assertThat(taken.code()).as(taken.err() + taken.out()).isZero();
      JsonNode found = Json.mapper().readTree(folder.resolve(group + "-found/p.json").toFile());
      JsonNode box = found.get("boxes").get(0);
      assertThat(box.get("label").asText()).isEqualTo("cat");
      assertThat(box.get("corners")).hasSize(4);
      assertThat(box.get("left").asDouble()).isLessThanOrEqualTo(1e-9);
      assertThat(box.get("right").asDouble()).isGreaterThanOrEqualTo(95 - 1e-9);
      assertThat(found.get("points").get(0).get("x").asDouble()).isCloseTo(47.5, within(1e-9));
      assertThat(found.get("points").get(0).get("y").asDouble()).isCloseTo(31.5, within(1e-9));
    }
    // Without it corners are lost, as they always were.
    assertThat(map("@in", "--out", "@same").code()).isZero();
    assertThat(map("--inverse", "@same", "--out", "@same-back").code()).isZero();
    Image lost = ImageFiles.read(folder.resolve("same-back/p.png"));
    assertThat(meanDifference(photo, lost, 3)).isGreaterThan(0.05);
    // Masks keep their labels with nearest.
    Image mask = Image.black(1, 118, 118);
    for (int i = 0; i < mask.data().length; i++) {
      mask.data()[i] = i / 9 % 2 == 0 ? 0 : 200 / 255f;
    }
    ImageFiles.writePng(folder.resolve("masks/p.png"), mask);
    Run masks = map("--inverse", "@so2", "@masks", "--out", "@m", "--interpolation", "nearest");
    assertThat(masks.code()).as(masks.out()).isZero();
    Image back = ImageFiles.read(folder.resolve("m/p.png"));
    assertThat(back.height()).isEqualTo(64);
    assertThat(back.width()).isEqualTo(96);
    for (float v : back.data()) {
      assertThat(v).isIn(0f, 200 / 255f);
    }
  }

  private static double meanDifference(Image a, Image b, int border) {
    assertThat(a.sameShape(b)).isTrue();
    double sum = 0;
    int count = 0;
    for (int c = 0; c < a.channels(); c++) {
      for (int i = border; i < a.height() - border; i++) {
        for (int j = border; j < a.width() - border; j++) {
          sum += Math.abs(a.at(c, i, j) - b.at(c, i, j));
          count++;
        }
      }
    }
    return sum / count;
  }

  /** Real photographs, 200 x 150, there and back through files of 8 bits. */
  @Test
  void photographsComeBack() throws IOException {
    Path zip =
        Path.of(System.getProperty("orbit.data", ""), "ham10000", "ham10000_200x150_sample.zip");
    assumeTrue(Files.exists(zip), "no real data: set ORBIT_DATA");
    Files.createDirectories(folder.resolve("in"));
    int taken = 0;
    try (ZipFile archive = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : Collections.list(archive.entries())) {
        if (entry.getName().endsWith(".jpg") && taken < 20) {
          try (InputStream in = archive.getInputStream(entry)) {
            Files.copy(in, folder.resolve("in/" + taken++ + ".jpg"));
          }
        }
      }
    }
    for (String kind : List.of("bilinear", "bicubic")) {
      String out = "@" + kind;
      Run there =
          map("@in", "--out", out, "--canvas", "grow", "--interpolation", kind, "--format", "png");
      assertThat(there.code()).as(there.err()).isZero();
      Run back = map("--inverse", out, "--out", out + "-back", "--interpolation", kind);
      assertThat(back.code()).as(back.err()).isZero();
      double sum = 0;
      double worst = 0;
      for (int k = 0; k < taken; k++) {
        Image before = ImageFiles.read(folder.resolve("in/" + k + ".jpg"));
        Image after = ImageFiles.read(folder.resolve(kind + "-back/" + k + ".png"));
        double difference = 255 * meanDifference(before, after, 2);
        sum += difference;
        worst = Math.max(worst, difference);
      }
      System.out.printf(
          "round trip of %d photographs, %s: mean absolute difference %.2f of 255, worst %.2f%n",
          taken, kind, sum / taken, worst);
      assertThat(worst).isLessThan(5);
    }
  }

  @Test
  void cloudsMeshesAndFramesGoBack() throws IOException {
    Mesh chair = CloudFigure.chair();
    float[] normals = new float[chair.vertices().coordinates().length];
    for (int i = 2; i < normals.length; i += 3) {
      normals[i] = 1;
    }
    PointCloud x =
        new PointCloud(
            3, chair.vertices().coordinates(), List.of(PointFeature.normals(3, normals)));
    Mesh mesh = new Mesh(x, chair.triangles());
    CloudFiles.write(folder.resolve("in/chair.ply"), mesh);
    Files.createDirectories(folder.resolve("two"));
    CloudFiles.write(
        folder.resolve("two/two.npy"),
        CloudFormat.NPY,
        List.of(Mesh.of(chair.vertices()), Mesh.of(chair.vertices())));
    for (String group : List.of("sim3", "se3", "so3", "sim3-mirrored", "translation", "scale")) {
      Run run = map("@in", "@two", "--out", "@" + group, "--group", group);
      assertThat(run.code()).as(run.err()).isZero();
      Run inverse = map("--inverse", "@" + group, "--out", "@back-" + group);
      assertThat(inverse.code()).as(inverse.err() + inverse.out()).isZero();
      Mesh back = CloudFiles.readMesh(folder.resolve("back-" + group + "/chair.ply"));
      assertThat(back.triangles()).as(group).isEqualTo(mesh.triangles());
      assertThat(x.relativeDistance(back.vertices())).as(group).isLessThan(1e-6);
      float[] n = back.vertices().feature(PointFeature.NORMAL).orElseThrow().values();
      for (int i = 0; i < n.length; i++) {
        assertThat(n[i]).isCloseTo(normals[i], within(1e-5f));
      }
      for (Mesh one : CloudFiles.readAll(folder.resolve("back-" + group + "/two.npy"))) {
        assertThat(x.relativeDistance(one.vertices())).as(group).isLessThan(1e-6);
      }
    }
    assertThat(map("@in", "--out", "@frames", "--mapping", "frames").code()).isZero();
    // A frame that is missing is made again; a file in the place of one is not overwritten.
    Files.delete(folder.resolve("frames/chair-frame3.ply"));
    Run broken = map("@in", "--out", "@frames", "--mapping", "frames");
    assertThat(broken.code()).as(broken.out()).isZero();
    assertThat(folder.resolve("frames/chair-frame3.ply")).exists();
    Files.createDirectories(folder.resolve("taken"));
    Files.writeString(folder.resolve("taken/chair-frame2.ply"), "mine");
    Run taken = map("@in", "--out", "@taken", "--mapping", "frames");
    assertThat(taken.code()).isEqualTo(2);
    assertThat(taken.out()).contains("chair-frame2.ply: expected nothing there, found a file");
    assertThat(folder.resolve("taken/chair-frame2.ply")).hasContent("mine");
    Run inverse = map("--inverse", "@frames", "--out", "@unframed");
    assertThat(inverse.code()).as(inverse.err() + inverse.out()).isZero();
    assertThat(contents(folder.resolve("unframed"))).hasSize(4);
    for (String name : contents(folder.resolve("unframed")).keySet()) {
      Mesh back = CloudFiles.readMesh(folder.resolve("unframed").resolve(name));
      assertThat(x.relativeDistance(back.vertices())).as(name).isLessThan(1e-6);
    }
    // The tight box of the canonical chair holds the chair where it stood.
    Files.createDirectories(folder.resolve("boxes"));
    PointCloud canonical = CloudFiles.read(folder.resolve("sim3/chair.ply"));
    double[][] corners = Box.around(canonical).corners();
    Files.writeString(
        folder.resolve("boxes/chair.json"),
        Json.write(
            Map.of(
                "boxes", List.of(Map.of("low", corners[0], "high", corners[7])),
                "points", List.of(new double[] {0, 0, 0}))));
    Run boxes = map("--inverse", "@sim3", "@boxes", "--out", "@boxed");
    assertThat(boxes.code()).as(boxes.out()).isZero();
    JsonNode found = Json.mapper().readTree(folder.resolve("boxed/chair.json").toFile());
    assertThat(found.get("boxes").get(0).get("corners")).hasSize(8);
    double mean = 0;
    for (int i = 0; i < x.size(); i++) {
      mean += x.coordinates()[3 * i] / x.size();
    }
    assertThat(found.get("points").get(0).get(0).asDouble()).isCloseTo(mean, within(1e-5));
  }

  /** A survey in UTM coordinates: clear, and back to a hundredth of a millimetre. */
  @Test
  void surveysFarAwayKeepTheirShape() throws IOException {
    double[] utm = {500_000, 5_400_000, 300};
    SplittableRandom random = new SplittableRandom(4);
    StringBuilder near = new StringBuilder();
    StringBuilder far = new StringBuilder();
    double[] points = new double[600];
    for (int i = 0; i < points.length; i++) {
      double u = random.nextDouble();
      double local = Math.rint(1e4 * u * u * new double[] {90, 40, 7}[i % 3]) / 1e4;
      points[i] = utm[i % 3] + local;
      String end = i % 3 == 2 ? "\n" : " ";
      near.append(local).append(end);
      far.append(points[i]).append(end);
    }
    Files.createDirectories(folder.resolve("in"));
    Files.writeString(folder.resolve("in/near.xyz"), near);
    Files.writeString(folder.resolve("in/far.xyz"), far);
    Run run = map("@in", "--out", "@out", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode files = json(run).get("files");
    for (JsonNode file : files) {
      assertThat(file.get("ambiguous").asBoolean()).as(file.toString()).isFalse();
    }
    PointCloud a = CloudFiles.read(folder.resolve("out/near.xyz"));
    PointCloud b = CloudFiles.read(folder.resolve("out/far.xyz"));
    assertThat(a.relativeDistance(b)).isLessThan(1e-5);
    // The element is for the coordinates of the file.
    JsonNode g = files.get(0);
    for (int j = 0; j < 3; j++) {
      double y = g.get("translation").get(j).asDouble();
      for (int k = 0; k < 3; k++) {
        y += g.get("scale").asDouble() * g.get("rotation").get(j).get(k).asDouble() * points[k];
      }
      assertThat(y).isCloseTo(b.coordinates()[j], within(1e-5));
    }
    assertThat(map("--inverse", "@out", "--out", "@back").code()).isZero();
    PlacedMesh back = CloudFiles.readPlaced(folder.resolve("back/far.xyz")).get(0);
    for (int i = 0; i < points.length; i++) {
      assertThat(back.at(i)).isCloseTo(points[i], within(2e-5));
    }
    // Stored as floats, or under a group that does not move, it is said to be too coarse.
    float[] coarse = new float[points.length];
    for (int i = 0; i < coarse.length; i++) {
      coarse[i] = (float) points[i];
    }
    CloudFiles.write(folder.resolve("floats.ply"), new PointCloud(3, coarse));
    Run floats = map("@floats.ply", "--out", "@f");
    assertThat(floats.out()).contains("too far from 0 for floats").doesNotContain("Infinity");
    Run still = map("@in/far.xyz", "--out", "@s", "--group", "so3");
    assertThat(still.out()).contains("a group that does, such as se3").doesNotContain("Infinity");
  }

  @Test
  void badResultsAreNamed() throws IOException {
    ImageFiles.writePng(folder.resolve("in/p.png"), photograph(20, 30, 1));
    assertThat(map("@in", "--out", "@out").code()).isZero();
    Files.writeString(folder.resolve("none.jsonl"), "{}\nnonsense\n");
    assertThat(map("--inverse", "@none.jsonl", "--out", "@x").err()).contains("no results in");
    assertThat(map("--inverse", "@missing", "--out", "@x").err()).contains("missing");
    ImageFiles.writePng(folder.resolve("small/p.png"), photograph(10, 10, 1));
    Run small = map("--inverse", "@out", "@small", "--out", "@x");
    assertThat(small.code()).isEqualTo(2);
    assertThat(small.out()).contains("expected 20 x 30 pixels, found 10 x 10");
    ImageFiles.writePng(folder.resolve("stranger/q.png"), photograph(10, 10, 1));
    Run stranger = map("--inverse", "@out", "@stranger/q.png", "--out", "@x");
    assertThat(stranger.code()).isEqualTo(2);
    assertThat(stranger.out()).contains("expected a file that the manifest names");
    Files.createDirectories(folder.resolve("json"));
    for (String text : List.of("", "[]", "{}", "{\"boxes\": 3}", "{\"boxes\": [{\"left\": 1}]}")) {
      Files.writeString(folder.resolve("json/p.json"), text);
      Run json = map("--inverse", "@out", "@json", "--out", "@x");
      assertThat(json.code()).as(text).isEqualTo(2);
      assertThat(json.out()).as(text).contains("p.json: expected", "found");
    }
    assertThat(folder.resolve("x")).doesNotExist();
    assertThat(map("@in", "--out", "@y", "--canvas", "grow", "--fill", "reflect").err())
        .contains("--canvas grow: expected --fill zero or a number");
    assertThat(map("@in", "--out", "@y", "--canvas", "grow", "--group", "sim2").err())
        .contains("--canvas grow: expected --group so2, o2 or c4");
  }
}
