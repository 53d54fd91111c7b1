package org.orbitmap.nn.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MethodBenchTest {
  /** Every method takes a step and answers; how fast is for the command to say. */
  @Test
  void allMethodsAreMeasured() {
    List<Long> told = new ArrayList<>();
    List<MethodBench.Cost> costs =
        MethodBench.run("convnet", 0.0625, 2, 1, (done, total) -> told.add(total - done));
    assertThat(costs.stream().map(MethodBench.Cost::method))
        .containsExactly(
            "std",
            "om",
            "stn",
            "etn",
            "canonicaliser",
            "augerino",
            "tipool",
            "adv",
            "mixed",
            "adv-kl",
            "adv-alp");
    assertThat(costs).allMatch(c -> c.stepSeconds() > 0 && c.inferenceSeconds() > 0);
    assertThat(told).last().isEqualTo(0L);
  }
}
