package org.orbitmap.network.steerable;

import org.orbitmap.group.Group;
import org.orbitmap.image.Image;
import org.orbitmap.orbit.GroupAction;

/**
 * A group on fields over square images: (g·f)(x) = ρ(g) f(g⁻¹x), about the centre. Only of the
 * elements that exchange pixels: quarter turns, mirrorings and their products.
 *
 * @param type what the channels mean
 */
public record FieldAction(FieldType type) implements GroupAction<Integer, Image> {
  @Override
  public Group<Integer> group() {
    return type.group();
  }

  /** Whether an element exchanges pixels. */
  public static boolean exact(PlaneGroup group, int g) {
    return g % group.rotations() * 4 % group.rotations() == 0;
  }

  @Override
  public Image act(Integer g, Image f) {
    int side = f.width();
    PlaneGroup group = type.group();
    if (f.height() != side || f.channels() != type.channels() || !exact(group, g)) {
      throw new IllegalArgumentException(
          "fields: expected square images of %d channels and an element that exchanges pixels, found %d x %d x %d and %d"
              .formatted(type.channels(), f.channels(), f.height(), side, g));
    }
    int turns = g % group.rotations() * 4 / group.rotations();
    Image out = Image.black(f.channels(), side, side);
    int area = side * side;
    for (int c = 0; c < f.channels(); c++) {
      int size = type.size();
      int to = c / size * size + type.moved(g, c % size);
      for (int i = 0; i < area; i++) {
        // twice the coordinates about the centre, so that they are whole
        int x = 2 * (i % side) - side + 1;
        int y = 2 * (i / side) - side + 1;
        int v = group.mirrored(g) ? -y : y;
        int u = x;
        for (int k = 0; k < turns; k++) {
          int w = u;
          u = -v;
          v = w;
        }
        int place = (v + side - 1) / 2 * side + (u + side - 1) / 2;
        out.data()[to * area + place] = f.data()[c * area + i];
      }
    }
    return out;
  }
}
