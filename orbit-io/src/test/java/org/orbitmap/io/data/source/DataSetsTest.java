package org.orbitmap.io.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.image.Image;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataNotFound;
import org.orbitmap.io.data.IdxFiles;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.LabelledFiles;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.io.image.ImageFit;

class DataSetsTest {
  @TempDir Path folder;

  private static Image flat(int side, float value) {
    Image image = Image.black(3, side, side);
    Arrays.fill(image.data(), value);
    return image;
  }

  private void image(String name, int side, float value) throws IOException {
    ImageFiles.writePng(folder.resolve(name), flat(side, value));
  }

  private static Choice side(int side) {
    return Choice.ALL.withSide(side);
  }

  @Test
  void glyphsAreSeededAndBalanced() {
    ImageSet a = Glyphs.generate(160, 5);
    assertThat(a.digest()).isEqualTo(Glyphs.generate(160, 5).digest());
    assertThat(a.digest()).isNotEqualTo(Glyphs.generate(160, 6).digest());
    assertThat(a.counts()).containsOnly(10);
    for (int i = 0; i < a.size(); i++) {
      double ink = 0;
      for (float v : a.image(i).data()) {
        ink += v;
      }
      // A sign covers part of the image, neither nothing nor everything.
      assertThat(ink / (28 * 28)).as(a.classes().get(a.labels()[i])).isBetween(0.03, 0.4);
    }
  }

  @Test
  void readsFoldersOfClassesWithTheirSplit() throws IOException {
    for (int i = 0; i < 3; i++) {
      image("set/train/cat/%d.png".formatted(i), 8, 0.2f);
      image("set/train/dog/%d.png".formatted(i), 8, 0.8f);
    }
    image("set/test/cat/x.png", 8, 0.2f);
    image("set/test/dog/x.png", 8, 0.8f);
    ImageSet train =
        DataSets.images(folder.resolve("set").toString(), null, Split.TRAIN, Choice.ALL);
    assertThat(train.classes()).containsExactly("cat", "dog");
    assertThat(train.counts()).containsExactly(3, 3);
    assertThat(
            DataSets.images(folder.resolve("set").toString(), null, Split.TEST, side(4)).height())
        .isEqualTo(4);
  }

  @Test
  void bothPartsHaveTheClassesOfTheTrainingPart() throws IOException {
    for (String c : new String[] {"ant", "bee", "cow"}) {
      image("set/train/%s/x.png".formatted(c), 8, 0.2f);
    }
    image("set/test/bee/x.png", 8, 0.2f);
    image("set/test/cow/x.png", 8, 0.2f);
    String set = folder.resolve("set").toString();
    ImageSet test = DataSets.images(set, null, Split.TEST, Choice.ALL);
    assertThat(test.classes()).containsExactly("ant", "bee", "cow");
    assertThat(test.labels()).containsExactly(1, 2);
    image("set/test/dog/x.png", 8, 0.2f);
    assertThatThrownBy(() -> DataSets.images(set, null, Split.TEST, Choice.ALL))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("dog: expected one of the classes [ant, bee, cow]");
  }

  @Test
  void saysWhatIsWrongWithFolders() throws IOException {
    image("set/cat/a.png", 8, 0.2f);
    String set = folder.resolve("set").toString();
    assertThatThrownBy(() -> DataSets.images(set, null, Split.TRAIN, Choice.ALL))
        .hasMessageContaining("one sub-folder of images for each class");
    Files.createDirectories(folder.resolve("set/dog"));
    assertThatThrownBy(() -> DataSets.images(set, null, Split.TRAIN, Choice.ALL))
        .hasMessageContaining("dog: expected at least one image");
    for (int i = 0; i < 9; i++) {
      image("set/cat/%d.png".formatted(i), 8, 0.2f);
      image("set/dog/%d.png".formatted(i), 9, 0.2f);
    }
    assertThatThrownBy(() -> DataSets.images(set, null, Split.TRAIN, Choice.ALL))
        .hasMessageContaining("expected 8 x 8 pixels")
        .hasMessageContaining("found 9 x 9");
    // With a size, all are scaled to it.
    assertThat(DataSets.images(set, null, Split.TRAIN, side(6)).height()).isEqualTo(6);
    assertThatThrownBy(() -> DataSets.images("cifar10", null, Split.TRAIN, Choice.ALL))
        .isInstanceOf(DataNotFound.class)
        .hasMessageContaining("cifar10: expected a folder of data sets, found none");
    assertThatThrownBy(() -> DataSets.images(folder + "/nothing", null, Split.TRAIN, Choice.ALL))
        .hasMessageContaining("nothing there");
  }

