package org.orbitmap.app.option;

import java.util.Arrays;
import java.util.List;

/** Values as people read them. */
public final class Text {
  private Text() {}

  /**
   * Numbers with five significant digits, arrays and lists in brackets, everything else as it is.
   */
  public static String of(Object value) {
    if (value instanceof Double || value instanceof Float) {
      return number(((Number) value).doubleValue());
    }
    if (value instanceof double[] numbers) {
      return "[" + String.join(", ", Arrays.stream(numbers).mapToObj(Text::number).toList()) + "]";
    }
    if (value instanceof double[][] rows) {
      return "[" + String.join(", ", Arrays.stream(rows).map(Text::of).toList()) + "]";
    }
    if (value instanceof List<?> list) {
      return "[" + String.join(", ", list.stream().map(Text::of).toList()) + "]";
    }
    return String.valueOf(value);
  }

  private static String number(double value) {
    String text = "%.5g".formatted(value);
    if (text.contains("e") || !text.contains(".")) {
      return text;
    }
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
  }
}
