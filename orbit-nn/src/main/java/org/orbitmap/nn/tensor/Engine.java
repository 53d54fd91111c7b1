package org.orbitmap.nn.tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.io.UserError;

/**
 * The training engine, libtorch: how it is loaded, how many threads it uses, and where tensors are.
 *
 * <p>Tensors are made in {@link Tensors} and nowhere else: on the GPU if there is one that this
 * build of the engine can use, unless the environment variable {@code ORBIT_DEVICE} says otherwise
 * ({@code auto}, {@code cpu}, {@code cuda} or {@code cuda:N}).
 */
public final class Engine {
  private static boolean loaded;

  /** Null for the processor itself. */
  private static Device gpu;

  private static final String PROCESSOR = "cpu";

  private static final String PLATFORMS =
      "linux-x86_64, macosx-x86_64, macosx-arm64 and windows-x86_64";

  private Engine() {}

  /** Loads the native libraries once. Call it before anything else touches the engine. */
  public static synchronized void load() {
    if (!loaded) {
      unpack();
      Loader.load(torch.class);
      String device =
          choose(
              System.getenv("ORBIT_DEVICE"), torch.cuda_is_available(), torch::cuda_device_count);
      gpu = device.equals(PROCESSOR) ? null : new Device(device);
      NativeScope.endBetweenSteps();
      loaded = true;
    }
  }

  /** The device for a choice of {@code ORBIT_DEVICE}; null or blank is auto. */
  static String choose(String wanted, boolean available, IntSupplier devices) {
    String choice = wanted == null || wanted.isBlank() ? "auto" : wanted.trim();
    if (choice.equals(PROCESSOR) || (choice.equals("auto") && !available)) {
      return PROCESSOR;
    }
    if (!choice.matches("auto|cuda(:\\d{1,2})?")) {
      throw new IllegalArgumentException(
          "ORBIT_DEVICE: expected auto, cpu, cuda or cuda:N, found " + wanted);
    }
    if (!available) {
      throw new IllegalArgumentException(
          "ORBIT_DEVICE: expected a GPU that the training engine can use, found none for %s. Build with CUDA (ORBIT_GPU=1), look for the driver, or set ORBIT_DEVICE=cpu"
              .formatted(choice));
    }
    int number = choice.contains(":") ? Integer.parseInt(choice.substring(5)) : 0;
    if (number >= devices.getAsInt()) {
      throw new IllegalArgumentException(
          "ORBIT_DEVICE: expected a GPU below number %d, found %s"
              .formatted(devices.getAsInt(), choice));
    }
    return "cuda:" + number;
  }

  /** Where tensors are: {@code cpu}, or a GPU such as {@code cuda:0}. */
  public static String device() {
    load();
    return gpu == null ? PROCESSOR : gpu.str().getString();
  }

  /** A tensor where tensors are. */
  static Tensor place(Tensor t) {
    return gpu == null ? t : t.to(gpu, t.scalar_type());
  }

  /** A model where tensors are. */
  static void place(JitModule module) {
    if (gpu != null) {
      module.to(gpu);
    }
  }

  /**
   * Unpacks the two libraries that {@code libtorch.so} refers to, in the build for the processor
   * and in that with CUDA, whichever are there. If they were not beside it yet when it is loaded,
   * the system's loader would take those of another libtorch on the machine (such as the one of a
   * Python package), and the process would crash.
   */
  static void unpack() {
    String platform = Loader.getPlatform();
    for (String library : new String[] {"c10", "torch_cpu"}) {
      try {
        boolean found = false;
        for (String build : new String[] {platform, platform + "-gpu"}) {
          String name = "/org/bytedeco/pytorch/" + build + "/" + System.mapLibraryName(library);
          found |= Engine.class.getResource(name) != null && Loader.cacheResource(name) != null;
        }
        if (!found) {
          throw UserError.expected(
              "the training engine",
              "libtorch for " + platform + " in the class path",
              "none",
              "It is made for " + PLATFORMS + "; what does not train works without it");
        }
      } catch (IOException e) {
        throw new UncheckedIOException(
            "the training engine: cannot unpack its libraries into "
                + System.getProperty("org.bytedeco.javacpp.cachedir", "~/.javacpp/cache")
                + " (set -Dorg.bytedeco.javacpp.cachedir=FOLDER)",
            e);
      }
    }
  }

  /**
   * Does something with numbers of 16 bits (bfloat16) where the engine holds that for safe. On a
   * GPU only, and untried: there was no such machine.
   *
   * @throws IllegalArgumentException without a GPU
   */
  public static <T> T inHalfPrecision(Supplier<T> body) {
    if (device().equals(PROCESSOR)) {
      throw new IllegalArgumentException(
          "fine-tuning.precision: expected single on a processor, found half. It needs a GPU");
    }
    torch.set_autocast_dtype(torch.DeviceType.CUDA, torch.ScalarType.BFloat16);
    torch.set_autocast_enabled(torch.DeviceType.CUDA, true);
    try {
      return body.get();
    } finally {
      torch.set_autocast_enabled(torch.DeviceType.CUDA, false);
    }
  }

  /** How many threads an operation may use. */
  public static int threads() {
    load();
    return torch.get_num_threads();
  }

  /**
   * Sets how many threads an operation may use; 0 takes one for each processor. Matrix products
   * have threads of their own, which the engine does not count: left alone they wait for each other
   * in products that are far too small for two, and training a small network on one thread takes up
   * to ten times as long.
   */
  public static void threads(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("threads: expected 0 or more, found " + n);
    }
    load();
    int threads = n == 0 ? Runtime.getRuntime().availableProcessors() : n;
    torch.set_num_threads(threads);
    Loader.load(openblas_nolapack.class);
    org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads(threads);
  }

  /** The version of the engine, such as {@code PyTorch 2.10.0-1.5.13}. */
  public static String version() {
    try {
      return "PyTorch " + Loader.getVersion("org.bytedeco", "pytorch");
    } catch (IOException e) {
      return "PyTorch of unknown version";
    }
  }
}
