package org.orbitmap.nn.fit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.orbitmap.io.UserError;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.io.network.Safetensors;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.train.Optimiser;
import org.orbitmap.nn.train.RunFolder;
import org.orbitmap.nn.train.Sampler;
import org.orbitmap.nn.train.TrainingListener;

/**
 * The loop of a fit: networks one after another, steps, checkpoints, the time limit.
 *
 * <p>Example number p of a network is made from the input at place p mod n of epoch p / n, by a
 * generator that depends on the seed, the epoch and the place alone; a checkpoint holds all the
 * rest. So a fit that was stopped at any moment and resumed ends with the same bits. Only a time
 * limit that cuts the number of steps makes the result depend on the speed of the machine; how many
 * steps there will be is in the checkpoint then.
 */
final class FitRun {
  private static final double CHECKPOINT_SECONDS = 15;
  private static final double PACE_SECONDS = 180;
  private static final int PROBE_STEPS = 12;

  /** A plan is kept unless the time left allows for so much less or more. */
  private static final double SLACK = 0.03;

  /** The share of the time for what follows the training. */
  private static final double REST = 0.04;

  private static final int LEAST_MARK = 25;

  private final DataSet<?> data;
  private final String identity;
  private final long seed;
  private final RunFolder folder;
  private final TrainingListener listener;
  private final double limit;
  private final DoubleSupplier clock;

  private FitTask task;
  private int number;
  private Sampler sampler;
  private Optimiser optimiser;
  private long step;
  private long steps;
  private double before;
  private double loss;
  private long lossSteps;
  private double pace;
  private double saved;
  private long savedStep;
  private final List<FitResult.Metrics> history = new ArrayList<>();
  private final Map<String, Map<String, FloatTensor>> done = new LinkedHashMap<>();
  private int[] order = {};
  private long orderOf = -1;

  /**
   * A run.
   *
   * @param limit the seconds that it may take, over all of its parts; 0 for any number
   * @param clock the seconds since this part of the run began
   */
  FitRun(
      DataSet<?> data,
      String identity,
      long seed,
      RunFolder folder,
      TrainingListener listener,
      double limit,
      DoubleSupplier clock) {
    this.data = data;
    this.identity = identity;
    this.seed = seed;
    this.folder = folder;
    this.listener = listener;
    this.limit = limit;
    this.clock = clock;
  }

  /** Everything that was measured on the way. */
  List<FitResult.Metrics> history() {
    return List.copyOf(history);
  }

  /** How many examples each network saw. */
  long examples(String network) {
    return history.stream()
        .filter(m -> m.network().equals(network))
        .mapToLong(FitResult.Metrics::examples)
        .max()
        .orElse(0);
  }

  /** The seconds that the run has taken, in all of its parts. */
  double seconds() {
    return before + clock.getAsDouble();
  }

  /**
   * Trains networks one after another.
   *
   * @return their weights, by name; the tasks hold them, too
   */
  Map<String, Map<String, FloatTensor>> run(List<FitTask> tasks) throws IOException {
    FitState state = newest(tasks);
    long examples =
        tasks.stream().mapToLong(t -> t.course().steps(data.size()) * t.course().batch()).sum();
    double share = 0;
    for (int i = 0; i < tasks.size(); i++) {
      task = tasks.get(i);
      number = i;
      long own = task.course().steps(data.size()) * task.course().batch();
      share += (double) own / examples;
      if (done.containsKey(task.name())) {
        task.weights().restore(done.get(task.name()));
        continue;
      }
      begin(state);
      train(limit * (1 - REST) * share);
      done.put(task.name(), task.weights().snapshot());
    }
    return done;
  }

  private void begin(FitState state) throws IOException {
    sampler = new Sampler(data, seed + number, 0, false);
    orderOf = -1;
    optimiser = Optimiser.of(task.course().method(), task.weights());
    step = 0;
    steps = 0;
    loss = 0;
    lossSteps = 0;
    if (state != null && state.task() == number) {
      task.weights().restore(state.weights());
      optimiser.restore(state.optimiser());
      optimiser.steps(state.optimiserSteps());
      step = state.step();
      steps = state.steps();
      loss = state.loss();
      lossSteps = state.lossSteps();
    }
  }

