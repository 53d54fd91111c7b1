package org.orbitmap.nn.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.openblas.presets.openblas_nolapack;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.network.FloatTensor;

class EngineTest {
  @TempDir Path cache;

  /** Says which libraries were unpacked before the engine was loaded, and then loads it. */
  public static final class Child {
    private Child() {}

    /** Arguments: the folder that libraries are unpacked into. */
    public static void main(String[] args) throws IOException {
      Engine.unpack();
      List<String> before = libraries(Path.of(args[0]));
      if (!before.equals(List.of("libc10.so", "libtorch_cpu.so"))) {
        throw new IllegalStateException("unpacked before loading: " + before);
      }
      Engine.threads(1);
      if (Engine.threads() != 1) {
        throw new IllegalStateException("threads: " + Engine.threads());
      }
      if (openblas_nolapack.blas_get_num_threads() != 1) { // products have threads of their own
        throw new IllegalStateException("threads: " + openblas_nolapack.blas_get_num_threads());
      }
    }

    private static List<String> libraries(Path folder) throws IOException {
      try (Stream<Path> files = Files.walk(folder)) {
        return files
            .map(f -> f.getFileName().toString())
            .filter(f -> f.startsWith("lib") && f.contains(".so"))
            .sorted()
            .toList();
      }
    }
  }

  @Test
  void theDeviceIsChosen() {
    for (String auto : new String[] {null, " ", "auto"}) {
      assertThat(Engine.choose(auto, false, () -> 0)).isEqualTo("cpu");
      assertThat(Engine.choose(auto, true, () -> 2)).isEqualTo("cuda:0");
    }
    assertThat(Engine.choose("cpu", true, () -> 2)).isEqualTo("cpu");
    assertThat(Engine.choose("cuda", true, () -> 2)).isEqualTo("cuda:0");
    assertThat(Engine.choose("cuda:1", true, () -> 2)).isEqualTo("cuda:1");
    assertThatThrownBy(() -> Engine.choose("cuda:2", true, () -> 2))
        .hasMessageContaining("below number 2, found cuda:2");
    assertThatThrownBy(() -> Engine.choose("cuda", false, () -> 0)).hasMessageContaining("none");
    assertThatThrownBy(() -> Engine.choose("gpu", true, () -> 1))
        .hasMessageContaining("expected auto, cpu, cuda or cuda:N, found gpu");
  }

  /** What the body made is freed at its end, its result with the scope around it. */
  @Test
  void onlyTheResultIsLeft() {
    List<Tensor> made = new ArrayList<>();
    Tensor left =
        NativeScope.scoped(
            () -> {
              Tensor sum =
                  NativeScope.result(
                      () -> {
                        Tensor x = Tensors.of(new float[] {1, 2}, 2);
                        made.add(x);
                        return x.add(x);
                      });
              assertThat(made.get(0).isNull()).isTrue();
              assertThat(Tensors.toArray(sum)).containsExactly(2, 4);
              return sum;
            });
    assertThat(left.isNull()).isTrue();
  }

  /** Copies are made when they are asked for, in the order of the tensors. */
  @Test
  void copiesAreOfTheMoment() {
    List<String> names = List.of("z", "c", "y", "a", "x", "m", "b", "w");
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (String name : names) {
      tensors.put(name, NativeScope.keep(new float[] {1, 2}, 2));
    }
    Map<String, FloatTensor> copies = Tensors.copies(tensors);
    assertThat(copies.keySet()).containsExactlyElementsOf(names);
    Map.Entry<String, FloatTensor> first = copies.entrySet().iterator().next();
    assertThat(first.getValue().values()).containsExactly(1, 2);
    Tensors.overwrite(tensors.get("z"), new FloatTensor(new long[] {2}, new float[] {5, 6}));
    assertThat(first.getValue().values()).containsExactly(5, 6);
    assertThat(copies.get("a").values()).containsExactly(1, 2);
  }

  /**
   * With a cold cache, the libraries of a libtorch elsewhere on the machine must not be taken: ours
   * are there before the first of them is loaded.
   */
  @Test
  void loadsItsOwnLibrariesFromAColdCache() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.bytedeco.javacpp.cachedir=" + cache,
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                cache.toString())
            .inheritIO()
            .start();
    try {
      assertThat(child.waitFor()).isZero();
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void namesItsVersion() {
    assertThat(Engine.version()).startsWith("PyTorch 2.");
  }
}
