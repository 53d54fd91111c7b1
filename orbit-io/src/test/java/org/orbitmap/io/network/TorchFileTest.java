package org.orbitmap.io.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;

/** State dictionaries of PyTorch: what is read, and what is refused. */
class TorchFileTest {
  private static final int MUTANTS = Boolean.getBoolean("orbit.long") ? 20_000 : 800;

  @TempDir Path folder;

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = TorchFileTest.class.getResourceAsStream("/torch/" + name)) {
      return in.readAllBytes();
    }
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("x.pth"), bytes);
  }

  private static Map<String, FloatTensor> all(Path file) throws IOException {
    Map<String, FloatTensor> all = new LinkedHashMap<>();
    try (TensorFile opened = TensorFile.open(file)) {
      for (String name : opened.entries().keySet()) {
        all.put(name, opened.read(name));
      }
    }
    return all;
  }

  @Test
  void readsWhatTorchSaves() throws IOException {
    Map<String, FloatTensor> plain = all(file(resource("plain.pth")));
    assertThat(plain.keySet())
        .containsExactly(
            "0.weight",
            "0.bias",
            "1.weight",
            "1.bias",
            "1.running_mean",
            "1.running_var",
            "1.num_batches_tracked");
    assertThat(plain.get("0.weight"))
        .isEqualTo(
            new FloatTensor(new long[] {2, 3}, new float[] {.25f, .5f, .75f, 1, 1.25f, 1.5f}));
    assertThat(plain.get("1.num_batches_tracked"))
        .isEqualTo(new FloatTensor(new long[0], new float[1]));
    assertThat(TorchFile.isStateDictionary(folder.resolve("x.pth"))).isTrue();
  }

  @Test
  void readsViewsAndEveryType() throws IOException {
    Map<String, FloatTensor> read = all(file(resource("nested.pth")));
    assertThat(read.get("module.turned"))
        .isEqualTo(new FloatTensor(new long[] {3, 2}, new float[] {0, 3, 1, 4, 2, 5}));
    assertThat(read.get("module.part"))
        .isEqualTo(new FloatTensor(new long[] {1, 2}, new float[] {4, 5}));
    assertThat(read.get("module.half").values())
        .containsExactly(1.5f, -2, 65504, 0x1p-24f, Float.POSITIVE_INFINITY);
    assertThat(read.get("module.brain").values()).containsExactly(1.5f, -3);
    assertThat(read.get("module.double").values()).containsExactly(0.1f);
    assertThat(read.get("module.parameter").values()).containsExactly(1, 1);
    assertThat(read.get("module.whole").values()).containsExactly(7);
    assertThat(read.get("module.bytes").values()).containsExactly(200, 3);
    assertThat(read.get("module.truth").values()).containsExactly(1, 0);
    assertThat(read.get("module.scalar"))
        .isEqualTo(new FloatTensor(new long[0], new float[] {2.5f}));
  }

  /** Programs in a pickle; each would do something in Python. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "cos\nsystem\n(X\5\0\0\0touch\u0085R.",
        "cposix\nsystem\nX\2\0\0\0ls\u0085R.",
        "c__builtin__\neval\nX\1\0\0\0001\u0085R.",
        "cbuiltins\nexec\nX\1\0\0\0001\u0085R.",
        "csubprocess\nPopen\n).",
        "ctorch\nload\n).",
        "ctorch.nn.modules.linear\nLinear\n)\u0081.",
        "ctorch.storage\n_load_from_bytes\n).",
        "cnumpy.core.multiarray\n_reconstruct\n).",
        "\u0080\4\u008c\2os\u008c\6system\u0093.",
        "(ios\nsystem\n.",
        "(cos\nsystem\no.",
        "P1\n.",
        "\u0082\1.",
      })
  void nothingIsExecuted(String program) throws IOException {
    Path file = file(archive(Map.of("data.pkl", program.getBytes(StandardCharsets.ISO_8859_1))));
    assertThatThrownBy(() -> TensorFile.open(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("x.pth: expected tensors and plain values and nothing to execute")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void whatIsRefusedIsNamed() throws IOException {
    byte[] program = "cos\nsystem\n)R.".getBytes(StandardCharsets.ISO_8859_1);
    Path file = file(archive(Map.of("data.pkl", program)));
    assertThatThrownBy(() -> TensorFile.open(file)).hasMessageContaining("found os.system");
  }

  /** A list in itself, keys that are lists, and more values than there is memory for. */
  @Test
  void oddStructuresAreRefused() throws IOException {
    for (String program :
        new String[] {
          "]q\0h\0a.",
          "}]Ns.",
          "}q\0X\1\0\0\0ah\0s.",
          "R.",
          ".",
          "h\5.",
          "t.",
          "}(NNNu.",
          "K\1K\2s."
        }) {
      Path file = file(archive(Map.of("data.pkl", program.getBytes(StandardCharsets.ISO_8859_1))));
      assertThatThrownBy(() -> TensorFile.open(file))
          .as(program)
          .isInstanceOf(FormatException.class);
    }
    byte[] many = new byte[5_000_000];
    Arrays.fill(many, (byte) ']');
    Path file = file(archive(Map.of("data.pkl", many)));
    assertThatThrownBy(() -> TensorFile.open(file)).hasMessageContaining("4,000,000 values");
  }

  /** Little on disk that would be much in memory. */
  @Test
  void bombsAreRefused() throws IOException {
    Path zeros = file(archive(Map.of("data.pkl", new byte[20_000_000])));
    assertThat(Files.size(zeros)).isLessThan(100_000);
    assertThatThrownBy(() -> TensorFile.open(zeros)).hasMessageContaining("at most 16,000,000");

    Map<String, byte[]> parts = parts(file(resource("plain.pth")));
    parts.put("data/0", new byte[50_000_000]);
    Path large = file(archive(parts));
    assertThat(Files.size(large)).isLessThan(200_000);
    assertThatThrownBy(() -> all(large)).hasMessageContaining("6 numbers F32 in data/0");

    // a million numbers that are one number
    String view =
        "}X\1\0\0\0actorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\n"
            + "X\1\0\0\0000X\3\0\0\0cpuK\1tQK\0J\0\0\u0010\0\u0085K\0\u0085\u0089)tRs.";
    parts.put("data.pkl", view.getBytes(StandardCharsets.ISO_8859_1));
    Path wide = file(archive(parts));
    assertThatThrownBy(() -> TensorFile.open(wide)).hasMessageContaining("storage of 1 numbers");
  }

  @Test
  void otherFilesAreTold() throws IOException {
    assertThatThrownBy(() -> TensorFile.open(file(new byte[] {(byte) 0x80, 2, '.'})))
        .hasMessageContaining("PyTorch 1.6");
    assertThatThrownBy(() -> TensorFile.open(file(new byte[0])))
        .hasMessageContaining("something else");
    assertThatThrownBy(() -> TensorFile.open(file("PK nothing".getBytes(StandardCharsets.UTF_8))))
        .isInstanceOf(FormatException.class);
    assertThatThrownBy(() -> TensorFile.open(file(archive(Map.of("readme", new byte[3])))))
        .hasMessageContaining("one data.pkl");
  }

  /** Damaged files give other numbers never, but an error of one line, or nothing is damaged. */
  @Test
  void mutantsAreRefused() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (String name : new String[] {"plain.pth", "nested.pth"}) {
      byte[] good = resource(name);
      Map<String, byte[]> parts = parts(file(good));
      Map<String, FloatTensor> expected = all(file(good));
      for (int k = 0; k < MUTANTS / 2; k++) {
        boolean inside = k % 2 == 0;
        byte[] mutant;
        if (inside) { // the pickle changed, the archive whole
          Map<String, byte[]> changed = new LinkedHashMap<>(parts);
          changed.put("data.pkl", mutated(parts.get("data.pkl"), random));
          mutant = archive(changed);
        } else {
          mutant = mutated(good, random);
        }
        Path file = file(mutant);
        try {
          Map<String, FloatTensor> read = all(file);
          if (!inside) { // names of other entries may change, numbers may not
            read.forEach((n, t) -> assertThat(t).as("%s %s", name, n).isEqualTo(expected.get(n)));
          }
        } catch (FormatException e) {
          assertThat(e.getMessage()).startsWith(file.toString()).doesNotContain("\n");
        }
      }
    }
  }

  private static byte[] mutated(byte[] good, SplittableRandom random) {
    byte[] bad = good.clone();
    switch (random.nextInt(4)) {
      case 0 -> bad = Arrays.copyOf(bad, random.nextInt(bad.length));
      case 1 -> {
        int at = random.nextInt(bad.length);
        int n = Math.min(bad.length - at, 1 + random.nextInt(16));
        System.arraycopy(good, random.nextInt(bad.length - n + 1), bad, at, n);
      }
      default -> {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
          bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
        }
      }
    }
    return bad;
  }

  private static Map<String, byte[]> parts(Path archive) throws IOException {
    Map<String, byte[]> parts = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry e : zip.stream().toList()) {
        try (InputStream in = zip.getInputStream(e)) {
          parts.put(e.getName().substring(e.getName().indexOf('/') + 1), in.readAllBytes());
        }
      }
    }
    return parts;
  }

  /** As PyTorch writes it, but that long parts are compressed. */
  private static byte[] archive(Map<String, byte[]> parts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> part : parts.entrySet()) {
        ZipEntry e = new ZipEntry("x/" + part.getKey());
        if (part.getValue().length < 100_000) {
          CRC32 crc = new CRC32();
          crc.update(part.getValue());
          e.setMethod(ZipEntry.STORED);
          e.setSize(part.getValue().length);
          e.setCrc(crc.getValue());
        }
        out.putNextEntry(e);
        out.write(part.getValue());
      }
    }
    return bytes.toByteArray();
  }
}
