package org.orbitmap.io;

/**
 * A number for each of many names: 21 to 43 bytes each, however long the names are. Names are told
 * apart by 64 bits of their hash; of a million, two are taken for one with a probability of 3e-8,
 * so whoever cannot bear that looks at what the number leads to.
 */
public final class NameIndex {
  private long[] keys = new long[1024]; // 0: nothing there
  private long[] values = new long[1024];
  private int size;

  /** The number of a name. */
  public long get(String name, long otherwise) {
    int at = place(hash(name));
    return keys[at] == 0 ? otherwise : values[at];
  }

  /** Whether the name has a number. */
  public boolean contains(String name) {
    return keys[place(hash(name))] != 0;
  }

  /** Gives a name a number, instead of another if it has one. */
  public void put(String name, long value) {
    if (4 * size > 3 * keys.length) {
      grow();
    }
    long key = hash(name);
    int at = place(key);
    size += keys[at] == 0 ? 1 : 0;
    keys[at] = key;
    values[at] = value;
  }

  /** Where a key is, or would be. */
  private int place(long key) {
    int mask = keys.length - 1;
    int at = (int) key & mask;
    while (keys[at] != 0 && keys[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  private void grow() {
    long[] before = keys;
    long[] numbers = values;
    keys = new long[2 * before.length];
    values = new long[2 * before.length];
    for (int i = 0; i < before.length; i++) {
      if (before[i] != 0) {
        int at = place(before[i]);
        keys[at] = before[i];
        values[at] = numbers[i];
      }
    }
  }

  /** A polynomial of the characters modulo 2⁶⁴, mixed so that every bit depends on every one. */
  private static long hash(String name) {
    long h = name.length();
    for (int i = 0; i < name.length(); i++) {
      h = (h + name.charAt(i)) * 0x9e3779b97f4a7c15L;
      h ^= h >>> 32;
    }
    h = (h ^ h >>> 30) * 0xbf58476d1ce4e5b9L;
    h = (h ^ h >>> 27) * 0x94d049bb133111ebL;
    h ^= h >>> 31;
    return h == 0 ? 1 : h;
  }
}
