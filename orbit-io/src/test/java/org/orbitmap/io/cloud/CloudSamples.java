package org.orbitmap.io.cloud;

import com.github.mreutegg.laszip4j.lastools.Laszip;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.cloud.codec.PlacedMesh;
import org.orbitmap.mesh.Mesh;

/** Small files of every format. */
@SuppressWarnings("StringConcatToTextBlock") // files, line by line
final class CloudSamples {
  private CloudSamples() {}

  static PointCloud cloud(int n, long seed) {
    Random random = new Random(seed);
    float[] c = new float[3 * n];
    for (int i = 0; i < c.length; i++) {
      c[i] = random.nextFloat() * 2 - 1;
    }
    return new PointCloud(3, c);
  }

  static PointCloud featured(int n, long seed) {
    Random random = new Random(seed);
    float[] normals = new float[3 * n];
    float[] colours = new float[3 * n];
    for (int i = 0; i < n; i++) {
      normals[3 * i + i % 3] = i % 2 == 0 ? 1 : -1;
      for (int j = 0; j < 3; j++) {
        colours[3 * i + j] = random.nextInt(256) / 255f;
      }
    }
    return new PointCloud(
        3,
        cloud(n, seed).coordinates(),
        List.of(PointFeature.normals(3, normals), PointFeature.colours(colours)));
  }

  static Mesh tetrahedron() {
    return new Mesh(
        new PointCloud(3, new float[] {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}),
        new int[] {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2});
  }

