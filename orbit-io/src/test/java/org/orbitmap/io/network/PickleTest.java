package org.orbitmap.io.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;

/** Programs of pickles and the values that they build; numbers of every type. */
class PickleTest {
  @TempDir Path folder;

  private static Object built(String program) throws IOException {
    return Pickle.read(Path.of("x"), program.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void numbers() throws IOException {
    assertThat(built("K\377.")).isEqualTo(255L);
    assertThat(built("M\1\2.")).isEqualTo(513L);
    assertThat(built("M\377\377.")).isEqualTo(65535L);
    assertThat(built("J\376\377\377\377.")).isEqualTo(-2L);
    assertThat(built("\212\0.")).isEqualTo(0L);
    assertThat(built("\212\1\377.")).isEqualTo(-1L);
    assertThat(built("\212\2\0\1.")).isEqualTo(256L);
    assertThat(built("\212\2\377\0.")).isEqualTo(255L);
    assertThat(built("\212\10\0\0\0\0\0\0\0\200.")).isEqualTo(Long.MIN_VALUE);
    assertThatThrownBy(() -> built("\212\11\0\0\0\0\0\0\0\0\0."))
        .hasMessageContaining("a whole number of 9 bytes");
    assertThat(built("G\77\370\0\0\0\0\0\0.")).isEqualTo(1.5);
    assertThat(built("\210.")).isEqualTo(true);
    assertThat(built("\211.")).isEqualTo(false);
    assertThat(built("N.")).isSameAs(Pickle.NONE);
  }

  @Test
  void textsAndProtocols() throws IOException {
    assertThat(built("X\2\0\0\0ab.")).isEqualTo("ab");
    assertThat(built("\214\2\303\274.")).isEqualTo("ü");
    assertThat(built("\200\4\225\3\0\0\0\0\0\0\0U\1a.")).isEqualTo("a");
    assertThatThrownBy(() -> built("X\2\0\0\0a")).hasMessageContaining("a damaged one");
    assertThatThrownBy(() -> built("X\377\377\377\377a.")).hasMessageContaining("a damaged one");
  }

  @Test
  void collections() throws IOException {
    assertThat(built("](K\1K\2e.")).isEqualTo(List.of(1L, 2L));
    assertThat(built("]K\1a.")).isEqualTo(List.of(1L));
    assertThat(built("\217(K\1K\2\220.")).isEqualTo(List.of(1L, 2L));
    assertThat(built(").")).isEqualTo(List.of());
    assertThat(built("(K\1K\2t.")).isEqualTo(List.of(1L, 2L));
    assertThat(built("K\1\205.")).isEqualTo(List.of(1L));
    assertThat(built("K\1K\2\206.")).isEqualTo(List.of(1L, 2L));
    assertThat(built("K\1K\2K\3\207.")).isEqualTo(List.of(1L, 2L, 3L));
    assertThat(built("}U\1aK\1s.")).isEqualTo(Map.of("a", 1L));
    assertThat(built("}(U\1aK\1K\2\210u.")).isEqualTo(Map.of("a", 1L, 2L, true));
    assertThat(built("}\210K\1s.")).isEqualTo(Map.of(true, 1L));
    assertThat(built("ccollections\nOrderedDict\n)R.")).isEqualTo(Map.of());
    assertThat(built("ccollections\nOrderedDict\n](U\1aK\1\206U\1bK\2\206e\205R."))
        .isEqualTo(Map.of("a", 1L, "b", 2L));
    assertThat(built("ctorch\nSize\n(K\2K\3t\205R.")).isEqualTo(List.of(2L, 3L));
    assertThat(built("cbuiltins\nset\n)R.")).isEqualTo(List.of());
    assertThat(built("}U\1aK\1s}U\10_metadataK\1sb.".replace("\10", "\t")))
        .as("what is said of a dictionary is dropped")
        .isEqualTo(Map.of("a", 1L));
    assertThatThrownBy(() -> built("]}b.")).hasMessageContaining("no dictionary");
    assertThatThrownBy(() -> built("}]K\1s.")).hasMessageContaining("neither texts nor numbers");
  }

  /** What is remembered by number, in each of the three ways, and what is thrown away. */
  @Test
  void memory() throws IOException {
    assertThat(built("K\7q\5K\1h\5\206.")).isEqualTo(List.of(1L, 7L).subList(0, 2));
    assertThat(built("K\7r\0\1\0\0K\1j\0\1\0\0\206.")).isEqualTo(List.of(1L, 7L));
    assertThat(built("K\7\224K\10\224h\1h\0\206.")).isEqualTo(List.of(8L, 7L));
    assertThat(built("K\1K\0020.")).isEqualTo(1L);
    assertThat(built("K\1(K\2K\0031.")).isEqualTo(1L);
    for (String bad : new String[] {"h\3.", "j\3\0\0\0.", "1.", "(.", "(0.", "K\1e.", "a."}) {
      assertThatThrownBy(() -> built(bad))
          .as(bad)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("a damaged one");
    }
  }

  private static String tensor(String offset, String shape, String stride) {
    return "ctorch._utils\n_rebuild_tensor_v2\n((U\7storagectorch\nHalfStorage\nU\0010U\3cpuK\6tQ"
        + "%s%s%s\211)tR.".formatted(offset, shape, stride);
  }

  /** A view must lie within its storage: here of six numbers. */
  @Test
  void tensorsAreViews() throws IOException {
    Pickle.Tensor whole = (Pickle.Tensor) built(tensor("K\0", "K\2K\3\206", "K\3K\1\206"));
    assertThat(whole.count()).isEqualTo(6);
    assertThat(whole.storage()).isEqualTo(new Pickle.Storage(NumberType.F16, "0", 6));
    assertThat(whole.shape()).containsExactly(2, 3);
    assertThat(whole.stride()).containsExactly(3, 1);
    Pickle.Tensor last = (Pickle.Tensor) built(tensor("K\5", "K\1\205", "K\1\205"));
    assertThat(last.offset()).isEqualTo(5);
    assertThat(((Pickle.Tensor) built(tensor("K\6", "K\0\205", "K\1\205"))).count()).isZero();
    assertThat(((Pickle.Tensor) built(tensor("K\0", ")", ")"))).count()).isEqualTo(1);
    String[][] bad = {
      {"K\6", "K\1\205", "K\1\205"},
      {"K\1", "K\2K\3\206", "K\3K\1\206"},
      {"K\0", "K\3\205", "K\3\205"},
      {"K\0", "K\7\205", "K\0\205"},
      {"K\0", "K\2K\3\206", "K\3\205"},
      {"J\377\377\377\377", "K\1\205", "K\1\205"},
      {"K\0", "J\377\377\377\377\205", "K\1\205"},
      {"K\0", "K\1\205", "J\377\377\377\377\205"}
    };
    for (String[] b : bad) {
      assertThatThrownBy(() -> built(tensor(b[0], b[1], b[2])))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("a tensor within its storage of 6 numbers");
    }
    assertThatThrownBy(() -> built(tensor("K\0", ")", ")").replace("U\7storage", "U\7another")))
        .hasMessageContaining("a storage with its key");
    assertThatThrownBy(() -> built(tensor("K\0", ")", ")").replace("U\0010", "U\1/")))
        .hasMessageContaining("a storage with its key");
  }

  /** IEEE 754 in half precision, with its limits. */
  @ParameterizedTest
  @CsvSource({
    "0x0000, 0",
    "0x3c00, 1",
    "0xc000, -2",
    "0x3555, 0.333251953125",
    "0x7bff, 65504",
    "0x0001, 5.9604644775390625e-8",
    "0x03ff, 6.097555160522461e-5",
    "0x0400, 6.103515625e-5",
    "0x8001, -5.9604644775390625e-8",
    "0x7c00, Infinity",
    "0xfc00, -Infinity",
    "0x7e00, NaN"
  })
  void halves(String bits, float value) {
    assertThat(NumberType.half((short) Integer.decode(bits).intValue()))
        .isEqualTo(Float.valueOf(value));
  }

  @ParameterizedTest
  @CsvSource({
    "F64, Double, 8", "F32, Float, 4", "F16, Half, 2", "BF16, BFloat16, 2", "I64, Long, 8",
    "I32, Int, 4", "I16, Short, 2", "I8, Char, 1", "U8, Byte, 1", "BOOL, Bool, 1"
  })
  void numbersOfEveryType(String name, String storage, int bytes) {
    NumberType type = NumberType.named(name).orElseThrow();
    assertThat(NumberType.ofStorage(storage + "Storage")).contains(type);
    assertThat(type.bytes()).isEqualTo(bytes);
    ByteBuffer b = ByteBuffer.allocate(2 * bytes).order(ByteOrder.LITTLE_ENDIAN);
    float expected =
        switch (type) {
          case F64 -> {
            b.putDouble(8, 0.1);
            yield 0.1f;
          }
          case F32 -> {
            b.putFloat(4, 0.1f);
            yield 0.1f;
          }
          case F16 -> {
            b.putShort(2, (short) 0x3e00);
            yield 1.5f;
          }
          case BF16 -> {
            b.putShort(2, (short) 0xbfc0);
            yield -1.5f;
          }
          default -> {
            b.put(bytes, (byte) 0xfe);
            for (int i = 1; i < bytes; i++) {
              b.put(bytes + i, (byte) 0xff);
            }
            yield type == NumberType.U8 ? 254 : type == NumberType.BOOL ? 1 : -2;
          }
        };
    assertThat(type.at(b, 0)).isZero();
    assertThat(type.at(b, 1)).isEqualTo(expected);
    assertThat(NumberType.named("F8")).isEmpty();
    assertThat(NumberType.ofStorage("Storage")).isEmpty();
  }

  private Path safetensors(String header, int bytes) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer b = ByteBuffer.allocate(8 + text.length + bytes).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(text.length).put(text);
    for (int i = 0; i < bytes; i++) {
      b.put((byte) (i == 0 ? 0 : i == 1 ? 0x3c : 0));
    }
    return Files.write(folder.resolve("x.safetensors"), b.array());
  }

  /** Files of others: types, places and sizes must agree. */
  @Test
  void safetensorsOfOthers() throws IOException {
    String a = "\"a\":{\"dtype\":\"F16\",\"shape\":[1,2],\"data_offsets\":[0,4]}";
    Path file = safetensors("{\"__metadata__\":{\"k\":\"v\"}," + a + "}", 4);
    try (TensorFile opened = TensorFile.open(file)) {
      assertThat(opened.format()).isEqualTo("safetensors");
      assertThat(opened.metadata()).isEqualTo(Map.of("k", "v"));
      assertThat(opened.entries().get("a")).hasToString("F16 [1, 2]");
      assertThat(opened.entries().get("a").count()).isEqualTo(2);
      assertThat(opened.read("a"))
          .isEqualTo(new FloatTensor(new long[] {1, 2}, new float[] {1, 0}));
    }
    TensorFile.Entry entry = new TensorFile.Entry("F16", new long[] {1, 2});
    assertThat(entry)
        .isEqualTo(new TensorFile.Entry("F16", new long[] {1, 2}))
        .hasSameHashCodeAs(new TensorFile.Entry("F16", new long[] {1, 2}))
        .isNotEqualTo(new TensorFile.Entry("F32", new long[] {1, 2}))
        .isNotEqualTo(new TensorFile.Entry("F16", new long[] {2, 1}));
    assertThatThrownBy(() -> Safetensors.read(file)).hasMessageContaining("tensors of type F32");
    String[] bad = {
      "{\"a\":{\"dtype\":\"F8\",\"shape\":[2],\"data_offsets\":[0,4]}}",
      "{\"a\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[0,4]}}",
      "{\"a\":{\"dtype\":\"F16\",\"shape\":[-2],\"data_offsets\":[0,4]}}",
      "{\"a\":{\"dtype\":\"F16\",\"shape\":2,\"data_offsets\":[0,4]}}",
      "{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[-4,0]}}",
      "{\"a\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[4,8]}}",
      "{\"a\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[0,2]}}",
      "{\"a\":{\"dtype\":\"F16\",\"shape\":[999999999,999999999,0],\"data_offsets\":[0,0]}}",
      "{\"a\":1}",
      "{\"a\"",
      "{}",
    };
    for (String header : bad) {
      Path wrong = safetensors(header, 4);
      assertThatThrownBy(() -> TensorFile.open(wrong).close())
          .as(header)
          .isInstanceOf(FormatException.class);
    }
    Path array = safetensors("[1]", 0);
    assertThatThrownBy(() -> SafetensorsFile.open(array).close())
        .hasMessageContaining("a JSON header");
    byte[] longer = Files.readAllBytes(safetensors("{" + a + "}", 4));
    longer[0]++; // a header that would end in the numbers
    Files.write(folder.resolve("x.safetensors"), longer);
    assertThatThrownBy(() -> TensorFile.open(folder.resolve("x.safetensors")).close())
        .isInstanceOf(FormatException.class);
  }

  @Test
  void partsOfAFile() {
    FloatTensor t = new FloatTensor(new long[] {1}, new float[] {1});
    Safetensors all = new Safetensors(Map.of(), Map.of("a.x", t, "b.x", t));
    assertThat(all.part("a.")).isEqualTo(Map.of("x", t));
    assertThat(all.part("c.")).isEmpty();
  }
}
