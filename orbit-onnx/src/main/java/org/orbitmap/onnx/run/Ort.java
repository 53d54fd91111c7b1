package org.orbitmap.onnx.run;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;

/**
 * The one environment of ONNX Runtime in this process.
 *
 * <p>At its start the runtime matches the process's command line with a recursive regular
 * expression: a class path of a few thousand characters on it overflows a stack of the usual size
 * and ends the process. So a thread with a large stack does it.
 */
final class Ort {
  private static OrtEnvironment started;

  private Ort() {}

  static synchronized OrtEnvironment environment() {
    if (started == null) {
      Start start = new Start();
      Thread thread = new Thread(null, start, "onnxruntime-start", 256L << 20);
      thread.start();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (start.result == null) {
        throw new IllegalStateException("ONNX Runtime did not start", start.failure);
      }
      started = start.result;
    }
    return started;
  }

  private static final class Start implements Runnable {
    private OrtEnvironment result;
    private Throwable failure;

    @Override
    public void run() {
      try {
        OrtEnvironment made =
            OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL, "orbit");
        made.setTelemetry(false); // nobody is told what is run here
        result = made;
      } catch (OrtException | RuntimeException | LinkageError e) {
        failure = e;
      }
    }
  }
}
