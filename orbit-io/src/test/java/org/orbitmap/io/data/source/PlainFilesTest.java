package org.orbitmap.io.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.eval.Labelled;
import org.orbitmap.image.Image;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.CloudSet;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.image.ImageFiles;

class PlainFilesTest {
  @TempDir Path folder;

  @Test
  void imagesOfMixedSizesAreFittedAndHaveNoLabels() throws IOException {
    ImageFiles.writePng(folder.resolve("b.png"), Image.black(3, 9, 20));
    ImageFiles.writePng(folder.resolve("a.png"), Image.black(1, 6, 4));
    Files.writeString(folder.resolve("c.md"), "no image");
    assertThat(PlainFiles.areImages(folder)).isTrue();
    assertThat(PlainFiles.areClouds(folder)).isFalse();
    ImageSet set = PlainFiles.images(folder, Choice.ALL.withSize(4, 6));
    assertThat(set.size()).isEqualTo(2);
    assertThat(set.shape().axes()).containsExactly(3, 4, 6);
    assertThat(set.labelled()).isFalse();
    assertThat(set.items()).extracting(Labelled::label).containsOnly(Labelled.UNKNOWN);
    assertThat(set.counts()).isEmpty();
    assertThat(set.withChannels(1).shape().axes()).containsExactly(1, 4, 6);
    assertThat(PlainFiles.images(folder, Choice.ALL.withSide(4).withLimit(1)).size()).isEqualTo(1);
    assertThat(PlainFiles.images(folder.resolve("a.png"), Choice.ALL).height()).isEqualTo(6);
    assertThatThrownBy(() -> PlainFiles.images(folder, Choice.ALL))
        .hasMessageContaining("4 x 6 pixels as in");
    assertThatThrownBy(() -> PlainFiles.clouds(folder, Choice.ALL))
        .hasMessageContaining("clouds or meshes in one folder");
  }

  @Test
  void cloudsHaveNoLabels() throws IOException {
    for (int i = 0; i < 3; i++) {
      CloudFiles.write(folder.resolve(i + ".ply"), new PointCloud(3, new float[3 * (4 + i)]));
    }
    CloudSet set = PlainFiles.clouds(folder, Choice.ALL.withPoints(4));
    assertThat(set.size()).isEqualTo(3);
    assertThat(set.points()).isEqualTo(4);
    assertThat(set.labelled()).isFalse();
    assertThatThrownBy(() -> PlainFiles.clouds(folder, Choice.ALL))
        .hasMessageContaining("Give the number of points");
  }

  /** A folder for each class is a data set with labels, and no plain folder. */
  @Test
  void foldersOfClassesAreNotPlain() throws IOException {
    ImageFiles.writePng(folder.resolve("cat/1.png"), Image.black(1, 4, 4));
    ImageFiles.writePng(folder.resolve("dog/1.png"), Image.black(1, 4, 4));
    ImageFiles.writePng(folder.resolve("stray.png"), Image.black(1, 4, 4));
    assertThat(PlainFiles.areImages(folder)).isFalse();
  }

  @Test
  void labelsAreChanged() {
    byte[][] pixels = {new byte[4], new byte[4], new byte[4]};
    ImageSet set = new ImageSet("s", List.of("a", "b"), 1, 2, 2, pixels, new int[] {0, 1, 1});
    DataSet<Image> other = set.labelled(List.of("x", "b", "a"), new int[] {2, 1, 1});
    assertThat(other.label(0)).isEqualTo(2);
    assertThat(other.subset(new int[] {2, 0}).label(1)).isEqualTo(2);
    assertThat(other.counts()).containsExactly(0, 2, 1);
    assertThat(other.digest()).isNotEqualTo(set.digest());
    assertThat(set.unlabelled().labelled()).isFalse();
    assertThat(set.unlabelled().label(1)).isEqualTo(Labelled.UNKNOWN);
    assertThatThrownBy(() -> set.labelled(List.of("x"), new int[] {0, 1, 0}))
        .hasMessageContaining("labels in 0..0, found 1");
    assertThatThrownBy(() -> set.labelled(List.of("x"), new int[1]))
        .hasMessageContaining("expected 3 labels, found 1");
    assertThatThrownBy(() -> new ImageSet("s", List.of(), 1, 2, 2, pixels, new int[3]))
        .hasMessageContaining("found 0 at image 0");
    assertThatThrownBy(() -> Choice.ALL.withSize(3, 0)).hasMessageContaining("found 3 x 0");
  }
}
