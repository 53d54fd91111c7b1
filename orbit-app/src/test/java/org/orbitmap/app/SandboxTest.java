package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.soak.HostileModels;
import org.orbitmap.io.image.ImageFiles;

/** Models that are kept apart: the same answers, and no harm. */
class SandboxTest {
  @TempDir Path folder;

  private Path model(byte[] bytes) throws Exception {
    return Files.write(folder.resolve("model.onnx"), bytes);
  }

  @Test
  void inspectionRunsAModelOnceKeptApart() throws Exception {
    Path model = model(HostileModels.harmless());
    Run run = Run.orbit("inspect", model.toString(), "--sandbox", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode sandbox = Json.mapper().readTree(run.out()).get("sandbox");
    assertThat(sandbox.get("runs").booleanValue()).isTrue();
    assertThat(sandbox.get("enforced")).isNotEmpty();
    model(HostileModels.all().get("4 TB"));
    Run hostile = Run.orbit("inspect", model.toString(), "--sandbox", "--json");
    assertThat(hostile.code()).as(hostile.err()).isZero();
    assertThat(Json.mapper().readTree(hostile.out()).at("/sandbox/runs").booleanValue()).isFalse();
    assertThat(Run.orbit("inspect", model.toString(), "--json").out()).doesNotContain("sandbox");
  }

  @Test
  void wrappingAndAuditingGiveTheSame() throws Exception {
    String model = model(HostileModels.harmless()).toString();
    Path images = Files.createDirectory(folder.resolve("images"));
    for (int i = 0; i < 3; i++) {
      Files.write(
          images.resolve(i + ".png"), ImageFiles.png(SampleDrawings.image(1000 + i, 1, 8, 8)));
    }
    List<byte[]> wrapped = new ArrayList<>();
    List<JsonNode> audited = new ArrayList<>();
    for (List<String> how : List.of(List.<String>of(), List.of("--sandbox"))) {
      Path out = folder.resolve("out" + how.size() + ".onnx");
      Run wrap = orbit(how, "wrap", model, "--out", out.toString(), "--frames", "2", "--json");
      assertThat(wrap.code()).as(wrap.err()).isZero();
      wrapped.add(Files.readAllBytes(out));
      Run audit = orbit(how, "audit", model, "--data", images.toString(), "--step", "90", "--json");
      assertThat(audit.code()).as(audit.err()).isZero();
      audited.add(Json.mapper().readTree(audit.out()).get("sweeps"));
    }
    assertThat(wrapped.get(1)).isEqualTo(wrapped.get(0));
    assertThat(audited.get(1)).isNotEmpty().isEqualTo(audited.get(0));
  }

  private static Run orbit(List<String> how, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(how);
    return Run.orbit(all.toArray(String[]::new));
  }

  @Test
  void onlyOnnxFilesAreKeptApart() {
    Run run = Run.orbit("inspect", folder.toString(), "--sandbox");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--sandbox: expected an ONNX file");
  }
}
