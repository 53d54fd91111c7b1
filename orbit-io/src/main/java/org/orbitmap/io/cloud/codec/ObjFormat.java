package org.orbitmap.io.cloud.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.orbitmap.cloud.PointCloud;
import org.orbitmap.cloud.PointFeature;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.Floats;
import org.orbitmap.io.FormatException;
import org.orbitmap.mesh.Mesh;

/**
 * OBJ: lines v (with colours after the coordinates, if there), vn and f, also with negative
 * indices. Normals are kept if there is one for each vertex. Everything else is skipped.
 */
public record ObjFormat() implements Codec {
  @Override
  public boolean faces() {
    return true;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    Floats.Doubles c = new Floats.Doubles();
    Floats colours = new Floats();
    Floats normals = new Floats();
    Floats.Ints triangles = new Floats.Ints();
    while (in.nextLine('#')) {
      String kind = in.word();
      if (kind.equals("v")) {
        for (int j = 0; j < 3; j++) {
          c.add(in.exact(in.number()));
        }
        Floats more = new Floats();
        while (in.hasWord('#')) {
          more.add(in.coordinate(in.number()));
        }
        float[] extra = more.toArray();
        if (extra.length == 3 || extra.length == 4) {
          for (int j = extra.length - 3; j < extra.length; j++) {
            colours.add(extra[j]);
          }
        }
      } else if (kind.equals("vn")) {
        for (int j = 0; j < 3; j++) {
          normals.add(in.coordinate(in.number()));
        }
      } else if (kind.equals("f")) {
        Floats.Ints polygon = new Floats.Ints();
        while (in.hasWord('#')) {
          polygon.add(corner(in, in.word(), c.size() / 3));
        }
        MeshText.polygon(polygon, triangles);
      }
      in.skipLine();
    }
    List<PointFeature> features = new ArrayList<>();
    if (normals.size() > 0 && normals.size() == c.size()) {
      features.add(PointFeature.normals(3, normals.toArray()));
    }
    if (colours.size() > 0 && colours.size() == c.size()) {
      features.add(PointFeature.colours(colours.toArray()));
    }
    int n = c.size() / 3;
    for (int i = 0; i < triangles.size(); i++) {
      MeshText.corner(in, triangles.get(i), n);
    }
    return List.of(MeshText.mesh(in, c.toArray(), features, triangles));
  }

  private static int corner(ByteCursor in, String word, int vertices) throws FormatException {
    int slash = word.indexOf('/');
    try {
      int v = Integer.parseInt(slash < 0 ? word : word.substring(0, slash));
      if (v == 0 || (v < 0 && -(long) v > vertices)) {
        throw in.error("a vertex number from 1 on", v);
      }
      return v > 0 ? v - 1 : vertices + v;
    } catch (NumberFormatException e) {
      throw in.error("a vertex number", "'" + word + "'");
    }
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    PlacedMesh placed = meshes.get(0);
    Mesh mesh = placed.mesh();
    PointCloud x = mesh.vertices();
    PointFeature normal = x.feature(PointFeature.NORMAL).orElse(null);
    PointFeature colour = x.feature(PointFeature.COLOUR).orElse(null);
    MeshText.Writer writer = new MeshText.Writer(out);
    String flat = x.dimension() == 2 ? " 0" : "";
    for (int i = 0; i < x.size(); i++) {
      writer.add("v ").point(placed, i).add(flat);
      if (colour != null) {
        writer.add(" ").numbers(colour.values(), 3 * i, 3, ' ');
      }
      writer.add("\n");
    }
    for (int i = 0; normal != null && i < x.size(); i++) {
      writer.add("vn ").numbers(normal.values(), i * normal.width(), normal.width(), ' ');
      writer.add(flat + "\n");
    }
    int[] t = mesh.triangles();
    for (int i = 0; i < t.length; i++) {
      int v = t[i] + 1;
      writer.add((i % 3 == 0 ? "f " : " ") + v + (normal != null ? "//" + v : ""));
      writer.add(i % 3 == 2 ? "\n" : "");
    }
    writer.flush();
  }
}
