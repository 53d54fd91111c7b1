package org.orbitmap.io.photo;

import java.util.ArrayList;
import java.util.List;

/** Lines of comma-separated values. */
public final class Csv {
  private Csv() {}

  /** The fields of a line, without spaces around them; a field may be in double quotes. */
  public static List<String> columns(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.add(field.toString().trim());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString().trim());
    return fields;
  }
}