  /** Takes the newest checkpoint that is good; null if there is none. */
  private FitState newest(List<FitTask> tasks) throws IOException {
    for (Path file : folder.checkpoints()) {
      try {
        FitState read = FitState.read(file);
        if (!read.identity().equals(identity)) {
          throw new UserError(
              "%s: expected checkpoints of the same fit, found those of another data set or other settings. Finish that one, remove the folder, or choose another output"
                  .formatted(folder));
        }
        FitTask of = tasks.get(read.task());
        of.weights().requireLike(read.weights());
        Optimiser.of(of.course().method(), of.weights()).requireLike(read.optimiser());
        for (FitTask t : tasks.subList(0, read.task())) {
          Map<String, FloatTensor> own =
              new Safetensors(Map.of(), read.done()).part(t.name() + "/");
          t.weights().requireLike(own);
          done.put(t.name(), own);
        }
        history.addAll(read.history());
        before = read.seconds();
        listener.note(
            "resuming the %s after step %d of %d from %s"
                .formatted(of.name(), read.step(), read.steps(), file));
        return read;
      } catch (UserError e) {
        throw e;
      } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
        done.clear();
        listener.warn(
            "%s cannot be used (%s): the one before it is taken"
                .formatted(file.getFileName(), e.getMessage()));
      }
    }
    return null;
  }

  private void train(double deadline) throws IOException {
    FitRecipe.Course course = task.course();
    long all = course.steps(data.size());
    int batch = course.batch();
    long mark = Math.max(LEAST_MARK, Math.min(data.size() / batch, all / 10));
    boolean begun = steps > 0;
    if (limit > 0 && step < (begun ? steps : all)) {
      pace = probe();
      replan(plan(all, deadline));
    } else if (!begun) {
      steps = all;
    }
    if (!begun) {
      save();
    }
    long first = step;
    long shown = (steps - first) * batch;
    saved = clock.getAsDouble();
    savedStep = step;
    while (step < steps) {
      if (Thread.interrupted()) { // files cannot be written by an interrupted thread
        save();
        Thread.currentThread().interrupt();
        throw new InterruptedIOException(
            "%s: the fit was interrupted at step %d; the same again goes on from the last checkpoint"
                .formatted(folder, step + 1));
      }
      double rate = course.rate((double) step / steps);
      float value = step(rate);
      if (!Float.isFinite(value)) {
        throw UserError.expected(
            "the " + task.name(),
            "a finite loss",
            value + " at step " + (step + 1),
            "Look for images that are empty or not finite");
      }
      loss += value;
      lossSteps++;
      step++;
      boolean marked = step % mark == 0 || step == steps;
      if (marked) {
        measure(rate);
      }
      double now = clock.getAsDouble();
      boolean due = now - saved > CHECKPOINT_SECONDS;
      if (due && limit > 0 && step < steps) {
        // Machines are busy now and then: what counts is the mean over some minutes.
        double weight = 1 - Math.exp(-(now - saved) / PACE_SECONDS);
        pace += weight * ((now - saved) / (step - savedStep) - pace);
        replan(plan(all, deadline));
      }
      if (due || marked) {
        save();
      }
      if (due) {
        saved = clock.getAsDouble();
        savedStep = step;
      }
      // In the measure of the first plan, so that the time left is that of the present one.
      long part = steps == first ? shown : (step - first) * shown / (steps - first);
      listener.progress(part, shown);
    }
    if (!task.weights().finite()) {
      throw UserError.expected("the " + task.name(), "finite weights", "others", "");
    }
  }

  private void replan(long planned) {
    steps = Math.abs(planned - steps) > SLACK * steps ? planned : steps;
  }

  /** The number of steps that the time allows for. */
  private long plan(long all, double deadline) {
    double left = Math.max(0, deadline - seconds());
    return Math.min(all, step + Math.max(1, (long) (left / pace)));
  }

  /** The seconds that a step takes, by some that are forgotten again. */
  private double probe() {
    Map<String, FloatTensor> weights = task.weights().snapshot();
    Map<String, FloatTensor> memory = optimiser.snapshot();
    long memorySteps = optimiser.steps();
    double start = 0;
    for (int i = 0; i < PROBE_STEPS; i++) {
      if (i == PROBE_STEPS / 3) {
        start = clock.getAsDouble(); // warm by now
      }
      step(0);
    }
    double took = clock.getAsDouble() - start;
    task.weights().restore(weights);
    optimiser.restore(memory);
    optimiser.steps(memorySteps);
    return took / (PROBE_STEPS - PROBE_STEPS / 3);
  }

  /** One step; its loss. A loss that is not finite changes nothing. */
  private float step(double rate) {
    int batch = task.course().batch();
    long start = step * batch;
    int[] index = new int[batch];
    for (int i = 0; i < batch; i++) {
      index[i] = at(start + i);
    }
    int n = data.size();
    IntStream.range(0, batch)
        .parallel()
        .forEach(i -> task.fill(i, index[i], sampler.at((int) ((start + i) / n), (start + i) % n)));
    SplittableRandom random = sampler.at(-1, step);
    return NativeScope.scoped(
        () -> {
          Tensor l = task.loss(random);
          float value = l.item_float();
          if (Float.isFinite(value)) {
            l.backward();
            optimiser.step(rate);
            task.weights().zeroGradients();
          }
          return value;
        });
  }

  /** The input of an example. */
  private int at(long example) {
    long epoch = example / data.size();
    if (epoch != orderOf) {
      order = sampler.order((int) epoch);
      orderOf = epoch;
    }
    return order[(int) (example % data.size())];
  }

  private void measure(double rate) {
    FitTask.Score score = task.score();
    FitResult.Metrics line =
        new FitResult.Metrics(
            task.name(),
            step * task.course().batch(),
            loss / Math.max(1, lossSteps),
            rate,
            score.value());
    history.add(line);
    loss = 0;
    lossSteps = 0;
    listener.note(
        "%s: %,d of %,d examples, loss %.4f, %s"
            .formatted(
                task.name(),
                line.examples(),
                steps * task.course().batch(),
                line.loss(),
                score.text()));
  }

  private void save() throws IOException {
    Map<String, FloatTensor> earlier = new LinkedHashMap<>();
    done.forEach((name, w) -> w.forEach((k, v) -> earlier.put(name + "/" + k, v)));
    FitState state =
        new FitState(
            identity,
            number,
            step,
            steps,
            optimiser.steps(),
            seconds(),
            loss,
            lossSteps,
            history(),
            task.weights().snapshot(),
            optimiser.snapshot(),
            earlier);
    // Numbered over all networks, so that the newest has the highest number.
    folder.write(number * 100_000_000L + step, state::write);
  }
}
