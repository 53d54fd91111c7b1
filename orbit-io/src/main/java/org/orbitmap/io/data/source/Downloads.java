package org.orbitmap.io.data.source;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.orbitmap.eval.Progress;
import org.orbitmap.io.Digests;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSource;
import org.orbitmap.io.data.Download;

/** Downloads of data sets from their official addresses, with checksums; a cut one goes on. */
public final class Downloads {
  private Downloads() {}

  /**
   * Fetches a data set into a folder of its own; archives are unpacked.
   *
   * @param root the folder of data sets
   * @return the folder of the set
   */
  public static Path get(String name, Path root, Progress progress) throws IOException {
    DataSource set =
        DataSets.named(name)
            .orElseThrow(
                () -> UserError.expected(name, "one of " + fetchable(), "no such data set", ""));
    if (set.downloads().isEmpty()) {
      throw UserError.expected(
          name,
          "a data set that can be fetched",
          set.isGenerated() ? "one that is generated: it is always there" : "one that cannot",
          set.howToGet());
    }
    Path folder = root.resolve(set.home());
    for (Download download : set.downloads()) {
      if (isThere(download, set, folder)) {
        continue;
      }
      Path file = folder.resolve(download.file());
      fetch(download, file, progress);
      if (download.isArchive()) {
        unpack(file, folder);
        Files.delete(file);
      }
    }
    return folder;
  }

  /** Whether there is nothing left to fetch of a data set. */
  public static boolean isThere(String name, Path root) throws IOException {
    Optional<DataSource> found = DataSets.named(name);
    if (found.isEmpty()) {
      return false;
    }
    DataSource set = found.get();
    for (Download download : set.downloads()) {
      if (!isThere(download, set, root.resolve(set.home()))) {
        return false;
      }
    }
    return !set.downloads().isEmpty();
  }

  /** The names of the data sets that can be fetched. */
  public static List<String> fetchable() {
    return DataSets.all().stream()
        .filter(s -> !s.downloads().isEmpty())
        .map(DataSource::name)
        .toList();
  }

  /** Of an archive, what was in it; if it or a part of it is there, it was not unpacked whole. */
  private static boolean isThere(Download download, DataSource set, Path folder)
      throws IOException {
    Path file = folder.resolve(download.file());
    return download.isArchive()
        ? set.holds(folder) && !Files.exists(file) && !Files.exists(part(file))
        : Files.exists(folder.resolve(download.file().replaceFirst("\\.gz$", "")))
            || (Files.exists(file) && md5(file).equals(download.md5()));
  }

  private static Path part(Path file) {
    return file.resolveSibling(file.getFileName() + ".part");
  }

  /** Fetches one file, from where an earlier try was cut, and checks it. */
  public static void fetch(Download download, Path file, Progress progress) throws IOException {
    if (Files.exists(file) && md5(file).equals(download.md5())) {
      return;
    }
    Path part = part(file);
    long have = Files.exists(part) ? Files.size(part) : 0;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(download.address())).timeout(Duration.ofMinutes(60));
    if (have > 0) {
      request.header("Range", "bytes=" + have + "-");
    }
    HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(20))
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    HttpResponse<InputStream> response;
    try {
      response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (ConnectException | UnknownHostException | HttpConnectTimeoutException e) {
      throw new UserError(
          "%s: expected a network, found none (%s). Get the file on another machine and put it at %s"
              .formatted(download.address(), reason(e), file),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    boolean goesOn = response.statusCode() == 206;
    if (response.statusCode() != 200 && !goesOn && response.statusCode() != 416) {
      throw UserError.expected(
          download.address(), "the file (status 200)", "status " + response.statusCode(), "");
    }
    if (response.statusCode() != 416) {
      copy(response, part, goesOn ? have : 0, download.bytes(), progress);
    }
    String found = md5(part);
    if (!found.equals(download.md5())) {
      Files.deleteIfExists(part);
      throw UserError.expected(
          download.address(),
          "checksum " + download.md5(),
          found,
          "The partial file was removed: try again");
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void copy(
      HttpResponse<InputStream> response, Path part, long have, long bytes, Progress progress)
      throws IOException {
    long total = have + response.headers().firstValueAsLong("Content-Length").orElse(bytes - have);
    StandardOpenOption mode =
        have > 0 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
    long done = have;
    Files.createDirectories(part.toAbsolutePath().getParent());
    try (InputStream in = response.body();
        OutputStream out =
            Files.newOutputStream(
                part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, mode)) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        done += n;
        progress.update(done, total);
      }
    } catch (IOException e) {
      throw new IOException(
          "%s: the connection broke after %,d bytes (%s). Try again to go on from there"
              .formatted(part, done, e.getMessage()),
          e);
    }
    if (done < total) {
      throw new IOException(
          "%s: expected %,d bytes, found %,d. Try again to go on from there"
              .formatted(part, total, done));
    }
  }

  private static String reason(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** The MD5 of a file, in hexadecimal digits. */
  public static String md5(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest md5 = Digests.md5();
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        md5.update(buffer, 0, n);
      }
      return HexFormat.of().formatHex(md5.digest());
    }
  }

  /**
   * Unpacks a gzipped tar archive; its outermost folder is left away, and nothing is written
   * outside the target.
   */
  static void unpack(Path archive, Path folder) throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    try (DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive), 1 << 16)))) {
      byte[] header = new byte[512];
      String longName = null;
      while (in.readNBytes(header, 0, 512) == 512 && header[0] != 0) {
        String name = longName != null ? longName : text(header, 0, 100);
        longName = null;
        String sizeText = text(header, 124, 12).trim();
        long size = sizeText.isEmpty() ? 0 : Long.parseLong(sizeText, 8);
        long padded = (size + 511) / 512 * 512;
        char type = (char) header[156];
        if (type == 'L' && size < 1 << 16) { // GNU: the name of the next entry
          byte[] bytes = in.readNBytes((int) padded);
          longName = text(bytes, 0, (int) size);
          continue;
        }
        int slash = name.indexOf('/');
        Path file = target.resolve(slash < 0 ? name : name.substring(slash + 1)).normalize();
        if (!file.startsWith(target)) {
          throw new FormatException(archive, "files inside the archive's folder", name);
        }
        if (type == '0' || type == 0) {
          Files.createDirectories(file.getParent());
          try (OutputStream out = Files.newOutputStream(file)) {
            long left = size;
            byte[] buffer = new byte[1 << 16];
            while (left > 0) {
              int n = in.read(buffer, 0, (int) Math.min(buffer.length, left));
              if (n < 0) {
                throw new FormatException(archive, "a whole archive", "a cut one");
              }
              out.write(buffer, 0, n);
              left -= n;
            }
          }
          in.skipNBytes(padded - size);
        } else {
          in.skipNBytes(padded);
        }
      }
    }
  }

  private static String text(byte[] bytes, int from, int length) {
    int end = from;
    while (end < from + length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }
}
