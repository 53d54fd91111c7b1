package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.app.option.Json;

/** A little strain, to see that the strain itself works. */
class SoakCommandTest {
  @TempDir Path folder;

  @Test
  void aServerHoldsAndTheResultSaysWhereItComesFrom() throws Exception {
    Run run =
        Run.orbit("soak", "server", "--count", "40", "--json", "-q", "--out", folder.toString());
    assertThat(run.code()).as(run.err()).isZero();
    JsonNode report = Json.mapper().readTree(run.out());
    assertThat(report.get("held").booleanValue()).isTrue();
    assertThat(report.at("/figures/requests").intValue()).isEqualTo(40);
    assertThat(report.at("/figures/serverErrors").intValue()).isZero();
    assertThat(report.get("finished").booleanValue()).isTrue();
    assertThat(Json.mapper().readTree(folder.resolve("soak-server.json").toFile()))
        .isEqualTo(report);
  }

  @Test
  void everyReaderReadsOrRefuses() throws Exception {
    Run run = Run.orbit("soak", "readers", "--count", "60", "--json", "-q");
    assertThat(run.code()).as(run.out() + run.err()).isZero();
    JsonNode readers = Json.mapper().readTree(run.out()).at("/figures/readers");
    assertThat(readers.size()).isGreaterThan(25);
    for (JsonNode reader : readers) {
      assertThat(reader.get("faults").intValue()).isZero();
      assertThat(reader.get("read").intValue() + reader.get("refused").intValue())
          .isEqualTo(reader.get("files").intValue());
    }
    assertThat(readers.at("/ply/refused").intValue()).isBetween(1, 59);
    assertThat(readers.at("/onnx/refused").intValue()).isBetween(1, 59);
  }

  @Test
  void unknownTargetsAreNamed() {
    Run run = Run.orbit("soak", "moon");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("server").contains("connections").contains("moon");
  }
}
