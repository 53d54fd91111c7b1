package org.orbitmap.testkit.file;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Right files made wrong, as damage and malice do it. */
public final class FileMutations {
  private static final int[] NUMBERS = {-1, Integer.MAX_VALUE, 0, 0x10000000, 0x00ffffff, 1 << 24};

  private static final String[] WORDS = {
    "4294967295", "2147483647", "999999999999999999999", "-1", "1e39", "nan", "100000000", "0"
  };

  private FileMutations() {}

  /** One to four changes: bytes flipped or overwritten, cut, doubled, counts inflated. */
  public static byte[] mutate(byte[] original, RandomGenerator random) {
    byte[] file = original.clone();
    int changes = 1 + random.nextInt(4);
    for (int k = 0; k < changes && file.length > 0; k++) {
      int at = random.nextInt(file.length);
      switch (random.nextInt(7)) {
        case 0 -> file[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> file[at] = (byte) random.nextInt(256);
        case 2 -> file = Arrays.copyOf(file, at);
        case 3 -> {
          byte[] longer = Arrays.copyOf(file, file.length + file.length - at);
          System.arraycopy(file, at, longer, file.length, file.length - at);
          file = longer;
        }
        case 4 -> { // a whole number in binary
          int v = NUMBERS[random.nextInt(NUMBERS.length)];
          boolean big = random.nextBoolean();
          for (int j = 0; j < 4 && at + j < file.length; j++) {
            file[at + j] = (byte) (v >> (8 * (big ? 3 - j : j)));
          }
        }
        case 5 -> file = inflate(file, at, random);
        default -> { // a piece moved elsewhere
          int to = random.nextInt(file.length);
          int length = Math.min(random.nextInt(16), file.length - Math.max(at, to));
          System.arraycopy(original.length == file.length ? original : file, at, file, to, length);
        }
      }
    }
    return file;
  }

  /** Replaces the next number of a text by a large or odd one. */
  private static byte[] inflate(byte[] file, int from, RandomGenerator random) {
    int start = from;
    while (start < file.length && (file[start] < '0' || file[start] > '9')) {
      start++;
    }
    int end = start;
    while (end < file.length && file[end] >= '0' && file[end] <= '9') {
      end++;
    }
    byte[] text = WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.ISO_8859_1);
    byte[] out = new byte[start + text.length + file.length - end];
    System.arraycopy(file, 0, out, 0, start);
    System.arraycopy(text, 0, out, start, text.length);
    System.arraycopy(file, end, out, start + text.length, file.length - end);
    return out;
  }
}
