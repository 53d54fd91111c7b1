package org.orbitmap.nn;

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
          {"epoch: 3", "expected one of the keys data, size, limit"},
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
          {"network: null", "network: expected the keys kind, width, ti-pooling, found nothing"},
          {"network: convnet", "network: expected the keys kind, width, ti-pooling, found convnet"},
          {"network:\n  kind: ~", "network.kind: expected a text, found nothing"},
          {"mapping: ~", "mapping: expected the keys when"},
          {"data: null", "data: expected a text, found nothing"},
          {"data:", "data: expected a text, found nothing"},
          {"data: ''", "data: expected a text, found nothing"},
          {"data: {a: 1, b: 2}", "data: expected a text, found the keys a, b"},
          {"schedule: {kind: null}", "schedule.kind: expected a text, found nothing"},
          {"schedule: {kind: often}", "schedule.kind: expected one of [constant, plateau"},
          {"scheme: adv", "found adv"},
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
    assertThatThrownBy(() -> TrainConfig.defaults().with("epoch", 1))
        .hasMessageContaining("found epoch");
    assertThatThrownBy(() -> TrainConfig.defaults().with("epochs.x", 1))
        .hasMessageContaining("epochs: expected a whole number, found the keys x");
    assertThatThrownBy(() -> TrainConfig.defaults().with("mapping", "disc"))
        .hasMessageContaining("mapping: expected the keys when");
    assertThatThrownBy(() -> Presets.named("nope")).hasMessageContaining("glyphs-convnet");
  }

  /** Neither of two changes has to make sense alone, and numbers may be text. */
  @Test
  void changesAreMadeTogether() {
    TrainConfig c =
        Presets.glyphs()
            .with(
                Map.of(
                    "validation",
                    "0",
                    "keep",
                    "last",
                    "optimiser.rate",
                    "1e-2",
                    "mapping.fill",
                    0));
    assertThat(c.validation()).isZero();
    assertThat(c.optimiser().rate()).isEqualTo(0.01);
    assertThatThrownBy(() -> Presets.glyphs().with("validation", 0))
        .hasMessage("keep: expected last, found best without validation pictures");
  }

  /** Appendix E at paper scale; the small table keeps what its results were computed with. */
  @Test
  void ham10000FollowsThePaper() {
    TrainConfig paper = Tables.named("ham10000", "paper").rows().get(0).train();
    assertThat(paper.epochs()).isEqualTo(5);
    assertThat(paper.batch()).isEqualTo(128);
    assertThat(paper.optimiser()).isEqualTo(new TrainConfig.Method("adam", 1e-4, 0.9, 5e-4));
    assertThat(paper.schedule().factor()).isEqualTo(0.2);
    assertThat(paper.augmentation()).isEqualTo(new Augmentation(0, true, true, 0.2));
    TrainConfig small = Tables.named("ham10000", "cpu").rows().get(0).train();
    assertThat(small.epochs()).isEqualTo(4);
    assertThat(small.optimiser()).isEqualTo(new TrainConfig.Method("adam", 1e-3, 0.9, 0));
    assertThat(small.schedule().factor()).isEqualTo(0.5);
    assertThat(small.augmentation()).isEqualTo(new Augmentation(0, true, false, 0.2));
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
