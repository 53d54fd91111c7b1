package org.orbitmap.io.network;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Stream;

/** The types of numbers in files of tensors, little-endian; all are read as 32-bit floats. */
enum NumberType {
  F64("Double", 8),
  F32("Float", 4),
  F16("Half", 2),
  BF16("BFloat16", 2),
  I64("Long", 8),
  I32("Int", 4),
  I16("Short", 2),
  I8("Char", 1),
  U8("Byte", 1),
  BOOL("Bool", 1);

  private final String storage;
  private final int bytes;

  NumberType(String storage, int bytes) {
    this.storage = storage;
    this.bytes = bytes;
  }

  /** The bytes of one number. */
  int bytes() {
    return bytes;
  }

  /** The type of a storage of PyTorch, such as {@code HalfStorage}. */
  static Optional<NumberType> ofStorage(String name) {
    return Stream.of(values()).filter(t -> name.equals(t.storage + "Storage")).findFirst();
  }

  /** The type with this name in a safetensors file. */
  static Optional<NumberType> named(String name) {
    return Stream.of(values()).filter(t -> t.name().equals(name)).findFirst();
  }

  /** Number i of some that follow each other. */
  float at(ByteBuffer from, int i) {
    int at = i * bytes;
    return switch (this) {
      case F64 -> (float) from.getDouble(at);
      case F32 -> from.getFloat(at);
      case F16 -> half(from.getShort(at));
      case BF16 -> Float.intBitsToFloat(from.getShort(at) << 16);
      case I64 -> from.getLong(at);
      case I32 -> from.getInt(at);
      case I16 -> from.getShort(at);
      case I8 -> from.get(at);
      case U8 -> from.get(at) & 255;
      case BOOL -> from.get(at) == 0 ? 0 : 1;
    };
  }

  /** A number in half precision: 1 bit of sign, 5 of exponent, 10 of fraction (IEEE 754). */
  static float half(short bits) {
    int sign = bits << 16 & 0x80000000;
    int exponent = bits >> 10 & 31;
    int fraction = bits & 1023;
    if (exponent == 0) {
      return Math.copySign(fraction * 0x1p-24f, Float.intBitsToFloat(sign | 0x3f800000));
    }
    int wide = exponent == 31 ? 255 : exponent + 112;
    return Float.intBitsToFloat(sign | wide << 23 | fraction << 13);
  }
}
