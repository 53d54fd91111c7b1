package org.orbitmap.io.cloud.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.orbitmap.io.ByteCursor;
import org.orbitmap.io.FormatException;

/**
 * The header of a PLY file: how its numbers are stored, and what they are.
 *
 * @param encoding of all numbers
 * @param elements in the order of the file
 */
public record PlyHeader(Encoding encoding, List<Element> elements) {
  /** How the numbers are stored. */
  public enum Encoding {
    ASCII("ascii"),
    LITTLE("binary_little_endian"),
    BIG("binary_big_endian");

    final String word;

    Encoding(String word) {
      this.word = word;
    }
  }

  /** How a number is stored. */
  enum Type {
    INT8(1),
    UINT8(1),
    INT16(2),
    UINT16(2),
    INT32(4),
    UINT32(4),
    FLOAT(4),
    DOUBLE(8);

    final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }

    static Type of(ByteCursor in, String word) throws FormatException {
      return switch (word) {
        case "char", "int8" -> INT8;
        case "uchar", "uint8" -> UINT8;
        case "short", "int16" -> INT16;
        case "ushort", "uint16" -> UINT16;
        case "int", "int32" -> INT32;
        case "uint", "uint32" -> UINT32;
        case "float", "float32" -> FLOAT;
        case "double", "float64" -> DOUBLE;
        default -> throw in.error("a property type such as float", "'" + word + "'");
      };
    }

    double get(ByteBuffer b, int at) {
      return switch (this) {
        case INT8 -> b.get(at);
        case UINT8 -> b.get(at) & 0xff;
        case INT16 -> b.getShort(at);
        case UINT16 -> b.getShort(at) & 0xffff;
        case INT32 -> b.getInt(at);
        case UINT32 -> b.getInt(at) & 0xffffffffL;
        case FLOAT -> b.getFloat(at);
        case DOUBLE -> b.getDouble(at);
      };
    }
  }

  /** A number, or a list if it has a type for the count. */
  record Property(String name, Type type, Type count) {}

  /** What the file has so many of, such as vertices. */
  record Element(String name, long count, List<Property> properties) {
    /** Whether one has lists, and so no fixed length. */
    boolean lists() {
      return properties.stream().anyMatch(p -> p.count != null);
    }

    /** The bytes of one, with empty lists. */
    int bytes() {
      return properties.stream()
          .mapToInt(p -> p.count == null ? p.type.bytes : p.count.bytes)
          .sum();
    }
  }

  /** Reads the header; the numbers follow. */
  static PlyHeader read(ByteCursor in) throws FormatException {
    List<Element> elements = new ArrayList<>();
    String magic = in.line();
    if (magic == null || !magic.trim().equals("ply")) {
      throw in.error("the word ply", magic == null ? "an empty file" : "'" + magic + "'");
    }
    Encoding encoding = null;
    while (true) {
      String line = in.line();
      if (line == null) {
        throw in.error("end_header", "the end of the file");
      }
      String[] words = line.trim().split("\\s+", -1);
      switch (words[0]) {
        case "end_header" -> {
          if (encoding == null) {
            throw in.error("a line such as 'format ascii 1.0'", "none");
          }
          return new PlyHeader(encoding, elements);
        }
        case "format" -> {
          for (Encoding e : Encoding.values()) {
            if (words.length > 1 && words[1].equals(e.word)) {
              encoding = e;
            }
          }
          if (encoding == null) {
            throw in.error("ascii, binary_little_endian or binary_big_endian", "'" + line + "'");
          }
        }
        case "element" -> {
          long count = words.length == 3 ? whole(words[2]) : -1;
          if (count < 0) {
            throw in.error("an element's name and count", "'" + line + "'");
          }
          elements.add(new Element(words[1], count, new ArrayList<>()));
        }
        case "property" -> {
          boolean list = words.length == 5 && words[1].equals("list");
          if (elements.isEmpty() || (words.length != 3 && !list)) {
            throw in.error("a property of an element", "'" + line + "'");
          }
          elements
              .get(elements.size() - 1)
              .properties
              .add(
                  list
                      ? new Property(words[4], Type.of(in, words[3]), Type.of(in, words[2]))
                      : new Property(words[2], Type.of(in, words[1]), null));
        }
        case "comment", "obj_info", "" -> {}
        default -> throw in.error("a header line of PLY", "'" + line + "'");
      }
    }
  }

  private static long whole(String word) {
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