  @Test
  void aFolderOfDataSetsIsNone() throws IOException {
    image("root/signs/cat/a.png", 8, 0.2f);
    image("root/signs/dog/a.png", 8, 0.2f);
    Files.createDirectories(folder.resolve("root/mnist"));
    Path cifar = Files.createDirectories(folder.resolve("root/cifar10"));
    Files.write(cifar.resolve("test_batch.bin"), new byte[3073]);
    Path root = folder.resolve("root");
    assertThatThrownBy(() -> DataSets.load(root.toString(), null, Split.TEST, Choice.ALL))
        .hasMessageContaining("root: expected a data set")
        .hasMessageContaining("one sub-folder of images for each class")
        .hasMessageContaining("found none: 3 sub-folders");
    assertThat(DataSets.in(root)).containsExactly(cifar, root.resolve("signs"));
    assertThat(DataSets.in(cifar)).containsExactly(cifar);
    // Files that could be images or clouds of a class, but stand beside a data set.
    image("root/mnist/digits.png", 8, 0.2f);
    Files.writeString(cifar.resolve("batches.meta.txt"), "airplane");
    assertThat(DataSets.at(root)).isEmpty();
    // Named sets: in the root, or the root itself if it is that one.
    assertThat(DataSets.images("cifar10", root, Split.TEST, Choice.ALL).size()).isEqualTo(1);
    assertThat(DataSets.images("cifar10", cifar, Split.TEST, Choice.ALL).size()).isEqualTo(1);
    for (Path wrong : new Path[] {root, cifar, root.resolve("mnist")}) {
      for (String name : new String[] {"mnist", "cub200"}) {
        assertThatThrownBy(() -> DataSets.images(name, wrong, Split.TEST, Choice.ALL))
            .isInstanceOf(UserError.class)
            .hasMessageContaining(name + ": expected a data set, found no")
            .isInstanceOfSatisfying(
                DataNotFound.class, e -> assertThat(e.dataSet()).contains(name));
      }
    }
  }

  @Test
  void aFewImagesOfEveryClass() throws IOException {
    for (int i = 0; i < 5; i++) {
      image("set/ant/%d.png".formatted(i), 8, 0.1f * i);
      image("set/bee/%d.png".formatted(i), 8, 0.5f);
      image("set/cow/%d.png".formatted(i), 8, 0.9f);
    }
    Files.write(folder.resolve("set/cow/4.png"), new byte[] {1, 2, 3});
    String set = folder.resolve("set").toString();
    ImageSet seven = DataSets.images(set, null, Split.ALL, Choice.ALL.withLimit(7));
    assertThat(seven.labels()).containsExactly(0, 0, 0, 1, 1, 2, 2);
    assertThat(seven.image(2).at(0, 0, 0)).isCloseTo(0.2f, within(0.01f));
    assertThat(LabelledFiles.evenly(new int[] {2, 2, 2, 2, 0, 2}, 3)).containsExactly(0, 1, 4);
    // the damaged one counts only where it would be read
    Files.write(folder.resolve("set/ant/1.png"), new byte[0]);
    assertThatThrownBy(() -> DataSets.images(set, null, Split.ALL, Choice.ALL.withLimit(100)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2 of 15 files cannot be read")
        .hasMessageContaining("1.png")
        .hasMessageContaining("4.png");
  }

  @Test
  void squareAveragesTheCentre() {
    Image wide = Image.black(1, 4, 8);
    for (int y = 0; y < 4; y++) {
      for (int x = 2; x < 6; x++) {
        wide.data()[y * 8 + x] = x < 4 ? 1 : 0;
      }
    }
    assertThat(ImageFit.square(wide, 2)).isEqualTo(new Image(1, 2, 2, new float[] {1, 0, 1, 0}));
    assertThat(ImageFit.square(wide, 1).data()[0]).isEqualTo(0.5f);
    // Of other proportions: the two columns in the middle, then all of it.
    assertThat(ImageFit.fit(wide, 4, 2).data()).containsExactly(1, 0, 1, 0, 1, 0, 1, 0);
    assertThat(ImageFit.fit(wide, 1, 2)).isEqualTo(new Image(1, 1, 2, new float[] {.5f, 0}));
  }

  @Test
  void readsIdxAndChecksIt() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0x803);
    out.writeInt(2);
    out.writeInt(1);
    out.writeInt(2);
    out.write(new byte[] {0, -1, 5, 6});
    Path images = Files.write(folder.resolve("i"), bytes.toByteArray());
    Path labels = Files.write(folder.resolve("l"), new byte[] {0, 0, 8, 1, 0, 0, 0, 2, 1, 9});
    ImageSet set = IdxFiles.read("x", 10, images, labels);
    assertThat(set.labels()).containsExactly(1, 9);
    assertThat(set.image(0).data()).containsExactly(0, 1);
    Files.write(labels, new byte[] {0, 0, 8, 1, 0, 0, 0, 3, 1, 9, 1});
    assertThatThrownBy(() -> IdxFiles.read("x", 10, images, labels))
        .hasMessageContaining("expected 2 labels");
    Files.write(labels, new byte[] {0, 0, 8, 1, 0, 0, 0, 2, 1, 77});
    assertThatThrownBy(() -> IdxFiles.read("x", 10, images, labels))
        .hasMessageContaining("labels in 0..9, found 77");
    Files.write(images, new byte[] {1, 2});
    assertThatThrownBy(() -> IdxFiles.read("x", 10, images, labels))
        .hasMessageContaining("an IDX header");
  }

