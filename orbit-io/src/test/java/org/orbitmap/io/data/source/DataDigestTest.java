package org.orbitmap.io.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.image.Image;
import org.orbitmap.io.cloud.CloudFiles;
import org.orbitmap.io.cloud.CloudFormat;
import org.orbitmap.io.data.Choice;
import org.orbitmap.io.data.Split;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.mesh.Mesh;

/**
 * The bits of data sets stay: runs compare the digest of their data, and the recorded tables depend
 * on it. A change here makes older runs impossible to resume.
 */
class DataDigestTest {
  @TempDir static Path root;

  @BeforeAll
  static void makeSamples() throws IOException {
    Path cifar = Files.createDirectories(root.resolve("cifar10"));
    Files.write(cifar.resolve("data_batch_1.bin"), records(12, 10, 1));
    Files.write(cifar.resolve("data_batch_3.bin"), records(5, 10, 3));
    Files.write(cifar.resolve("test_batch.bin"), records(11, 10, 6));
    Path ham = Files.createDirectories(root.resolve("ham10000"));
    Files.write(ham.resolve("ham10000_32x32_train.bin"), records(9, 7, 4));
    Files.write(ham.resolve("ham10000_32x32_test.bin"), records(8, 7, 5));
    Path mnist = Files.createDirectories(root.resolve("mnist"));
    Files.write(mnist.resolve("train-images-idx3-ubyte"), digits(9, 1));
    Files.write(mnist.resolve("train-labels-idx1-ubyte"), labels(9, 10));
    Files.write(mnist.resolve("t10k-images-idx3-ubyte"), digits(8, 2));
    Files.write(mnist.resolve("t10k-labels-idx1-ubyte"), labels(8, 10));
    StringBuilder csv = new StringBuilder("lesion_id,image_id,dx,age\n");
    for (int i = 0; i < 20; i++) {
      csv.append("HAM_%d,ISIC_%d,%s,\"1,5\"\n".formatted(i, i, i % 2 == 0 ? "nv" : "mel"));
      image("files/part_%d/ISIC_%d.png".formatted(i % 2, i), 12, 10, i);
    }
    Files.writeString(root.resolve("files/HAM10000_metadata.csv"), csv);
    Path cub = Files.createDirectories(root.resolve("cub200"));
    Files.writeString(cub.resolve("images.txt"), "1 a/x.png\n2 b/y.png\n3 b/z.png\n4 a/w.png\n");
    Files.writeString(cub.resolve("image_class_labels.txt"), "1 1\n2 2\n3 2\n4 1\n");
    Files.writeString(cub.resolve("train_test_split.txt"), "1 1\n2 1\n3 0\n4 0\n");
    Files.writeString(cub.resolve("classes.txt"), "1 a\n2 b\n");
    int seed = 0;
    for (String file : List.of("a/x.png", "b/y.png", "b/z.png", "a/w.png")) {
      image("cub200/images/" + file, 30 + seed, 31, seed++);
    }
    for (String c : List.of("ant", "bee")) {
      for (int i = 0; i < 9; i++) {
        image("plain/%s/%d.png".formatted(c, i), 8, 9, ++seed);
        image("split/%s/%s/%d.png".formatted(i < 5 ? "train" : "test", c, i), 8, 9, ++seed);
      }
    }
    Path idx = Files.createDirectories(root.resolve("idx"));
    List<Mesh> clouds = IntStream.range(0, 6).mapToObj(i -> Mesh.of(cloud(i))).toList();
    CloudFormat format = CloudFormat.named("idx-int16");
    CloudFiles.write(idx.resolve("a-test-points-idx3-int16.gz"), format, clouds);
    Files.write(idx.resolve("a-test-labels-idx1-ubyte"), labels(6, 3));
    for (String c : List.of("cup", "hat")) {
      Path plain = Files.createDirectories(root.resolve("clouds/" + c));
      Path below = Files.createDirectories(root.resolve("modelnet/" + c + "/test"));
      Path above = Files.createDirectories(root.resolve("above/test/" + c));
      for (int i = 0; i < 4; i++) {
        CloudFiles.write(plain.resolve(i + ".ply"), cloud(++seed));
        int[] triangles = {0, 1, 2, 3, 4, 5};
        CloudFiles.write(below.resolve(i + ".off"), new Mesh(cloud(++seed), triangles));
        CloudFiles.write(above.resolve(i + ".xyz"), cloud(++seed));
      }
    }
  }

