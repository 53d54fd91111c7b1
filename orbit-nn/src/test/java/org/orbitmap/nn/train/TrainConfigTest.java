package org.orbitmap.nn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.nn.model.MappingConfig;

class TrainConfigTest {
  @TempDir Path folder;

  @Test
  void missingValuesKeepTheirDefaults() throws IOException {
    Path file = folder.resolve("c.yaml");
    Files.writeString(file, "epochs: 3\nmapping:\n  when: test\n");
    TrainConfig c = TrainConfig.read(file);
    assertThat(c.epochs()).isEqualTo(3);
    assertThat(c.mapping().when()).isEqualTo(MappingConfig.Use.TEST);
    assertThat(c.batch()).isEqualTo(TrainConfig.defaults().batch());
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    Path file = folder.resolve("c.yaml");
    for (String[] wrong :
        new String[][] {
          {"epoch: 3", "expected one of the keys data, size, points, limit"},
          {"epoch: 3", "found epoch"},
          {"mapping:\n  wen: test", "mapping: expected one of the keys when, rule"},
          {"epochs: none", "epochs: expected a whole number, found none"},
          {"epochs: 2.7", "epochs: expected a whole number, found 2.7"},
          {"epochs: 99999999999", "epochs: expected a whole number, found 99999999999"},
          {"epochs: [1]", "epochs: expected a whole number, found a list"},
          {"epochs: 0", "epochs >= 1"},
          {"epochs: 1\nepochs: 2", "line 2: Duplicate field 'epochs'"},
          {"validation: NaN", "validation: expected a number, found NaN"},
          {"oversample: 1", "oversample: expected true or false, found 1"},
          {
            "network: null",
            "network: expected the keys name, width-factor, ti-pooling, options, found nothing"
          },
          {
            "network: convnet",
            "network: expected the keys name, width-factor, ti-pooling, options, found convnet"
          },
          {"network:\n  name: ~", "network.name: expected a text, found nothing"},
          {"mapping: ~", "mapping: expected the keys when"},
          {"data: null", "data: expected a text, found nothing"},
          {"data:", "data: expected a text, found nothing"},
          {"data: ''", "data: expected a text, found nothing"},
          {"data: {a: 1, b: 2}", "data: expected a text, found the keys a, b"},
          {"schedule: {kind: null}", "schedule.kind: expected a text, found nothing"},
          {"schedule: {kind: often}", "schedule.kind: expected one of [constant, plateau"},
          {"scheme: advanced", "found advanced"},
          {"attack:\n  candidates: 0", "attack.candidates: expected 1 or more"},
          {"attack:\n  kl: -1", "attack: expected weights"},
          {"mapping:\n  when: always", "found always"},
          {"optimiser:\n  rate: -1", "rate > 0"},
          {"keep: last\nvalidation: 0", "schedule.kind: expected another than plateau"},
          {"a: [", "YAML"},
          {"- 1", "keys and values"},
          {"", "keys and values"},
        }) {
      Files.writeString(file, wrong[0]);
      assertThatThrownBy(() -> TrainConfig.read(file))
          .as(wrong[0])
          .isInstanceOfAny(FormatException.class, UserError.class)
          .hasMessageStartingWith(file + ": ")
          .hasMessageContaining(wrong[1])
          .hasMessageNotContainingAny("com.fasterxml", "org.orbitmap", "\n");
    }
    Files.write(file, new byte[] {(byte) 0x89, 'P', 'N', 'G'});
    assertThatThrownBy(() -> TrainConfig.read(file)).hasMessageContaining("no text");
    assertThatThrownBy(() -> TrainConfig.read(folder)).hasMessageContaining("found a folder");
    assertThatThrownBy(() -> TrainConfig.defaults().changed(Map.of("epoch", "1")))
        .hasMessageContaining("found epoch");
    assertThatThrownBy(() -> TrainConfig.defaults().changed(Map.of("epochs.x", "1")))
        .hasMessageContaining("epochs: expected a whole number, found the keys x");
    assertThatThrownBy(() -> TrainConfig.defaults().changed(Map.of("mapping", "disc")))
        .hasMessageContaining("mapping: expected the keys when");
  }

  /** Neither of two changes has to make sense alone, and numbers may be text. */
  @Test
  void changesAreMadeTogether() {
    TrainConfig c =
        TrainConfig.glyphs()
            .changed(
                Map.of(
                    "validation",
                    "0",
                    "keep",
                    "last",
                    "optimiser.rate",
                    "1e-2",
                    "mapping.fill",
                    "0"));
    assertThat(c.validation()).isZero();
    assertThat(c.optimiser().rate()).isEqualTo(0.01);
    assertThatThrownBy(() -> TrainConfig.glyphs().changed(Map.of("validation", "0")))
        .hasMessage("keep: expected last, found best without validation inputs");
  }

  /** Only some networks have options, so any may be given; they survive the file. */
  @Test
  void networksMayHaveOptions() throws IOException {
    TrainConfig c = TrainConfig.glyphs().changed(Map.of("network.options.order", "8"));
    assertThat(c.network().options()).containsExactly(Map.entry("order", "8"));
    Path file = Files.writeString(folder.resolve("c.yaml"), c.toYaml());
    assertThat(TrainConfig.read(file)).isEqualTo(c);
    assertThat(c.toYaml()).contains("when: none").contains("kind: adam").contains("fill: zero");
  }
}
