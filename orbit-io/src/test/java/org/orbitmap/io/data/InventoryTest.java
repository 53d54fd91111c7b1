package org.orbitmap.io.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.image.Image;
import org.orbitmap.io.image.ImageFiles;

/** A digest changes with everything that it stands for; and sets that others are made of. */
class InventoryTest {
  @TempDir Path folder;

  private static ImageSet set() {
    return new ImageSet(
        "three",
        List.of("a", "b", "none"),
        2,
        1,
        2,
        new byte[][] {{0, 51, 102, (byte) 255}, {1, 2, 3, 4}, {5, 6, 7, 8}},
        new int[] {0, 1, 1});
  }

  private static Inventory.Item item(String shape, float... numbers) {
    return Inventory.Item.of(shape, numbers.length, numbers);
  }

  private static Inventory inventory(
      List<String> classes, int label, Inventory.Item first, Inventory.Item second)
      throws IOException {
    return Inventory.of(
        "files",
        "images of %s",
        classes,
        List.of(
            new LabelledFiles.Entry(Path.of("1"), 0), new LabelledFiles.Entry(Path.of("2"), label)),
        file -> file.toString().equals("1") ? first : second);
  }

  @Test
  void aDigestChangesWithAllThatItStandsFor() throws IOException {
    List<String> classes = List.of("a", "b", "c");
    Inventory.Item small = item("1 x 1 x 2", 1, 2);
    Inventory.Item large = item("1 x 1 x 3", 1, 2, 3);
    Inventory of = inventory(classes, 1, small, large);
    assertThat(of.items()).isEqualTo(2);
    assertThat(of.shape()).isEqualTo("images of 1 x 1 x 2 to 1 x 1 x 3");
    assertThat(of.oneSize()).isFalse();
    assertThat(of.classes()).isEqualTo(Map.of("a", 1, "b", 1, "c", 0));
    assertThat(inventory(classes, 1, small, large)).isEqualTo(of);
    Inventory same = inventory(classes, 1, small, small);
    assertThat(same.shape()).isEqualTo("images of 1 x 1 x 2");
    assertThat(same.oneSize()).isTrue();
    for (Inventory other :
        List.of(
            same,
            inventory(classes, 2, small, large),
            inventory(classes, 1, large, small),
            inventory(List.of("a", "b", "d"), 1, small, large),
            inventory(classes, 1, item("1 x 2 x 1", 1, 2), large),
            inventory(classes, 1, item("1 x 1 x 2", 1, 3), large))) {
      assertThat(other.sha256()).isNotEqualTo(of.sha256());
    }
  }

  @Test
  void aSetCountsItsClasses() {
    Inventory of = Inventory.of(set());
    assertThat(of.classes()).isEqualTo(Map.of("a", 1, "b", 2, "none", 0));
    assertThat(of.name()).isEqualTo("three");
    assertThat(of.items()).isEqualTo(3);
    assertThat(of.sha256()).isEqualTo(set().digest());
    assertThat(of.oneSize()).isTrue();
  }

  @Test
  void statisticsAreOverAllPixels() {
    ChannelStatistics s = ChannelStatistics.of(set(), new int[] {0});
    assertThat(s.mean()).containsExactly(0.1f, 0.7f);
    assertThat(s.std()).containsExactly(0.1f, 0.3f);
  }

  @Test
  void otherLabelsForTheSameInputs() {
    DataSet<Image> set = new Relabelled<>(set(), List.of("x", "y"), new int[] {1, 0, 1});
    assertThat(set.name()).isEqualTo("three");
    assertThat(set.size()).isEqualTo(3);
    assertThat(set.shape()).isEqualTo(set().shape());
    assertThat(set.input(2)).isEqualTo(set().input(2));
    assertThat(set.label(0)).isEqualTo(1);
    DataSet<Image> part = set.subset(new int[] {2, 1});
    assertThat(part.label(0)).isEqualTo(1);
    assertThat(part.label(1)).isZero();
    assertThat(part.input(1)).isEqualTo(set().input(1));
    String digest = set.digest();
    assertThat(new Relabelled<>(set(), List.of("x", "y"), new int[] {1, 0, 1}).digest())
        .isEqualTo(digest);
    assertThat(new Relabelled<>(set(), List.of("x", "z"), new int[] {1, 0, 1}).digest())
        .isNotEqualTo(digest);
    assertThat(new Relabelled<>(set(), List.of("x", "y"), new int[] {1, 1, 1}).digest())
        .isNotEqualTo(digest);
    assertThatThrownBy(() -> new Relabelled<>(set(), List.of("x"), new int[2]))
        .hasMessageContaining("expected 3 labels, found 2");
    assertThatThrownBy(() -> new Relabelled<>(set(), List.of("x"), new int[] {0, 1, 0}))
        .hasMessageContaining("labels in 0..0, found 1");
    assertThatThrownBy(() -> new Relabelled<>(set(), List.of("x"), new int[] {0, -1, 0}))
        .hasMessageContaining("found -1");
  }

  @Test
  void plainImagesKeepTheirProportions() throws IOException {
    assertThatThrownBy(() -> PlainImages.read(folder, 8, 0)).hasMessageContaining("found none");
    Image wide = Image.black(1, 6, 20);
    Image line = Image.black(1, 1, 40);
    Image small = Image.black(3, 8, 5);
    small.data()[7] = 1;
    Files.write(folder.resolve("1.png"), ImageFiles.png(wide));
    Files.write(folder.resolve("2.png"), ImageFiles.png(line));
    Files.write(folder.resolve("3.png"), ImageFiles.png(small));
    Files.writeString(folder.resolve("readme.txt"), "no image");
    PlainImages all = PlainImages.read(folder, 8, 0);
    assertThat(all.files()).hasSize(3);
    assertThat(all.scaled()).isEqualTo(2);
    assertThat(all.images().get(0).height()).isEqualTo(2);
    assertThat(all.images().get(0).width()).isEqualTo(8);
    assertThat(all.images().get(1).height()).isEqualTo(1);
    assertThat(all.images().get(1).width()).isEqualTo(8);
    assertThat(all.images().get(2)).isEqualTo(small);
    PlainImages two = PlainImages.read(folder, 8, 2);
    assertThat(two.files())
        .extracting(f -> f.getFileName().toString())
        .containsExactly("1.png", "2.png");
    assertThat(PlainImages.read(folder, 8, 9).files()).hasSize(3);
    assertThat(all.digest()).isEqualTo(PlainImages.read(folder, 8, 0).digest());
    assertThat(all.digest()).isNotEqualTo(two.digest()).hasSize(64);
    small.data()[7] = 0;
    Files.write(folder.resolve("3.png"), ImageFiles.png(small));
    assertThat(PlainImages.read(folder, 8, 0).digest()).isNotEqualTo(all.digest());
  }
}
