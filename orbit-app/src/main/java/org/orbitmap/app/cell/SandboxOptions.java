package org.orbitmap.app.cell;

import java.io.IOException;
import java.util.List;
import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.onnx.run.OnnxRuntime;
import picocli.CommandLine.Option;

/** Whether a model is trusted. */
public final class SandboxOptions {
  @Option(
      names = "--sandbox",
      description = {
        "Open and run the model in a process of its own, for ONNX files that are not trusted: half of"
            + " the machine's memory, two minutes for an answer, no network, no file to read or write."
            + " What the system cannot enforce is said."
      })
  private boolean sandbox;

  /** Whether it is not. */
  public boolean given() {
    return sandbox;
  }

  /** Where models run. */
  public record Place(OnnxRuntime runtime, boolean apart) implements AutoCloseable {
    @Override
    public void close() {
      if (runtime instanceof CellRuntime cell) {
        cell.close();
      }
    }
  }

  /** This process, or a cell; close it when the models are not needed any more. */
  public Place open(OutputOptions output) throws IOException {
    if (!sandbox) {
      return new Place(OnnxRuntime.HERE, false);
    }
    List<String> missing = Confinement.best().missing();
    if (!missing.isEmpty()) {
      output.warn("--sandbox: this system does not enforce: " + String.join(", ", missing));
    }
    return new Place(new CellRuntime(CellLimits.local()), true);
  }
}
