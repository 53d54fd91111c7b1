package org.orbitmap.onnx.run;

import java.io.IOException;
import org.orbitmap.onnx.graph.OnnxFile;

/** Where models are opened and run: in this process, or in one that is kept apart from it. */
public interface OnnxRuntime {
  /** This process. */
  OnnxRuntime HERE =
      new OnnxRuntime() {
        @Override
        public OnnxModel open(OnnxFile file, OnnxModel.Threads threads) throws IOException {
          return LocalSession.open(file, threads);
        }

        @Override
        public boolean concurrent() {
          return true;
        }
      };

  /**
   * Opens a model.
   *
   * @throws IOException if ONNX Runtime does not accept it, for instance for an unknown operator
   */
  OnnxModel open(OnnxFile file, OnnxModel.Threads threads) throws IOException;

  /** Opens a model for single inputs. */
  default OnnxModel open(OnnxFile file) throws IOException {
    return open(file, OnnxModel.Threads.WITHIN);
  }

  /** Whether several runs at once are faster than one after the other. */
  boolean concurrent();
}
