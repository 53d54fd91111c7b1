package org.orbitmap.app.model;

import org.orbitmap.app.option.OutputOptions;
import org.orbitmap.eval.Progress;
import org.orbitmap.nn.train.TrainingListener;

/**
 * Tells the user what happens in a training run.
 *
 * @param output where notes and warnings go
 * @param bar where progress is shown
 */
public record TrainingOutput(OutputOptions output, Progress bar) implements TrainingListener {
  @Override
  public void progress(long done, long total) {
    bar.update(done, total);
  }

  @Override
  public void note(String text) {
    output.note(text);
  }

  @Override
  public void warn(String text) {
    output.warn(text);
  }
}
