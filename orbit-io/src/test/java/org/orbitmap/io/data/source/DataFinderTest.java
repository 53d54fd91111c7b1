package org.orbitmap.io.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.image.Image;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.DataNotFound;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.ImageSet;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.image.ImageFiles;

/** What a user may write, and what is found then. */
class DataFinderTest {
  @TempDir Path root;

  private DataFinder finder;

  @BeforeEach
  void makeSets() throws IOException {
    Files.createDirectories(root.resolve("cifar10"));
    Files.write(root.resolve("cifar10/test_batch.bin"), new byte[3073]);
    Files.createDirectories(root.resolve("mnist"));
    byte[] images = ByteBuffer.allocate(17).putInt(0x803).putInt(1).putInt(1).putInt(1).array();
    Files.write(root.resolve("mnist/t10k-images-idx3-ubyte"), images);
    for (String c : List.of("ant", "bee")) {
      for (int i = 0; i < 9; i++) {
        Path file = root.resolve("own/%s/%d.png".formatted(c, i));
        ImageFiles.writePng(file, Image.black(1, 4, 4));
      }
    }
    finder = new DataFinder(root);
  }

  private static void assertFound(DataFinder.Found found, String source, Path folder, String ref) {
    assertThat(found.source().name()).isEqualTo(source);
    assertThat(found.folder()).isEqualTo(folder);
    assertThat(found.reference()).isEqualTo(ref);
  }

  @Test
  void aNameOrAPath() throws IOException {
    Path cifar = root.resolve("cifar10");
    assertFound(finder.find("cifar10"), "cifar10", cifar, "cifar10");
    assertFound(finder.find("CIFAR10"), "cifar10", cifar, "cifar10");
    // The folder of the data set itself may be the root.
    assertFound(new DataFinder(cifar).find("cifar10"), "cifar10", cifar, "cifar10");
    assertFound(finder.find("rotmnist"), "rotmnist", root.resolve("mnist"), "rotmnist");
    assertFound(new DataFinder(null).find("glyphs"), "glyphs", null, "glyphs");
    // Paths from anywhere, or from the root on.
    assertFound(finder.find("cifar10/"), "cifar10", cifar, cifar.toString());
    assertFound(finder.find(cifar.toString()), "cifar10", cifar, cifar.toString());
    Path file = cifar.resolve("test_batch.bin");
    assertFound(finder.find("cifar10/test_batch.bin"), "cifar10", file, file.toString());
    Path own = root.resolve("own");
    assertFound(finder.find("own"), "image-folders", own, own.toString());
    // Whatever finds it again finds the same.
    assertFound(
        new DataFinder(null).find(finder.find("own").reference()),
        "image-folders",
        own,
        own.toString());
  }

  @Test
  void whatIsGivenAndWhatIsConfigured() throws IOException {
    DataFinder none = new DataFinder(null);
    Path cifar = root.resolve("cifar10");
    Path mnist = root.resolve("mnist");
    assertFound(finder.find(null, "cifar10"), "cifar10", cifar, "cifar10");
    assertFound(finder.find("cifar10", "mnist"), "cifar10", cifar, "cifar10");
    assertFound(finder.find("own", "cifar10"), "image-folders", root.resolve("own"), root + "/own");
    // A folder of data sets is only where the configured one is.
    assertFound(none.find(root.toString(), "cifar10"), "cifar10", cifar, "cifar10");
    assertFound(none.find(root.toString(), "glyphs"), "glyphs", null, "glyphs");
    assertFound(none.find(cifar.toString(), "cifar10"), "cifar10", cifar, cifar.toString());
    // What the configured one is made from.
    assertFound(none.find(mnist.toString(), "rotmnist"), "rotmnist", mnist, "rotmnist");
    assertFound(none.find(mnist.toString(), "cifar10"), "mnist", mnist, mnist.toString());
    // An empty folder is not passed over, although glyphs need none.
    Path empty = Files.createDirectories(root.resolve("empty"));
    assertThatThrownBy(() -> none.find(empty.toString(), "glyphs"))
        .hasMessageContaining("empty: expected a data set");
    assertThatThrownBy(() -> none.find(empty.toString(), "cub200"))
        .isInstanceOfSatisfying(
            DataNotFound.class, e -> assertThat(e.dataSet()).contains("cub200"));
    // A single class is no data set, and its folder no place of the configured one.
    Path single = root.resolve("single");
    Files.createDirectories(single.resolve("chair"));
    assertThatThrownBy(() -> none.find(single.toString(), "modelnet40"))
        .hasMessageContaining("single: expected a data set, or a folder with one sub-folder")
        .hasMessageContaining("for each class, or one of clouds, found none: 1 sub-folder");
    assertThatThrownBy(() -> none.find(null, null)).isInstanceOf(DataNotFound.class);
  }

  @Test
  void saysWhatIsMissing() {
    assertThatThrownBy(() -> finder.find("ham10000"))
        .isInstanceOf(DataNotFound.class)
        .hasMessageContaining("ham10000: expected a data set, found nothing there")
        .hasMessageContaining("terms");
    assertThatThrownBy(() -> finder.find("image-folders"))
        .isInstanceOfSatisfying(DataNotFound.class, e -> assertThat(e.dataSet()).isEmpty())
        .hasMessageContaining("found nothing there. Named data sets: glyphs, cifar10");
  }

  @Test
  void plainFoldersAreAuditedWhole() throws IOException {
    DataFinder.Found own = finder.find("own");
    assertThat(own.auditSplit()).isEqualTo(Split.ALL);
    assertThat(own.load(Split.ALL, Choice.ALL).size()).isEqualTo(18);
    int test = own.load(Split.TEST, Choice.ALL).size();
    assertThat(test).isBetween(1, 17);
    assertThat(own.load(Split.TRAIN, Choice.ALL).size()).isEqualTo(18 - test);
    assertThat(finder.find("cifar10").auditSplit()).isEqualTo(Split.TEST);
    assertThat(finder.find("cifar10").load(Split.ALL, Choice.ALL).size()).isEqualTo(1);
  }

  /** A user's own data set. */
  public static final class Dots implements DataSource {
    @Override
    public String name() {
      return "dots";
    }

    @Override
    public boolean holds(Path folder) {
      return Files.exists(folder.resolve("dots.txt"));
    }

    @Override
    public DataSet<?> read(Path folder, Split split, Choice choice) throws IOException {
      int n = Integer.parseInt(Files.readString(folder.resolve("dots.txt")).strip());
      return new ImageSet("dots", List.of("dot"), 1, 1, 1, new byte[n][1], new int[n]);
    }
  }

  @Test
  void aUsersOwnDataSetIsFound() throws IOException {
    Path dots = Files.createDirectories(root.resolve("dots"));
    Files.writeString(dots.resolve("dots.txt"), "5");
    assertThat(DataSets.at(dots)).isEmpty();
    Path jar = Files.createDirectories(root.resolve("jar/META-INF/services")).getParent();
    Files.writeString(jar.resolve("services/" + DataSource.class.getName()), Dots.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URL[] urls = {jar.getParent().toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, Dots.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      assertThat(DataSets.names()).contains("dots").doesNotContain("image-folders");
      assertFound(finder.find("dots"), "dots", dots, "dots");
      assertFound(finder.find(dots.toString()), "dots", dots, dots.toString());
      assertThat(finder.find("dots").load(Split.TEST, Choice.ALL.withLimit(3)).size()).isEqualTo(3);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