  private static byte[] bytes(int n, long seed) {
    byte[] bytes = new byte[n];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] records(int n, int classes, long seed) {
    byte[] bytes = bytes(3073 * n, seed);
    for (int i = 0; i < n; i++) {
      bytes[3073 * i] = (byte) (i % 10 % classes);
    }
    return bytes;
  }

  private static byte[] digits(int n, long seed) {
    ByteBuffer file = ByteBuffer.allocate(16 + n * 784).putInt(0x803).putInt(n);
    return file.putInt(28).putInt(28).put(bytes(784 * n, seed)).array();
  }

  private static byte[] labels(int n, int classes) {
    ByteBuffer file = ByteBuffer.allocate(8 + n).putInt(0x801).putInt(n);
    IntStream.range(0, n).forEach(i -> file.put((byte) (i * 7 % classes)));
    return file.array();
  }

  private static void image(String file, int height, int width, long seed) throws IOException {
    Image image = Image.black(3, height, width);
    byte[] bytes = bytes(image.data().length, seed);
    for (int i = 0; i < bytes.length; i++) {
      image.data()[i] = (bytes[i] & 255) / 255f;
    }
    ImageFiles.writePng(root.resolve(file), image);
  }

  private static PointCloud cloud(long seed) {
    byte[] bytes = bytes(60, seed);
    float[] x = new float[bytes.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = bytes[i] / 128f;
    }
    return new PointCloud(3, x);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
        glyphs, TRAIN, 0, 0, 0, 89839d054cb4acac3f56655835ac3668f68beec7b2cf7b7d304bfff27204198e
        glyphs, TEST, 0, 0, 0, 19f6b808b8f24fc2113782016e1442c571028fedf0d9c0f2dfa3c6dc753ac73f
        cifar10, TRAIN, 0, 0, 0, 9e8baaa16dc39496684cb70dd77f9f077024cab95f463837a4c19c4f8e497080
        cifar10, TRAIN, 0, 0, 3, 27f24fd93a148aa18a256b2ac923f9ae1c3dfe40479cefbaf393606da7207fd8
        mnist, TRAIN, 0, 0, 0, e09064c8d3cf9d04e0f8a69d2e4282a13b86c19ebb3bf065485f2b6d382b8724
        ham10000, TRAIN, 0, 0, 0, 64eae40e2ab75ab1083822a7e9deb9f1cb798c1f77e3433bb4874f0aa758217a
        files, TRAIN, 7, 0, 3, edb99797e1bcd09406e7914b68da2252af9d5940ee43867279063d5d7e99be56
        cub200, TRAIN, 7, 0, 0, 6d60e5675ef4826f5ec1bd4f1dc3824e4cc26cb79c4992f28bbf73d2bcf88388
        plain, TRAIN, 0, 0, 3, 04e39e5635b45ce6f82906dc0aa6bbfccd4ad4897991f71f19443798ec656f22
        plain, TRAIN, 7, 0, 0, 6f3cd9166b535c6423d39f389d4968075cdc75d2e642b8280a4209459fdf00e3
        split, TRAIN, 0, 0, 3, 2da5bc0c1882d33c24d35bd42488d585a92caaa91519ed8f33b96f6ab71f9986
        cifar10, TEST, 0, 0, 0, 7ee98c6ffa65fc482d4c978cdd9b752ab8e134d2c81c3e2f5bbcf447a659d49d
        cifar10, TEST, 0, 0, 3, 8012a937db6d95af5cc89470f689245f04cc78aa88379a3b1d73ddb5ac4878b1
        mnist, TEST, 0, 0, 0, e4012e8fa63c37bfb15254f00cb853e889af8d3d0a89408e93f628559e94a34a
        ham10000, TEST, 0, 0, 0, 27eda29908219f01034823509e3e7616a59ec96e78516e4bafef65aa41e51945
        files, TEST, 7, 0, 3, 3a44157c8c93a92877bae14297e9679edd2cca6dd0123f869eae2fec427d9dbc
        cub200, TEST, 7, 0, 0, 6fce8cc5d45586e9382b1f28856e28e7a87d65eed8e0c33181ffd58f6fa1e3a0
        plain, TEST, 0, 0, 3, 09e2d78def74f8bcd391d935a0042f972c9e6ae437dca29f6f21b9f106492bf7
        plain, TEST, 7, 0, 0, 11e61ff6b1fc24c7e35185919f1d70af10b33ab6fe45bed9fa81db4d8ee257a7
        split, TEST, 0, 0, 3, 7ffad459bdc247d22ee16d2a4878d4633dfdc39e019b1481ab404bd3abfd79e1
        plain, ALL, 0, 0, 7, 3bdbc992e720f9aafa920f66373bc15f02bd2632db44a4b97f8c61af7ed573a9
        idx, TEST, 0, 0, 0, 291929fd87ae269565476ebac8a952be72a9552ee80004c14f5015b1c058cb23
        idx, TEST, 0, 12, 3, 7cd62629a3109df65b8316c5bec1cccb2411dfa314d5167ac4ebed0cc8369ee3
        clouds, ALL, 0, 0, 0, e0754b147ad5f69e9a4502eab558b5ff1fbfd11f815a3386d41d03ea699c89a8
        clouds, ALL, 0, 12, 3, 61ebf532624dfcacc3e087653bcbff6f17cae3e3c0cdab876dd1f6a39764e0e6
        modelnet, TEST, 0, 12, 0, 86c3bfdeb8d12036148cc5928a9ed3e3ad02e5a7d92a09cf98ef994bca19991b
        above, TEST, 0, 12, 3, a3fdc519435929490bdec406d173dbff877f7b3e9011831cb769351553814f31
        """)
  void samples(String data, Split split, int side, int points, int limit, String digest)
      throws IOException {
    Choice choice = new Choice(side, side, points, limit, 5, false);
    Path folder = root.resolve(data);
    String place = Files.exists(folder) ? folder.toString() : data;
    assertThat(DataSets.load(place, null, split, choice).digest()).isEqualTo(digest);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
        cifar10, TRAIN, 0, 100, c568b410d61e0ce14e57422b354e92bcf7b6a079e71461a770c68bbfd12c4038
        cifar10, TEST, 0, 0, 4eb84b3c8f34080d873adf996a03824c5c5090498dc2bcf5cba6e3e9a1427403
        cifar10, TEST, 0, 100, 1cece3229c258978ddb96caafe317f300a204b79edca71deb1b58b462cf51aeb
        mnist, TRAIN, 0, 0, 2e7246e44f2bb20c894fb3d6cb8cda6e63103d48a0e4de1f78eff7bbf4147d05
        mnist, TRAIN, 0, 100, 99f7956b54a6bbb68913d92705260608edbd213f908e2ae05742db3beb480939
        mnist, TEST, 0, 0, 3834bf7140cd5fa9945b878b1b21060fe7e4b9b34b02887c8e91c6bf21ee6e00
        mnist, TEST, 0, 100, dd9e6303c8d0786c4cf8df8f081efdf00ed90c75b4986f109a1afd37a1c1f0c5
        rotmnist, TRAIN, 0, 0, 0b6f5c14239c0d1acb7742b346a2329dbb0ddf7b0d1ba76957d5ede92eec7bec
        rotmnist, TRAIN, 0, 100, e901284b8ace80f31d4983e12eacde8a89f0e474593078c9a15affdfdc96f3e6
        rotmnist, TEST, 0, 0, dfb658b0e6bd13b6d724e6b6111cfe7fd5b8c1197e2001334f1759dccdced4e9
        rotmnist, TEST, 0, 100, c185556022c2d79401b0f50df167c99679a807716e7581904f491b8862e2e698
        """)
  void publishedData(String data, Split split, int points, int limit, String digest)
      throws IOException {
    Path shared = Path.of(System.getProperty("orbit.data", ""));
    DataSets.named(data)
        .ifPresent(
            s ->
                assumeTrue(
                    Files.isDirectory(shared.resolve(s.home())),
                    "needs -Dorbit.data with " + s.home()));
    Choice choice = new Choice(0, 0, points, limit, 1, false);
    assertThat(DataSets.load(data, shared, split, choice).digest()).isEqualTo(digest);
  }
}
