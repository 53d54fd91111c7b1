package org.orbitmap.io.image;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Deflate (RFC 1951) for bytes in which nothing repeats: each block has an optimal prefix code for
 * the frequencies of its bytes, and nothing is looked for. The format is what every inflater reads;
 * zlib's own strategy without matches does the same several times slower.
 */
final class LiteralDeflater {
  /** The bytes and the end of a block. */
  private static final int SYMBOLS = 257;

  private static final int END = 256;
  private static final int LONGEST = 15;
  private static final int LONGEST_OF_LENGTHS = 7;

  /** In which order a block tells the code of its code lengths. */
  private static final int[] ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long bits;
  private int count;

  /** How many bytes a block of so many takes at most: 9 bits for each, its head, and 8 beyond. */
  static int room(int length) {
    return Math.addExact(length, length / 8 + 520);
  }

  /**
   * Appends a block.
   *
   * @param length at least 1
   * @param last whether the stream ends with it, at a whole byte
   * @param out with {@link #room} from {@code at} on
   * @return where the next block goes on
   */
  int block(byte[] in, int from, int length, boolean last, byte[] out, int at) {
    int[] codes = codes(frequencies(in, from, length), LONGEST);
    int to = head(codes, last, out, at);
    long bits = this.bits;
    int count = this.count; // below 8
    int end = from + length;
    int i = from;
    for (; i + 2 < end; i += 3) { // 8 bytes hold what is left and three codes of 15 bits
      int a = codes[in[i] & 255];
      int b = codes[in[i + 1] & 255];
      int c = codes[in[i + 2] & 255];
      int ab = (a >>> 16) + (b >>> 16);
      long three = (a & 0xffff) | (b & 0xffffL) << (a >>> 16) | (c & 0xffffL) << ab;
      bits |= three << count;
      LONGS.set(out, to, bits);
      count += ab + (c >>> 16);
      to += count >>> 3;
      bits >>>= count & 56;
      count &= 7;
    }
    this.bits = bits;
    this.count = count;
    for (; i < end; i++) {
      to = put(codes[in[i] & 255], out, to);
    }
    to = put(codes[END], out, to);
    return last ? put(code(0, 7), out, to) : to; // bits that nobody reads push the last ones out
  }

  private static int[] frequencies(byte[] in, int from, int length) {
    int[] even = new int[SYMBOLS];
    int[] odd = new int[SYMBOLS]; // two counts of a value that comes twice need not wait
    int end = from + length;
    int i = from;
    for (; i + 1 < end; i += 2) {
      even[in[i] & 255]++;
      odd[in[i + 1] & 255]++;
    }
    if (i < end) {
      even[in[i] & 255]++;
    }
    for (int s = 0; s < SYMBOLS; s++) {
      even[s] += odd[s];
    }
    even[END] = 1;
    return even;
  }

  /** The head of a block: the lengths of its codes, as runs, in a code of their own. */
  private int head(int[] codes, boolean last, byte[] out, int at) {
    int[] lengths = new int[SYMBOLS + 1];
    for (int s = 0; s < SYMBOLS; s++) {
      lengths[s] = codes[s] >>> 16;
    }
    lengths[SYMBOLS] = 1; // one distance, which is never used
    int[] runs = new int[lengths.length];
    int[] frequencies = new int[ORDER.length];
    int n = 0;
    for (int s = 0; s < lengths.length; ) {
      int run = 1;
      while (s + run < lengths.length && lengths[s + run] == lengths[s]) {
        run++;
      }
      int symbol = lengths[s];
      if (symbol == 0 && run >= 3) { // 17: 3 to 10 zeros, 18: 11 to 138
        run = Math.min(run, 138);
        symbol = run < 11 ? extended(17, run - 3, 3) : extended(18, run - 11, 7);
      } else if (run >= 4) { // the length, and 16: the same 3 to 6 times more
        run = Math.min(run, 7);
        runs[n++] = symbol;
        frequencies[symbol]++;
        symbol = extended(16, run - 4, 2);
      } else {
        run = 1;
      }
      runs[n++] = symbol;
      frequencies[symbol & 31]++;
      s += run;
    }
    int[] code = codes(frequencies, LONGEST_OF_LENGTHS);
    int told = ORDER.length;
    while (code[ORDER[told - 1]] == 0) {
      told--;
    }
    int to = put(code(last ? 5 : 4, 3), out, at); // with codes of its own
    to = put(code(0, 5), out, to); // 257 literals
    to = put(code(0, 5), out, to); // 1 distance
    to = put(code(told - 4, 4), out, to);
    for (int k = 0; k < told; k++) {
      to = put(code(code[ORDER[k]] >>> 16, 3), out, to);
    }
    for (int k = 0; k < n; k++) {
      to = put(code[runs[k] & 31], out, to);
      to = put(code((runs[k] >> 5) & 127, runs[k] >>> 12), out, to);
    }
    return to;
  }

