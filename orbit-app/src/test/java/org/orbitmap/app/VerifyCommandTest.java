package org.orbitmap.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.orbitmap.app.option.Json;

class VerifyCommandTest {
  @Test
  void everyLawHoldsAndEveryMutantIsCaught() throws IOException {
    Run run = Run.orbit("verify", "--json", "--trials", "40");
    assertThat(run.code()).as(run.out()).isZero();
    JsonNode report = Json.mapper().readTree(run.out());
    assertThat(report.get("laws").asInt()).isGreaterThan(150);
    assertThat(report.get("violations").asInt(-1)).isZero();
    assertThat(report.get("mutants").asInt()).isGreaterThan(30);
    assertThat(report.get("mutantsCaught").asInt()).isEqualTo(report.get("mutants").asInt());
    assertThat(report.get("worstError").asDouble(1)).isBetween(0.0, 1e-3);
    assertThat(report.get("results")).hasSize(report.get("laws").asInt());
  }

  /** One trial is too few to catch every mutant, and the command says so. */
  @Test
  void aMissedMutantFails() {
    Run run = Run.orbit("verify", "--trials", "1", "-q");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).contains("MISSED");
  }

  @Test
  void badInput() {
    assertThat(Run.orbit("verify", "--trials", "0").code()).isEqualTo(2);
    assertThat(Run.orbit("verify", "--trials", "many").code()).isEqualTo(2);
  }
}
