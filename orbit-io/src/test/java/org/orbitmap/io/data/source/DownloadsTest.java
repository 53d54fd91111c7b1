package org.orbitmap.io.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.Download;

class DownloadsTest {
  @TempDir Path folder;

  private final byte[] content = new byte[300_000];
  private final List<String> ranges = new ArrayList<>();
  private boolean cut;
  private HttpServer server;
  private String address;

  @BeforeEach
  void serve() throws IOException {
    new SplittableRandom(1).nextBytes(content);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/file.bin",
        exchange -> {
          String range = exchange.getRequestHeaders().getFirst("Range");
          ranges.add(String.valueOf(range));
          int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
          exchange.sendResponseHeaders(range == null ? 200 : 206, content.length - from);
          int end = cut ? content.length / 2 : content.length;
          exchange.getResponseBody().write(content, from, end - from);
          exchange.close();
        });
    server.start();
    address = "http://127.0.0.1:%d/file.bin".formatted(server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Download source() throws Exception {
    byte[] md5 = MessageDigest.getInstance("MD5").digest(content);
    return new Download(address, HexFormat.of().formatHex(md5), content.length);
  }

  @Test
  void aCutDownloadGoesOn() throws Exception {
    Path file = folder.resolve("file.bin");
    cut = true;
    assertThatThrownBy(() -> Downloads.fetch(source(), file, Progress.OFF))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Try again");
    assertThat(file).doesNotExist();
    cut = false;
    Downloads.fetch(source(), file, Progress.OFF);
    assertThat(Files.readAllBytes(file)).isEqualTo(content);
    assertThat(ranges).hasSize(2);
    assertThat(ranges.get(1)).matches("bytes=\\d+-").isNotEqualTo("bytes=0-");
    // There already: nothing is asked of the server.
    Downloads.fetch(source(), file, Progress.OFF);
    assertThat(ranges).hasSize(2);
  }

  @Test
  void aWrongChecksumIsRefused() {
    Path file = folder.resolve("file.bin");
    Download wrong = new Download(address, "0123", content.length);
    assertThatThrownBy(() -> Downloads.fetch(wrong, file, Progress.OFF))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected checksum 0123");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void noNetworkIsSaid() throws Exception {
    Download source = source();
    server.stop(0);
    assertThatThrownBy(() -> Downloads.fetch(source, folder.resolve("set/f"), Progress.OFF))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("expected a network");
    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(() -> Downloads.get("ham10000", folder, Progress.OFF))
        .hasMessageContaining("terms");
    assertThatThrownBy(() -> Downloads.get("nope", folder, Progress.OFF))
        .hasMessageContaining("expected one of");
  }

  @Test
  void whatIsThereIsNotFetchedAgain() throws IOException {
    assertThat(Downloads.isThere("cifar10", folder)).isFalse();
    Path cifar = Files.createDirectories(folder.resolve("cifar10"));
    Files.write(cifar.resolve("test_batch.bin"), new byte[3073]);
    assertThat(Downloads.isThere("cifar10", folder)).isTrue();
    Progress none =
        (done, total) -> {
          throw new AssertionError("fetched");
        };
    assertThat(Downloads.get("cifar10", folder, none)).isEqualTo(cifar);
    // The archive is still there: it was not unpacked whole.
    Files.write(cifar.resolve("cifar-10-binary.tar.gz"), new byte[9]);
    assertThat(Downloads.isThere("cifar10", folder)).isFalse();
    // Single files: every one of them, zipped or not.
    Path mnist = Files.createDirectories(folder.resolve("mnist"));
    for (String name :
        new String[] {"train-images-idx3", "train-labels-idx1", "t10k-images-idx3"}) {
      Files.write(mnist.resolve(name + "-ubyte"), new byte[9]);
      assertThat(Downloads.isThere("rotmnist", folder)).isFalse();
    }
    Files.write(mnist.resolve("t10k-labels-idx1-ubyte"), new byte[9]);
    assertThat(Downloads.isThere("rotmnist", folder)).isTrue();
    assertThat(Downloads.isThere("nope", folder)).isFalse();
  }

  @Test
  void unpacksAndStaysInside() throws IOException {
    Path archive = folder.resolve("a.tar.gz");
    Files.write(archive, tar("top/deep/a.txt", "hello"));
    Path out = folder.resolve("out");
    Downloads.unpack(archive, out);
    assertThat(out.resolve("deep/a.txt")).hasContent("hello");
    Files.write(archive, tar("top/../../evil.txt", "hello"));
    assertThatThrownBy(() -> Downloads.unpack(archive, out)).isInstanceOf(FormatException.class);
    assertThat(folder.resolve("evil.txt")).doesNotExist();
  }

  private static byte[] tar(String name, String text) throws IOException {
    byte[] header = new byte[512];
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] title = name.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(title, 0, header, 0, title.length);
    byte[] size = "%011o".formatted(bytes.length).getBytes(StandardCharsets.UTF_8);
    System.arraycopy(size, 0, header, 124, size.length);
    header[156] = '0';
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(header);
      zip.write(Arrays.copyOf(bytes, 512));
      zip.write(new byte[1024]);
    }
    return out.toByteArray();
  }
}