  /** A code: its bits, and how many they are above the sixteenth. */
  private static int code(int bits, int length) {
    return bits | (length << 16);
  }

  /** A symbol of the code of lengths with bits that follow it. */
  private static int extended(int symbol, int bits, int length) {
    return symbol | (bits << 5) | (length << 12);
  }

  /** Appends a code. */
  private int put(int code, byte[] out, int at) {
    bits |= (long) (code & 0xffff) << count;
    count += code >>> 16;
    int to = at;
    for (; count >= 8; count -= 8, bits >>>= 8) {
      out[to++] = (byte) bits;
    }
    return to;
  }

  /**
   * A prefix code for symbols of these frequencies, as {@link #put} takes it: the shortest, or
   * nearly so where that would have codes above a length. 0 for what does not occur.
   */
  static int[] codes(int[] frequencies, int longest) {
    int[] lengths = lengths(frequencies);
    for (int[] flat = frequencies; longest(lengths) > longest; lengths = lengths(flat)) {
      flat = flat.clone();
      for (int s = 0; s < flat.length; s++) {
        flat[s] = (flat[s] + 1) / 2; // less skewed
      }
    }
    int[] next = new int[longest + 2]; // the next code of each length
    for (int length : lengths) {
      next[length + 1] += length > 0 ? 1 : 0;
    }
    for (int length = 2; length <= longest; length++) {
      next[length] = (next[length] + next[length - 1]) << 1;
    }
    int[] codes = new int[lengths.length];
    for (int s = 0; s < lengths.length; s++) {
      int length = lengths[s];
      if (length > 0) { // the first bit comes first
        codes[s] = code(Integer.reverse(next[length]++) >>> (32 - length), length);
      }
    }
    return codes;
  }

  private static int longest(int[] lengths) {
    int longest = 0;
    for (int length : lengths) {
      longest = Math.max(longest, length);
    }
    return longest;
  }

  /** How deep each symbol stands in Huffman's tree; 1 for the only one. */
  private static int[] lengths(int[] frequencies) {
    int n = 0;
    long[] leaves = new long[frequencies.length];
    for (int s = 0; s < frequencies.length; s++) {
      if (frequencies[s] > 0) {
        leaves[n++] = ((long) frequencies[s] << 32) | s;
      }
    }
    Arrays.sort(leaves, 0, n);
    int[] lengths = new int[frequencies.length];
    if (n == 1) {
      lengths[(int) leaves[0]] = 1;
      return lengths;
    }
    // Nodes are made in the order of their weights, so the two lightest are at the front of the
    // leaves or of the nodes.
    long[] weights = new long[n];
    int[] parents = new int[2 * n];
    int leaf = 0;
    int node = 0;
    for (int made = 0; made < n - 1; made++) {
      for (int k = 0; k < 2; k++) {
        boolean takesLeaf = leaf < n && (node >= made || (leaves[leaf] >>> 32) <= weights[node]);
        weights[made] += takesLeaf ? leaves[leaf] >>> 32 : weights[node];
        parents[takesLeaf ? leaf++ : n + node++] = made;
      }
    }
    int[] depths = new int[n];
    for (int k = n - 3; k >= 0; k--) { // the last node is the root
      depths[k] = depths[parents[n + k]] + 1;
    }
    for (int k = 0; k < n; k++) {
      lengths[(int) leaves[k]] = depths[parents[k]] + 1;
    }
    return lengths;
  }
}
