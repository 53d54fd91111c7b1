package org.orbitmap.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.image.ImageFiles;

/** A command that goes on holds; one that begins something else when it goes on does not. */
class KillSoakTest {
  private static SoakTarget.Result killed(boolean same) throws Exception {
    KillSoak.Jobs jobs =
        folder -> {
          Path images = Files.createDirectories(folder.resolve("images"));
          for (int i = 0; i < 20; i++) {
            ImageFiles.writePng(images.resolve(i + ".png"), SampleDrawings.image(i, 3, 40, 40));
          }
          int[] calls = new int[1];
          return List.of(
              new KilledJob(
                  "map",
                  Pattern.compile(".*\\.png"),
                  out ->
                      List.of(
                          "map",
                          images.toString(),
                          "--out",
                          out.toString(),
                          "-q",
                          "--interpolation",
                          same || calls[0]++ == 0 ? "bilinear" : "nearest")));
        };
    List<String> kept = new ArrayList<>();
    SoakTarget.Result result =
        new KillSoak(jobs).run(2, 1, Progress.OFF, soFar -> kept.add(soFar.toString()));
    assertThat(kept).as("what came of each command").containsExactly(result.toString());
    return result;
  }

  @Test
  void whatGoesOnHolds() throws Exception {
    SoakTarget.Result result = killed(true);
    assertThat(result.broken()).isEmpty();
    assertThat(result.figures().get("commands").toString()).contains("kills=2");
  }

  @Test
  void otherBitsAreTold() throws Exception {
    assertThat(killed(false).broken()).isNotEmpty().allMatch(b -> b.contains("map"));
  }
}
