package org.orbitmap.io.cloud.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.Floats;
import org.orbitmap.io.FormatException;

/** STL, text or binary. Corners at exactly the same place become one vertex. */
public record StlFormat() implements Codec {
  private static final int HEADER = 84;
  private static final int TRIANGLE = 50;

  private record Point(double x, double y, double z) {}

  @Override
  public boolean faces() {
    return true;
  }

  @Override
  public boolean writable() {
    return false;
  }

  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    ByteBuffer b = in.rest(ByteOrder.LITTLE_ENDIAN);
    boolean text = b.remaining() >= 5;
    for (int i = 0; text && i < 5; i++) {
      text = b.get(i) == "solid".charAt(i);
    }
    long triangles = b.remaining() >= HEADER ? b.getInt(80) & 0xffffffffL : -1;
    boolean fits = triangles >= 0 && b.remaining() == HEADER + TRIANGLE * triangles;
    return List.of(text && !fits ? text(in) : binary(in, b, triangles));
  }

  private static PlacedMesh binary(ByteCursor in, ByteBuffer b, long count) throws FormatException {
    if (count < 1 || count > (b.remaining() - HEADER) / TRIANGLE) {
      throw in.error(
          "a header of %d bytes and %d bytes for each triangle".formatted(HEADER, TRIANGLE),
          "%d bytes for %d triangles".formatted(b.remaining(), count));
    }
    Corners corners = new Corners();
    for (int t = 0; t < count; t++) {
      for (int k = 0; k < 3; k++) {
        int at = HEADER + TRIANGLE * t + 12 * (k + 1);
        corners.add(in, b.getFloat(at), b.getFloat(at + 4), b.getFloat(at + 8));
      }
    }
    return PlacedMesh.of(corners.mesh(in).absolute());
  }

  private static PlacedMesh text(ByteCursor in) throws FormatException {
    Corners corners = new Corners();
    int inLoop = 0;
    while (in.nextLine('#')) {
      String word = in.word();
      if (word.equals("vertex")) {
        if (++inLoop > 3) {
          throw in.error("three corners in a loop", "a fourth");
        }
        corners.add(in, in.number(), in.number(), in.number());
      } else if (word.equals("endloop")) {
        if (inLoop != 3) {
          throw in.error("three corners in a loop", inLoop);
        }
        inLoop = 0;
      } else if (!List.of("solid", "facet", "outer", "endfacet", "endsolid").contains(word)) {
        throw in.error("a line of STL", "'" + word + "'");
      }
      in.skipLine();
    }
    if (inLoop != 0) {
      throw in.error("endloop", "the end of the file");
    }
    return corners.mesh(in);
  }

  private static final class Corners {
    private final Map<Point, Integer> places = new HashMap<>();
    private final Floats.Doubles coordinates = new Floats.Doubles();
    private final Floats.Ints triangles = new Floats.Ints();

    void add(ByteCursor in, double x, double y, double z) throws FormatException {
      // Adding 0 makes -0 and 0 one place.
      Point p = new Point(in.exact(x) + 0.0, in.exact(y) + 0.0, in.exact(z) + 0.0);
      Integer place = places.get(p);
      if (place == null) {
        place = places.size();
        places.put(p, place);
        coordinates.add(p.x);
        coordinates.add(p.y);
        coordinates.add(p.z);
      }
      triangles.add(place);
    }

    PlacedMesh mesh(ByteCursor in) throws FormatException {
      return MeshText.mesh(in, coordinates.toArray(), List.of(), triangles);
    }
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) {
    throw new UnsupportedOperationException("STL is only read");
  }
}
