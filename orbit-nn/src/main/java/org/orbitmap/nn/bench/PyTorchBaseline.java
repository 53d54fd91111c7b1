package org.orbitmap.nn.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.orbitmap.io.UserError;
import org.orbitmap.nn.tensor.Engine;

/** Python's PyTorch in a process of its own: one training step for each line it is sent. */
record PyTorchBaseline(Process process, BufferedReader answers, Writer orders, String version)
    implements AutoCloseable {
  static PyTorchBaseline start(Path python, String network, int batch) throws IOException {
    if (!Files.isExecutable(python)) {
      throw UserError.expected(
          python.toString(), "a Python to run, such as /usr/bin/python3", "none there", "");
    }
    String script;
    try (InputStream in = PyTorchBaseline.class.getResourceAsStream("pytorch_baseline.py")) {
      script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    Process process =
        new ProcessBuilder(
                python.toString(),
                "-c",
                script,
                network,
                Integer.toString(batch),
                Integer.toString(Engine.threads()))
            .redirectErrorStream(true)
            .start();
    BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
    String version = answers.readLine();
    if (version == null || !version.matches("\\d+\\.\\d+.*")) {
      process.destroyForcibly();
      throw UserError.expected(
          python.toString(),
          "a Python with PyTorch",
          version == null ? "no answer" : "'" + version + "'",
          "Install it (Debian: apt install python3-torch)");
    }
    return new PyTorchBaseline(process, answers, process.outputWriter(), version);
  }

  /** The seconds of one step. */
  double step() throws IOException {
    orders.write("step\n");
    orders.flush();
    String answer = answers.readLine();
    try {
      return Double.parseDouble(String.valueOf(answer));
    } catch (NumberFormatException e) {
      throw new IOException("Python: expected the seconds of a step, found " + answer, e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
