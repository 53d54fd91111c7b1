package org.orbitmap.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainConfigTest {
  @TempDir Path folder;

  @Test
  void everyPresetSurvivesItsYaml() throws IOException {
    Path file = folder.resolve("c.yaml");
    for (var e : Presets.all().entrySet()) {
      Files.writeString(file, e.getValue().toYaml());
      assertThat(TrainConfig.read(file)).as(e.getKey()).isEqualTo(e.getValue());
    }
    assertThat(Presets.named("cifar10-convnet-ra-disc").mapping().rule()).isEqualTo("disc");
    assertThat(Presets.named("cifar10-convnet-ra-disc").scheme()).isEqualTo("ra");
    assertThat(Presets.named("cifar10-resnet18").optimiser().rate()).isEqualTo(0.1);
  }

  @Test
  void missingValuesKeepTheirDefaults() throws IOException {
    Path file = folder.resolve("c.yaml");
    Files.writeString(file, "epochs: 3\nmapping:\n  when: test\n");
    TrainConfig c = TrainConfig.read(file);
    assertThat(c.epochs()).isEqualTo(3);
    assertThat(c.mapping().when()).isEqualTo("test");
    assertThat(c.batch()).isEqualTo(TrainConfig.defaults().batch());
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    Path file = folder.resolve("c.yaml");
    for (String[] wrong :
        new String[][] {
          {"epoch: 3", "epoch"},
          {"epochs: none", "epochs"},
          {"epochs: 0", "epochs >= 1"},
          {"scheme: adv", "found adv"},
          {"mapping:\n  when: always", "found always"},
          {"optimiser:\n  rate: -1", "rate > 0"},
          {"a: [", "YAML"},
          {"- 1", "keys and values"},
        }) {
      Files.writeString(file, wrong[0]);
      assertThatThrownBy(() -> TrainConfig.read(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("c.yaml: expected")
          .hasMessageContaining(wrong[1]);
    }
    assertThatThrownBy(() -> TrainConfig.defaults().with("epoch", 1))
        .hasMessageContaining("found epoch");
    assertThatThrownBy(() -> Presets.named("nope")).hasMessageContaining("glyphs-convnet");
  }

  @Test
  void tablesAreComplete() {
    for (String name : Tables.NAMES) {
      for (String scale : new String[] {"cpu", "paper"}) {
        if (name.equals("cub200") && scale.equals("cpu")) {
          assertThatThrownBy(() -> Tables.named(name, scale)).hasMessageContaining("--scale paper");
          continue;
        }
        Reproduction.Table t = Tables.named(name, scale);
        assertThat(t.rows()).isNotEmpty();
        assertThat(t.rows().stream().map(Reproduction.Row::id)).doesNotHaveDuplicates();
        assertThat(t.rows().stream().anyMatch(r -> r.paper().length == 7)).isTrue();
        for (Reproduction.Row r : t.rows()) {
          boolean mapped = r.train().mapping().when().equals("train+test");
          assertThat(mapped).isEqualTo(r.when().equals("train+test"));
        }
      }
    }
  }
}