  /** Valid files of a format, each different in kind. */
  static List<byte[]> files(CloudFormat format) throws IOException {
    List<byte[]> all = new ArrayList<>();
    switch (format) {
      case STL -> {
        all.add(stl());
        all.add(
            text(
                "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                    + "vertex 0 1e0 -0.0\nendloop\nendfacet\nendsolid t\n"));
      }
      case OFF -> {
        all.add(encode(format, tetrahedron()));
        all.add(encode(format, Mesh.of(featured(5, 1))));
        all.add(text("OFF4 1 0\n0 0 0\n1 0 0\n1 1 0 # corner\n0 1 0\n4 0 1 2 3 255 0 0\n"));
      }
      case OBJ -> {
        all.add(encode(format, tetrahedron()));
        all.add(encode(format, Mesh.of(featured(5, 2))));
        all.add(
            text(
                "# quad\nmtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4/1/1 -3 -2// -1\n"));
      }
      case XYZ, RESAMPLED -> {
        all.add(encode(format, Mesh.of(cloud(6, 3))));
        all.add(text("x y z intensity\n0 0 1 0.5\n1 2 3 0.25\n"));
        all.add(text("3\n0 0 1\n1 2 3\n-1 -2.5e-3 3\n"));
      }
      case PCD, PCD_ASCII -> {
        all.add(encode(format, Mesh.of(featured(6, 4))));
        all.add(compressedPcd());
        all.add(
            text(
                "VERSION .7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F F\nWIDTH 2\nHEIGHT 1\n"
                    + "DATA ascii\n0 1 2 4.2108e+06\nnan nan nan 0\n"));
      }
      case NPY -> {
        all.add(encode(format, Mesh.of(cloud(6, 5))));
        all.add(encode(format, Mesh.of(cloud(4, 6)), Mesh.of(cloud(4, 7))));
        all.add(npy("'>f8', 'fortran_order': True", "(2, 3)", new byte[48]));
        all.add(npy("'<f2', 'fortran_order': False", "(2, 3)", new byte[12]));
      }
      case PLY, PLY_ASCII, PLY_BIG -> {
        all.add(encode(format, tetrahedron()));
        all.add(encode(format, Mesh.of(featured(7, 8))));
        all.add(
            text(
                "ply\n"
                    + "format ascii 1.0\n"
                    + "comment by hand\n"
                    + "element camera 1\n"
                    + "property double f\n"
                    + "property list uchar int ids\n"
                    + "element vertex 2\n"
                    + "property double x\n"
                    + "property short y\n"
                    + "property float z\n"
                    + "property uchar red\n"
                    + "property uchar green\n"
                    + "property uchar blue\n"
                    + "end_header\n"
                    + "35 2 1 2\n"
                    + "0.5 1 2 255 0 0\n"
                    + "1 2 3 0 0 255\n"));
      }
      case LAZ -> {
        all.add(laz(encode(CloudFormat.LAS, Mesh.of(cloud(1, 9)))));
        all.add(laz(encode(CloudFormat.LAS, Mesh.of(featured(1, 10)))));
      }
      case GLB, GLTF -> {
        all.add(encode(format, tetrahedron()));
        all.add(encode(format, Mesh.of(featured(7, 8))));
        if (format == CloudFormat.GLTF) {
          all.add(scene());
        }
      }
      default -> {
        all.add(encode(format, Mesh.of(cloud(6, 9))));
        if (format.several()) {
          all.add(encode(format, Mesh.of(cloud(4, 6)), Mesh.of(cloud(4, 7))));
        }
      }
    }
    return all;
  }

  static byte[] encode(CloudFormat format, Mesh... meshes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    format
        .codec()
        .write(Path.of("sample"), Arrays.stream(meshes).map(PlacedMesh::of).toList(), out);
    return out.toByteArray();
  }

  /** A LAS file of one point, packed by laszip4j, which cannot write more. */
  static byte[] laz(byte[] las) throws IOException {
    Path folder = Files.createTempDirectory("laz");
    Path from = folder.resolve("a.las");
    Path to = folder.resolve("a.laz");
    try {
      Files.write(from, las);
      Laszip.run(new String[] {"-i", from.toString(), "-o", to.toString()});
      return Files.readAllBytes(to);
    } finally {
      Files.deleteIfExists(from);
      Files.deleteIfExists(to);
      Files.delete(folder);
    }
  }

  /**
   * Two nodes that show one strip of four points: the second below the first, scaled and turned.
   */
  static byte[] scene() {
    ByteBuffer b = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
    for (float v : new float[] {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}) {
      b.putFloat(v);
    }
    String data = Base64.getEncoder().encodeToString(b.array());
    return text(
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
            + "{\"mesh\":0,\"translation\":[10,0,0],\"children\":[1]},"
            + "{\"mesh\":0,\"scale\":[2,2,2],\"rotation\":[0,0,0.7071067811865476,0.7071067811865476]}],"
            + "\"meshes\":[{\"primitives\":[{\"mode\":5,\"attributes\":{\"POSITION\":0}},"
            + "{\"mode\":1,\"attributes\":{\"POSITION\":0}}]}],"
            + "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],"
            + "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"
            + "\"buffers\":[{\"byteLength\":48,\"uri\":\"data:application/octet-stream;base64,"
            + data
            + "\"}]}");
  }

  static byte[] text(String s) {
    return s.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] npy(String descr, String shape, byte[] data) {
    String header = "{'descr': " + descr + ", 'shape': " + shape + ", }\n";
    ByteBuffer b = ByteBuffer.allocate(10 + header.length() + data.length);
    b.order(ByteOrder.LITTLE_ENDIAN).put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    return b.putShort((short) header.length()).put(text(header)).put(data).array();
  }

  private static byte[] stl() {
    ByteBuffer b = ByteBuffer.allocate(84 + 100).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(80, 2).position(84);
    for (float[] t : new float[][] {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 1, 0, 1, 1, 5}}) {
      b.putFloat(0).putFloat(0).putFloat(1);
      for (float v : t) {
        b.putFloat(v);
      }
      b.putShort((short) 0);
    }
    return b.array();
  }

  /** Four points (1, 2, 3), field by field, packed as runs and one copy. */
  static byte[] compressedPcd() {
    byte[] head =
        text(
            "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 4\nHEIGHT 1\n"
                + "POINTS 4\nDATA binary_compressed\n");
    ByteBuffer b = ByteBuffer.allocate(head.length + 8 + 8 + 33).order(ByteOrder.LITTLE_ENDIAN);
    b.put(head).putInt(8 + 33).putInt(48);
    b.put((byte) 3).putFloat(1); // a run of 4 bytes: x of the first point
    b.put((byte) 0xe0).put((byte) 3).put((byte) 3); // copy 12 bytes from 4 back
    b.put((byte) 31);
    for (int i = 0; i < 8; i++) {
      b.putFloat(i < 4 ? 2 : 3);
    }
    return b.array();
  }
}
