package org.orbitmap.io.cloud.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.Floats;
import org.orbitmap.mesh.Mesh;

/** OFF as text; also ModelNet's files whose counts stand on the line of the word OFF. */
public record OffFormat() implements Codec {
  @Override
  public boolean faces() {
    return true;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    if (!in.nextLine('#')) {
      throw in.error("the word OFF", "an empty file");
    }
    String head = in.word();
    String upper = head.toUpperCase(Locale.ROOT);
    int end = upper.indexOf("OFF");
    String prefix = end < 0 ? "" : upper.substring(0, end);
    if (end < 0 || !List.of("", "C", "N", "CN").contains(prefix)) {
      throw in.error("the word OFF, COFF, NOFF or CNOFF", "'" + head + "'");
    }
    long vertices;
    if (head.length() > end + 3) {
      try {
        vertices = Long.parseLong(head.substring(end + 3));
      } catch (NumberFormatException e) {
        throw in.error("the word OFF and counts", "'" + head + "'");
      }
    } else {
      if (!in.hasWord('#') && !in.nextLine('#')) {
        throw in.error("counts", "the end of the file");
      }
      vertices = in.integer();
    }
    long faces = in.integer();
    in.skipLine();
    int n = in.count("vertices", vertices, 6);
    in.count("faces", faces, 2);
    boolean normal = prefix.contains("N");
    boolean colour = prefix.contains("C");
    double[] c = new double[3 * n];
    float[] normals = new float[normal ? 3 * n : 0];
    float[] colours = new float[colour ? 3 * n : 0];
    boolean bytes = false;
    for (int i = 0; i < n; i++) {
      if (!in.nextLine('#')) {
        throw in.error(n + " vertices", "the end of the file after " + i);
      }
      for (int j = 0; j < 3; j++) {
        c[3 * i + j] = in.exact(in.number());
      }
      for (int j = 0; normal && j < 3; j++) {
        normals[3 * i + j] = in.coordinate(in.number());
      }
      for (int j = 0; colour && j < 3; j++) {
        colours[3 * i + j] = in.coordinate(in.number());
        bytes |= colours[3 * i + j] > 1;
      }
      in.skipLine();
    }
    Floats.Ints triangles = new Floats.Ints();
    for (long f = 0; f < faces; f++) {
      if (!in.nextLine('#')) {
        throw in.error(faces + " faces", "the end of the file after " + f);
      }
      int corners = in.count("corners", in.integer(), 1);
      Floats.Ints polygon = new Floats.Ints();
      for (int k = 0; k < corners; k++) {
        polygon.add(MeshText.corner(in, in.integer(), n));
      }
      MeshText.polygon(polygon, triangles);
      in.skipLine();
    }
    List<PointFeature> features = new ArrayList<>();
    if (normal) {
      features.add(PointFeature.normals(3, normals));
    }
    if (colour) {
      for (int i = 0; bytes && i < colours.length; i++) {
        colours[i] /= 255;
      }
      features.add(PointFeature.colours(colours));
    }
    return List.of(MeshText.mesh(in, c, features, triangles));
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    PlacedMesh placed = meshes.get(0);
    Mesh mesh = placed.mesh();
    PointCloud x = mesh.vertices();
    PointFeature normal = x.feature(PointFeature.NORMAL).orElse(null);
    PointFeature colour = x.feature(PointFeature.COLOUR).orElse(null);
    MeshText.Writer writer = new MeshText.Writer(out);
    writer.add((colour != null ? "C" : "") + (normal != null ? "N" : "") + "OFF\n");
    writer.add(x.size() + " " + mesh.triangles().length / 3 + " 0\n");
    for (int i = 0; i < x.size(); i++) {
      writer.point(placed, i);
      writer.add(x.dimension() == 2 ? " 0" : "");
      if (normal != null) {
        writer.add(" ").numbers(normal.values(), i * normal.width(), normal.width(), ' ');
        writer.add(normal.width() == 2 ? " 0" : "");
      }
      if (colour != null) {
        for (int j = 0; j < 3; j++) {
          writer.add(" " + Math.round(255 * colour.values()[3 * i + j]));
        }
        writer.add(" 255");
      }
      writer.add("\n");
    }
    int[] t = mesh.triangles();
    for (int i = 0; i < t.length; i += 3) {
      writer.add("3 " + t[i] + " " + t[i + 1] + " " + t[i + 2] + "\n");
    }
    writer.flush();
  }
}
