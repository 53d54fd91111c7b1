package org.orbitmap.app.cell;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The native code of ONNX Runtime in a folder, once for all cells of a process: they cannot write
 * it anywhere themselves.
 */
final class NativeRuntime {
  private static Path folder;

  private NativeRuntime() {}

  static synchronized Path folder() throws IOException {
    if (folder == null) {
      Path made = Files.createTempDirectory("orbit-native");
      made.toFile().deleteOnExit();
      for (String library : List.of("onnxruntime", "onnxruntime4j_jni")) {
        String file = System.mapLibraryName(library);
        String resource = "/ai/onnxruntime/native/" + platform() + "/" + file;
        try (InputStream in = ai.onnxruntime.OrtEnvironment.class.getResourceAsStream(resource)) {
          if (in == null) {
            throw new IOException(
                "expected native code of ONNX Runtime for " + platform() + ", found none");
          }
          Path to = made.resolve(file);
          Files.copy(in, to);
          to.toFile().deleteOnExit();
        }
      }
      folder = made;
    }
    return folder;
  }

  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    boolean arm = arch.equals("aarch64") || arch.equals("arm64");
    return (os.contains("mac") ? "osx" : os.contains("win") ? "win" : "linux")
        + (arm ? "-aarch64" : "-x64");
  }
}
