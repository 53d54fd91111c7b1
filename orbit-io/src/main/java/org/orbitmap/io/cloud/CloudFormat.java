package org.orbitmap.io.cloud;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.orbitmap.io.UserError;
import org.orbitmap.io.cloud.array.HdfFormat;
import org.orbitmap.io.cloud.array.IdxCloudFormat;
import org.orbitmap.io.cloud.array.NpyFormat;
import org.orbitmap.io.cloud.array.NpzFormat;
import org.orbitmap.io.cloud.codec.Codec;
import org.orbitmap.io.cloud.codec.GltfFormat;
import org.orbitmap.io.cloud.codec.LasFormat;
import org.orbitmap.io.cloud.codec.ObjFormat;
import org.orbitmap.io.cloud.codec.OffFormat;
import org.orbitmap.io.cloud.codec.PcdFormat;
import org.orbitmap.io.cloud.codec.PlyFormat;
import org.orbitmap.io.cloud.codec.PlyHeader;
import org.orbitmap.io.cloud.codec.StlFormat;
import org.orbitmap.io.cloud.codec.TextFormat;

/**
 * The file formats of clouds and meshes. Constants that differ only in how they write share their
 * reader; a file's ending chooses the first of them.
 */
public enum CloudFormat {
  /** Object File Format: {@code OFF}, {@code COFF}, {@code NOFF}, {@code CNOFF}, as text. */
  OFF("off", new OffFormat(), "off"),
  /** Stanford PLY; written in binary, little endian. */
  PLY("ply", new PlyFormat(PlyHeader.Encoding.LITTLE), "ply"),
  /** PLY written as text. */
  PLY_ASCII("ply-ascii", new PlyFormat(PlyHeader.Encoding.ASCII)),
  /** PLY written in binary, big endian. */
  PLY_BIG("ply-big", new PlyFormat(PlyHeader.Encoding.BIG)),
  /** Wavefront OBJ: vertices, normals, faces. */
  OBJ("obj", new ObjFormat(), "obj"),
  /**
   * One point a line, numbers separated by blanks, commas or semicolons; also the text files of
   * {@code modelnet40_normal_resampled}.
   */
  XYZ("xyz", new TextFormat(' '), "xyz", "txt", "csv", "pts", "xyzn", "asc"),
  /** The same, written with commas as in {@code modelnet40_normal_resampled}. */
  RESAMPLED("resampled", new TextFormat(',')),
  /** Point Cloud Library's PCD; written in binary. */
  PCD("pcd", new PcdFormat(true), "pcd"),
  /** PCD written as text. */
  PCD_ASCII("pcd-ascii", new PcdFormat(false)),
  /** A NumPy array: points × columns, or clouds × points × columns. */
  NPY("npy", new NpyFormat(), "npy"),
  /** Several NumPy arrays in a zip file; the points are those called points, xyz, data or pos. */
  NPZ("npz", new NpzFormat(), "npz"),
  /** Triangles for printing, text or binary; only read. */
  STL("stl", new StlFormat(), "stl"),
  /** IDX, as MNIST's files; written as floats. Integers of 16 bits stand for value / 32767. */
  IDX(
      "idx",
      new IdxCloudFormat(false),
      "idx",
      "-idx2-int16",
      "-idx3-int16",
      "-idx2-float",
      "-idx3-float",
      "-idx2-double",
      "-idx3-double"),
  /** IDX written with integers of 16 bits, for clouds in the unit cube. */
  IDX_INT16("idx-int16", new IdxCloudFormat(true)),
  /** HDF5 as in ModelNet: data set {@code data} of clouds × points × 3, {@code normal} if there. */
  HDF5("hdf5", new HdfFormat(), "h5", "hdf5"),
  /** Scans by laser, ASPRS LAS 1.0 to 1.4. */
  LAS("las", new LasFormat(false), "las"),
  /** LAS packed by LASzip; read with the library laszip4j if it is on the class path. */
  LAZ("laz", new LasFormat(true), "laz"),
  /** glTF 2.0 in one binary file: triangles and points of the scene, all transforms applied. */
  GLB("glb", new GltfFormat(true), "glb"),
  /** glTF 2.0 as text, with its data inside it. */
  GLTF("gltf", new GltfFormat(false), "gltf");

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // codecs are records of constants
  private final Codec codec;

  @SuppressWarnings("ImmutableEnumChecker") // the list is unmodifiable
  private final List<String> endings;

  CloudFormat(String label, Codec codec, String... endings) {
    this.label = label;
    this.codec = codec;
    this.endings = Arrays.stream(endings).map(e -> e.startsWith("-") ? e : "." + e).toList();
  }

  /** The name users choose it by. */
  public String label() {
    return label;
  }

  /** How file names end; empty for a variant that is only chosen by name. */
  public List<String> endings() {
    return endings;
  }

  /** Whether a file may hold several clouds. */
  public boolean several() {
    return codec.several();
  }

  /** Whether triangles are kept. */
  public boolean faces() {
    return codec.faces();
  }

  /** Whether this format can be written. */
  public boolean writable() {
    return codec.writable();
  }

  Codec codec() {
    return codec;
  }

  /** The format that a file name's ending tells, with or without {@code .gz}. */
  public static Optional<CloudFormat> of(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    return Arrays.stream(values())
        .filter(f -> f.endings.stream().anyMatch(plain::endsWith))
        .findFirst();
  }

  /** The format of a name. */
  public static CloudFormat named(String name) {
    return Arrays.stream(values())
        .filter(f -> f.label.equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UserError(
                    "format: expected one of %s, found '%s'"
                        .formatted(
                            String.join(
                                ", ", Arrays.stream(values()).map(CloudFormat::label).toList()),
                            name)));
  }
}
