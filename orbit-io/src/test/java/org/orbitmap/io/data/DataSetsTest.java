package org.orbitmap.io.data;

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
import org.orbitmap.io.data.DataSets.Split;
import org.orbitmap.io.image.ImageFiles;

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
    ImageSet train = DataSets.load(folder.resolve("set").toString(), null, Split.TRAIN, 0);
    assertThat(train.classes()).containsExactly("cat", "dog");
    assertThat(train.counts()).containsExactly(3, 3);
    assertThat(DataSets.load(folder.resolve("set").toString(), null, Split.TEST, 4).height())
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
    ImageSet test = DataSets.load(set, null, Split.TEST, 0);
    assertThat(test.classes()).containsExactly("ant", "bee", "cow");
    assertThat(test.labels()).containsExactly(1, 2);
    image("set/test/dog/x.png", 8, 0.2f);
    assertThatThrownBy(() -> DataSets.load(set, null, Split.TEST, 0))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("dog: expected one of the classes [ant, bee, cow]");
  }

  @Test
  void saysWhatIsWrongWithFolders() throws IOException {
    image("set/cat/a.png", 8, 0.2f);
    String set = folder.resolve("set").toString();
    assertThatThrownBy(() -> DataSets.load(set, null, Split.TRAIN, 0))
        .hasMessageContaining("one sub-folder of images for each class");
    Files.createDirectories(folder.resolve("set/dog"));
    assertThatThrownBy(() -> DataSets.load(set, null, Split.TRAIN, 0))
        .hasMessageContaining("dog: expected at least one image");
    for (int i = 0; i < 9; i++) {
      image("set/cat/%d.png".formatted(i), 8, 0.2f);
      image("set/dog/%d.png".formatted(i), 9, 0.2f);
    }
    assertThatThrownBy(() -> DataSets.load(set, null, Split.TRAIN, 0))
        .hasMessageContaining("expected 8 x 8 pixels")
        .hasMessageContaining("found 9 x 9");
    // With a size, all are scaled to it.
    assertThat(DataSets.load(set, null, Split.TRAIN, 6).height()).isEqualTo(6);
    assertThatThrownBy(() -> DataSets.load("cifar10", null, Split.TRAIN, 0))
        .hasMessageContaining("orbit data get cifar10");
    assertThatThrownBy(() -> DataSets.load(folder + "/nothing", null, Split.TRAIN, 0))
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
    assertThatThrownBy(() -> DataSets.kind(root))
        .hasMessageContaining("root: expected a folder with one sub-folder of images")
        .hasMessageContaining("3 sub-folders without images");
    assertThat(DataSets.sets(root)).containsExactly(cifar, root.resolve("signs"));
    assertThat(DataSets.sets(cifar)).containsExactly(cifar);
    // Named sets: in the root, or the root itself if it is that one.
    assertThat(DataSets.load("cifar10", root, Split.TEST, 0).size()).isEqualTo(1);
    assertThat(DataSets.load("cifar10", cifar, Split.TEST, 0).size()).isEqualTo(1);
    for (Path wrong : new Path[] {root, cifar, root.resolve("mnist")}) {
      for (String name : new String[] {"mnist", "cub200"}) {
        assertThatThrownBy(() -> DataSets.load(name, wrong, Split.TEST, 0))
            .isInstanceOf(UserError.class)
            .hasMessageContaining(name + ": expected a data set, found no")
            .hasMessageContaining("Run: orbit data get " + name);
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
    ImageSet seven = FolderImages.read("set", folder.resolve("set"), f -> true, 0, 7);
    assertThat(seven.labels()).containsExactly(0, 0, 0, 1, 1, 2, 2);
    assertThat(seven.image(2).at(0, 0, 0)).isCloseTo(0.2f, within(0.01f));
    assertThat(LabelledFiles.evenly(new int[] {2, 2, 2, 2, 0, 2}, 3)).containsExactly(0, 1, 4);
    // the damaged one counts only where it would be read
    Files.write(folder.resolve("set/ant/1.png"), new byte[0]);
    assertThatThrownBy(() -> FolderImages.read("set", folder.resolve("set"), f -> true, 0, 100))
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
    assertThat(FolderImages.square(wide, 2))
        .isEqualTo(new Image(1, 2, 2, new float[] {1, 0, 1, 0}));
    assertThat(FolderImages.square(wide, 1).data()[0]).isEqualTo(0.5f);
    // Of other proportions: the two columns in the middle, then all of it.
    assertThat(FolderImages.fit(wide, 4, 2).data()).containsExactly(1, 0, 1, 0, 1, 0, 1, 0);
    assertThat(FolderImages.fit(wide, 1, 2)).isEqualTo(new Image(1, 1, 2, new float[] {.5f, 0}));
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
    ImageSet train = DataSets.load(folder.toString(), null, Split.TRAIN, 5);
    ImageSet test = DataSets.load(folder.toString(), null, Split.TEST, 5);
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
    ImageSet train = DataSets.load(folder.toString(), null, Split.TRAIN, 16);
    assertThat(train.labels()).containsExactly(0, 1);
    assertThat(DataSets.load(folder.toString(), null, Split.TEST, 16).labels()).containsExactly(1);
  }

  @Test
  void realSetsHaveTheirPublishedCounts() throws IOException {
    String data = System.getProperty("orbit.data", "");
    assumeThat(data).isNotEmpty();
    Path root = Path.of(data);
    assumeThat(root.resolve("mnist")).exists();
    assumeThat(root.resolve("ham10000")).exists();
    assertThat(DataSets.load("mnist", root, Split.TEST, 0).size()).isEqualTo(10_000);
    int[] train = DataSets.load("ham10000", root, Split.TRAIN, 0).counts();
    int[] test = DataSets.load("ham10000", root, Split.TEST, 0).counts();
    int[] published = {327, 514, 1099, 115, 1113, 6705, 142};
    for (int c = 0; c < published.length; c++) {
      assertThat(train[c] + test[c]).isEqualTo(published[c]);
    }
    ImageSet rotated = DataSets.load("rotmnist", root, Split.TRAIN, 0);
    assertThat(rotated.size()).isEqualTo(12_000);
    assertThat(rotated.digest())
        .isEqualTo(DataSets.load("rotmnist", root, Split.TRAIN, 0).digest());
  }
}
