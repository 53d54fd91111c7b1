package org.orbitmap.io.cloud.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.Floats;
import org.orbitmap.io.FormatException;

/** One point a line. A first line of words, or of one whole number, is a heading. */
public record TextFormat(char separator) implements Codec {
  @Override
  public List<PlacedMesh> read(ByteCursor in) throws IOException {
    Floats.Doubles values = new Floats.Doubles();
    int columns = 0;
    boolean first = true;
    while (in.nextLine('#')) {
      int before = values.size();
      try {
        while (in.hasWord('#')) {
          double v = in.anyNumber();
          if (!Double.isFinite(v)) {
            first = false; // NaN is a number that is refused, not a word of a heading
            throw in.error("a finite number", v);
          }
          values.add(in.exact(v));
        }
      } catch (FormatException e) {
        if (first && values.size() == before) {
          in.skipLine();
          first = false;
          continue;
        }
        throw e;
      }
      in.skipLine();
      int found = values.size() - before;
      if (first && found == 1) {
        values = new Floats.Doubles();
        first = false;
        continue;
      }
      first = false;
      if (columns == 0) {
        columns = found;
      }
      if (found != columns || columns < 2) {
        throw in.error(columns < 2 ? "2 or more numbers" : columns + " numbers", found);
      }
    }
    if (values.size() == 0) {
      throw in.error("at least one point", "none");
    }
    return List.of(MeshText.table(values.toArray(), columns));
  }

  @Override
  public void write(Path target, List<PlacedMesh> meshes, OutputStream out) throws IOException {
    double[] rows = MeshText.rows(meshes.get(0));
    int columns = MeshText.columns(meshes.get(0).mesh().vertices());
    MeshText.Writer writer = new MeshText.Writer(out);
    for (int i = 0; i < rows.length; i += columns) {
      writer.numbers(rows, i, columns, separator).add("\n");
    }
    writer.flush();
  }
}
