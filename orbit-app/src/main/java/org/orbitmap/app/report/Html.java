package org.orbitmap.app.report;

import java.util.Locale;

/**
 * Writes markup; every text and every attribute value is escaped, so that a class name or a file
 * name can never become markup.
 */
final class Html {
  private final StringBuilder out = new StringBuilder(1 << 14);

  /** Opens an element: name, then attribute names and values in turn. */
  Html open(String name, Object... attributes) {
    tag(name, attributes);
    out.append('>');
    return this;
  }

  /** An element without content, as SVG and void HTML elements are written. */
  Html empty(String name, Object... attributes) {
    tag(name, attributes);
    out.append("/>");
    return this;
  }

  /** Closes an element. */
  Html close(String name) {
    out.append("</").append(name).append('>');
    return this;
  }

  /** Text, escaped. */
  Html text(String text) {
    escape(text, out);
    return this;
  }

  /** An element with text in it. */
  Html element(String name, String text, Object... attributes) {
    return open(name, attributes).text(text).close(name);
  }

  /** Markup that this package wrote itself. */
  Html trusted(String markup) {
    out.append(markup);
    return this;
  }

  private void tag(String name, Object... attributes) {
    out.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      Object v = attributes[i + 1];
      escape(v instanceof Double d ? number(d) : String.valueOf(v), out);
      out.append('"');
    }
  }

  /** At most two digits after the point, none that are zero. */
  static String number(double v) {
    String s = String.format(Locale.ROOT, "%.2f", v);
    s = s.replaceAll("\\.?0+$", "");
    return s.equals("-0") || s.isEmpty() ? "0" : s;
  }

  private static void escape(String text, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> {
          // Control characters have no place in XML, not even escaped.
          if (c >= ' ' || c == '\n' || c == '\t') {
            out.append(c);
          }
        }
      }
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