  @Test
  void aCutGzipFileIsNamed() throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(new byte[1000]);
    }
    for (int length : new int[] {2, 5, 10, zipped.size() - 3}) {
      Path file = folder.resolve("cut%d.gz".formatted(length));
      Files.write(file, Arrays.copyOf(zipped.toByteArray(), length));
      assertThatThrownBy(
              () -> {
                try (InputStream in = Gunzip.open(file)) {
                  in.readAllBytes();
                }
              })
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(file + ": expected a whole gzip file, found a cut or damaged one");
    }
  }

  @Test
  void readsThePublishedLayoutOfHam10000() throws IOException {
    StringBuilder csv = new StringBuilder("lesion_id,image_id,dx,age\n");
    for (int i = 0; i < 20; i++) {
      csv.append("HAM_%d,ISIC_%d,%s,\"1,5\"\n".formatted(i, i, i % 2 == 0 ? "nv" : "mel"));
      image("part_%d/ISIC_%d.png".formatted(i % 2, i), 10, 0.5f);
    }
    Files.writeString(folder.resolve("HAM10000_metadata.csv"), csv);
    ImageSet train = DataSets.images(folder.toString(), null, Split.TRAIN, side(5));
    ImageSet test = DataSets.images(folder.toString(), null, Split.TEST, side(5));
    assertThat(train.size() + test.size()).isEqualTo(20);
    assertThat(test.size()).isBetween(1, 9);
    assertThat(train.name()).isEqualTo("ham10000");
  }

  @Test
  void readsThePublishedLayoutOfCub200() throws IOException {
    Files.writeString(folder.resolve("images.txt"), "1 a/x.png\n2 b/y.png\n3 b/z.png\n");
    Files.writeString(folder.resolve("image_class_labels.txt"), "1 1\n2 2\n3 2\n");
    Files.writeString(folder.resolve("train_test_split.txt"), "1 1\n2 1\n3 0\n");
    Files.writeString(folder.resolve("classes.txt"), "1 a\n2 b\n");
    image("images/a/x.png", 30, 0.1f);
    image("images/b/y.png", 31, 0.2f);
    image("images/b/z.png", 32, 0.3f);
    ImageSet train = DataSets.images(folder.toString(), null, Split.TRAIN, side(16));
    assertThat(train.labels()).containsExactly(0, 1);
    assertThat(DataSets.images(folder.toString(), null, Split.TEST, side(16)).labels())
        .containsExactly(1);
  }

  @Test
  void realSetsHaveTheirPublishedCounts() throws IOException {
    String data = System.getProperty("orbit.data", "");
    assumeThat(data).isNotEmpty();
    Path root = Path.of(data);
    assumeThat(root.resolve("mnist")).exists();
    assumeThat(root.resolve("ham10000")).exists();
    assertThat(DataSets.images("mnist", root, Split.TEST, Choice.ALL).size()).isEqualTo(10_000);
    int[] train = DataSets.images("ham10000", root, Split.TRAIN, Choice.ALL).counts();
    int[] test = DataSets.images("ham10000", root, Split.TEST, Choice.ALL).counts();
    int[] published = {327, 514, 1099, 115, 1113, 6705, 142};
    for (int c = 0; c < published.length; c++) {
      assertThat(train[c] + test[c]).isEqualTo(published[c]);
    }
    ImageSet rotated = DataSets.images("rotmnist", root, Split.TRAIN, Choice.ALL);
    assertThat(rotated.size()).isEqualTo(12_000);
    assertThat(rotated.digest())
        .isEqualTo(DataSets.images("rotmnist", root, Split.TRAIN, Choice.ALL).digest());
  }
}
