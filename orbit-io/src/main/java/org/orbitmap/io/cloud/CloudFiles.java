package org.orbitmap.io.cloud;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.io.AtomicFiles;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;
import org.orbitmap.io.Gunzip;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.codec.Codec;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

/**
 * Files of clouds and meshes, in the formats of {@link CloudFormat}, plain or gzipped.
 *
 * <p>A file is read whole and never asks for more memory than a small multiple of its size: counts
 * in headers are compared with the bytes that are there before anything is allocated. Coordinates
 * must be finite.
 */
public final class CloudFiles {
  /** The largest content that is read, after decompression: 1 GiB. */
  public static final int MAX_BYTES = Codec.MAX_BYTES;

  private CloudFiles() {}

  /** Whether the name ends like that of a cloud or mesh. */
  public static boolean isCloud(Path file) {
    return CloudFormat.of(file).isPresent();
  }

  /**
   * The points of a file with one cloud; of a mesh, its vertices. Far away from 0 floats round
   * them: {@link #readPlaced} does not.
   */
  public static PointCloud read(Path file) throws IOException {
    return readMesh(file).vertices();
  }

  /** The points and triangles of a file with one cloud. */
  public static Mesh readMesh(Path file) throws IOException {
    List<Mesh> all = readAll(file);
    if (all.size() != 1) {
      throw new FormatException(file, "one cloud", all.size());
    }
    return all.get(0);
  }

  /** All clouds of a file. */
  public static List<Mesh> readAll(Path file) throws IOException {
    return readPlaced(file).stream().map(PlacedMesh::absolute).toList();
  }

  /** All clouds of a file, each as finely as the file holds it, however far away it is. */
  public static List<PlacedMesh> readPlaced(Path file) throws IOException {
    CloudFormat format =
        CloudFormat.of(file)
            .orElseThrow(
                () ->
                    new FormatException(
                        file, "a cloud or mesh, such as .ply, .off or .xyz", "another ending"));
    return format.codec().read(new ByteCursor(file, load(file)));
  }

  /**
   * The clouds in bytes of a format.
   *
   * @param name what to call them in messages
   */
  public static List<Mesh> decode(CloudFormat format, Path name, byte[] content)
      throws IOException {
    return format.codec().read(new ByteCursor(name, content)).stream()
        .map(PlacedMesh::absolute)
        .toList();
  }

  /** Writes a cloud or mesh in the format of the file's ending. */
  public static void write(Path file, Mesh mesh) throws IOException {
    write(file, format(file), List.of(mesh));
  }

  /** Writes a cloud in the format of the file's ending. */
  public static void write(Path file, PointCloud cloud) throws IOException {
    write(file, Mesh.of(cloud));
  }

  /** Writes clouds in a format; gzipped if the name ends with {@code .gz}. */
  public static void write(Path file, CloudFormat format, List<Mesh> meshes) throws IOException {
    AtomicFiles.write(file, content(file, format, meshes.stream().map(PlacedMesh::of).toList()));
  }

  /**
   * What a file of clouds in a format has to hold; gzipped if the name ends with {@code .gz}, in
   * double if a cloud is far away.
   *
   * @throws UserError if the format cannot hold them
   */
  public static AtomicFiles.Body content(Path file, CloudFormat format, List<PlacedMesh> meshes) {
    if (!format.writable()) {
      throw UserError.expected(
          file.toString(),
          "a format that can be written",
          format.label() + ", which is only read",
          "Write .ply or .off instead");
    }
    if (meshes.isEmpty() || (meshes.size() > 1 && !format.several())) {
      throw UserError.expected(
          file.toString(),
          "one cloud in a " + format.label() + " file",
          meshes.size(),
          "Formats for several: npy, idx, hdf5");
    }
    boolean zipped = file.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".gz");
    return out -> {
      if (zipped) {
        GZIPOutputStream gzip = new GZIPOutputStream(out, 1 << 16);
        format.codec().write(file, meshes, gzip);
        gzip.finish();
      } else {
        format.codec().write(file, meshes, out);
      }
    };
  }

  private static CloudFormat format(Path file) {
    return CloudFormat.of(file)
        .orElseThrow(
            () ->
                UserError.expected(
                    file.toString(), "an ending such as .ply, .off or .xyz", "another", ""));
  }

  private static byte[] load(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString(), null, "no such file");
    }
    if (Files.isDirectory(file)) {
      throw new FormatException(file, "a cloud or mesh file", "a folder");
    }
    if (Files.size(file) > MAX_BYTES) {
      throw Codec.tooLarge(file);
    }
    byte[] raw = Files.readAllBytes(file);
    if (raw.length < 2 || (raw[0] & 0xff) != 0x1f || (raw[1] & 0xff) != 0x8b) {
      return raw;
    }
    try (InputStream in = Gunzip.open(file)) {
      return Codec.inflate(file, in, MAX_BYTES);
    }
  }
}
