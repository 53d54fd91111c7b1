package org.orbitmap.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A place in the content of a file: lines, words and numbers for text, bytes for the rest, and the
 * errors that name the file.
 */
public final class ByteCursor {
  private static final double[] TENS = new double[23];

  static {
    TENS[0] = 1;
    for (int i = 1; i < TENS.length; i++) {
      TENS[i] = 10 * TENS[i - 1];
    }
  }

  private final Path file;
  private final byte[] data;
  private int at;
  private int line;

  public ByteCursor(Path file, byte[] data) {
    this.file = file;
    this.data = data;
  }

  public Path file() {
    return file;
  }

  public int remaining() {
    return data.length - at;
  }

  public int length() {
    return data.length;
  }

  /** The bytes not yet read, in an order. */
  public ByteBuffer rest(ByteOrder order) {
    return ByteBuffer.wrap(data, at, data.length - at).slice().order(order);
  }

  /** An error in the line that was read last, for text; anywhere, for other content. */
  public FormatException error(String expected, Object found) {
    return new FormatException(
        file, line > 0 ? expected + " in line " + line : expected, shown(found));
  }

  private static Object shown(Object found) {
    if (!(found instanceof String s)) {
      return found;
    }
    StringBuilder text = new StringBuilder();
    s.chars()
        .limit(60)
        .forEach(c -> text.append(c >= 0x20 && c != 0x7f && c < 0xd800 ? (char) c : '?'));
    return (s.length() > 60 ? text + "…" : text).toString();
  }

  /**
   * Checks a count in a header before memory is taken for it.
   *
   * @param what what is counted
   * @param bytes the least that each takes in the file
   */
  public int count(String what, long count, long bytes) throws FormatException {
    if (count < 0 || count > (long) (remaining() + 1) / Math.max(1, bytes)) {
      throw error("room for %d %s".formatted(count, what), "%d bytes left".formatted(remaining()));
    }
    return (int) count;
  }

  /** The next line without its end, or null. */
  public String line() {
    if (at >= data.length) {
      return null;
    }
    int start = at;
    while (at < data.length && data[at] != '\n' && data[at] != '\r') {
      at++;
    }
    String text = new String(data, start, at - start, StandardCharsets.ISO_8859_1);
    if (at < data.length && data[at] == '\r') {
      at++;
    }
    if (at < data.length && data[at] == '\n') {
      at++;
    }
    line++;
    return text;
  }

  /**
   * Moves to the next line that has a word on it, skipping comments from a character on.
   *
   * @return false at the end of the file
   */
  public boolean nextLine(char comment) {
    while (at < data.length) {
      if (line == 0) {
        line = 1;
      }
      skipBlanks();
      if (at >= data.length) {
        return false;
      }
      byte b = data[at];
      if (b == comment) {
        skipLine();
      } else if (b == '\n' || b == '\r') {
        endLine();
      } else {
        return true;
      }
    }
    return false;
  }

  private void endLine() {
    if (data[at] == '\r' && at + 1 < data.length && data[at + 1] == '\n') {
      at++;
    }
    at++;
    line++;
  }

  /** Moves behind the end of this line. */
  public void skipLine() {
    while (at < data.length && data[at] != '\n' && data[at] != '\r') {
      at++;
    }
    if (at < data.length) {
      endLine();
    }
  }

  private static boolean blank(byte b) {
    return b == ' ' || b == '\t' || b == ',' || b == ';' || b == '\f' || b == 0x0b;
  }

  private void skipBlanks() {
    while (at < data.length && blank(data[at])) {
      at++;
    }
  }

  /** Whether this line has another word that is no comment. */
  public boolean hasWord(char comment) {
    skipBlanks();
    return at < data.length && data[at] != '\n' && data[at] != '\r' && data[at] != comment;
  }

  /** The next word of this line. */
  public String word() throws FormatException {
    skipBlanks();
    int start = at;
    while (at < data.length && !blank(data[at]) && data[at] != '\n' && data[at] != '\r') {
      at++;
    }
    if (start == at) {
      throw error("another word", "the end of the line");
    }
    return new String(data, start, at - start, StandardCharsets.ISO_8859_1);
  }

  /** The next number, on whatever line. */
  public double nextNumber() throws FormatException {
    if (!nextLine('\0')) {
      throw error("more numbers", "the end of the file");
    }
    return number();
  }

  /** The next word of this line as a whole number. */
  public long integer() throws FormatException {
    String word = word();
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw error("a whole number", "'" + word + "'");
    }
  }

  /**
   * The next word of this line as a finite number. Up to 15 digits with a small exponent are exact
   * products or quotients of doubles; anything longer goes through the JDK.
   */
  public double number() throws FormatException {
    double v = anyNumber();
    if (!Double.isFinite(v)) {
      throw error("a finite number", v);
    }
    return v;
  }

  /** The next word of this line as a number, which may be NaN or infinite. */
  public double anyNumber() throws FormatException {
    skipBlanks();
    int i = at;
    boolean negative = i < data.length && data[i] == '-';
    if (negative || (i < data.length && data[i] == '+')) {
      i++;
    }
    int first = i;
    long digits = 0;
    int count = 0;
    int point = -1;
    for (; i < data.length; i++) {
      byte b = data[i];
      if (b >= '0' && b <= '9') {
        digits = 10 * digits + (b - '0');
        if (digits != 0) {
          count++;
        }
        if (count > 15) {
          return slowNumber();
        }
      } else if (b == '.' && point < 0) {
        point = i + 1;
      } else {
        break;
      }
    }
    int exponent = point < 0 ? 0 : point - i;
    boolean any = i - first - (point < 0 ? 0 : 1) > 0;
    if (any && i < data.length && (data[i] == 'e' || data[i] == 'E')) {
      i++;
      boolean down = i < data.length && data[i] == '-';
      if (down || (i < data.length && data[i] == '+')) {
        i++;
      }
      int from = i;
      int e = 0;
      while (i < data.length && data[i] >= '0' && data[i] <= '9' && i - from < 4) {
        e = 10 * e + (data[i++] - '0');
      }
      any = i > from;
      exponent += down ? -e : e;
    }
    boolean ends = i >= data.length || blank(data[i]) || data[i] == '\n' || data[i] == '\r';
    if (!any || !ends || exponent < -22 || exponent > 22) {
      return slowNumber();
    }
    at = i;
    double v = exponent < 0 ? digits / TENS[-exponent] : digits * TENS[exponent];
    return negative ? -v : v;
  }

  private double slowNumber() throws FormatException {
    String word = word();
    if (word.equalsIgnoreCase("nan") || word.equalsIgnoreCase("-nan")) {
      return Double.NaN;
    }
    if (word.equalsIgnoreCase("inf") || word.equalsIgnoreCase("-inf")) {
      return word.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    char last = word.charAt(word.length() - 1);
    try {
      if (last == 'f' || last == 'F' || last == 'd' || last == 'D' || word.indexOf('x') >= 0) {
        throw new NumberFormatException();
      }
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      throw error("a number", "'" + word + "'");
    }
  }

  /** A number, after a check that it is finite also as a float. */
  public double exact(double v) throws FormatException {
    coordinate(v);
    return v;
  }

  /** A number as a coordinate: finite also as a float. */
  public float coordinate(double v) throws FormatException {
    float f = (float) v;
    if (!Float.isFinite(f)) {
      throw error("a finite coordinate", v);
    }
    return f;
  }
}
