package org.orbitmap.nn;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;

/** The training engine, libtorch: how it is loaded, and how many threads it uses. */
public final class Engine {
  private static boolean loaded;

  private Engine() {}

  /** Loads the native libraries once. Call it before anything else touches the engine. */
  public static synchronized void load() {
    if (!loaded) {
      unpack();
      Loader.load(torch.class);
      Scopes.endBetweenSteps();
      loaded = true;
    }
  }

  /**
   * Unpacks the two libraries that {@code libtorch.so} refers to. If they were not beside it yet
   * when it is loaded, the system's loader would take those of another libtorch on the machine
   * (such as the one of a Python package), and the process would crash.
   */
  static void unpack() {
    String platform = Loader.getPlatform();
    for (String library : new String[] {"c10", "torch_cpu"}) {
      try {
        File file =
            Loader.cacheResource(
                "/org/bytedeco/pytorch/" + platform + "/" + System.mapLibraryName(library));
        if (file == null) {
          throw new UnsupportedOperationException(
              "the training engine: expected libtorch for %s in the class path, found none. Build with -Djavacpp.platform=%s"
                  .formatted(platform, platform));
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

  /** How many threads an operation may use. */
  public static int threads() {
    load();
    return torch.get_num_threads();
  }

  /** Sets how many threads an operation may use; 0 takes one for each processor. */
  public static void threads(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("threads: expected 0 or more, found " + n);
    }
    load();
    torch.set_num_threads(n == 0 ? Runtime.getRuntime().availableProcessors() : n);
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
