package org.orbitmap.nn.layer;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Parameter;
import org.orbitmap.nn.tensor.Engine;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/**
 * The numbers of a network by name: parameters, which are trained, and buffers (the running
 * statistics of batch normalisation), which are measured.
 */
public final class Weights {
  private final Map<String, Tensor> parameters = new LinkedHashMap<>();
  private final Map<String, Tensor> buffers = new LinkedHashMap<>();
  private final Set<String> withoutDecay = new LinkedHashSet<>();
  private Predicate<String> fixedStatistics = name -> false;

  /** What was computed from these numbers, until they change. */
  private final Map<String, Tensor> derived = new ConcurrentHashMap<>();

  /** Random weights that depend on the declared parameters, their order and the seed alone. */
  public Weights(Collection<Parameter> declared, long seed) {
    Engine.load();
    SplittableRandom random = new SplittableRandom(seed);
    for (Parameter p : declared) {
      Tensor t = NativeScope.keep(p.start(random).values(), p.shape());
      if (p.trainable()) {
        t.set_requires_grad(true);
        parameters.put(p.name(), t);
        if (!p.initial().decays()) {
          withoutDecay.add(p.name());
        }
      } else {
        buffers.put(p.name(), t);
      }
    }
  }

  /** Numbers that no training changes. */
  static Weights fixed(Map<String, FloatTensor> values) {
    Weights weights = new Weights(List.of(), 0);
    values.forEach((name, t) -> weights.buffers.put(name, NativeScope.keep(t.values(), t.shape())));
    return weights;
  }

  /** The numbers with this name. */
  public Tensor get(String name) {
    Tensor t = parameters.getOrDefault(name, buffers.get(name));
    if (t == null) {
      throw new IllegalArgumentException("weights: expected %s, found none".formatted(name));
    }
    return t;
  }

  /** What is trained. */
  public Map<String, Tensor> parameters() {
    return Collections.unmodifiableMap(parameters);
  }

  /** Whether weight decay acts on a parameter. */
  public boolean decays(String name) {
    return !withoutDecay.contains(name);
  }

  /**
   * Leaves some parameters and batch statistics as they are in training.
   *
   * @param parameters which have no gradient
   * @param statistics of which batch normalisations, by name, the statistics stay
   */
  public void freeze(Predicate<String> parameters, Predicate<String> statistics) {
    this.parameters.forEach((name, t) -> t.set_requires_grad(!parameters.test(name)));
    fixedStatistics = statistics;
  }

  /** Whether a batch normalisation measures its statistics in training. */
  boolean measures(String name) {
    return !fixedStatistics.test(name);
  }

  /** The number of trainable parameters. */
  public long count() {
    return parameters.values().stream().mapToLong(Tensor::numel).sum();
  }

  /** Whether every number is finite, of parameters and buffers. */
  public boolean finite() {
    return NativeScope.inference(
        () ->
            Stream.of(parameters, buffers)
                .flatMap(m -> m.values().stream())
                .allMatch(t -> torch.isfinite(t).all().item_bool()));
  }

  /** Copies of everything, parameters and buffers. */
  public Map<String, FloatTensor> snapshot() {
    Map<String, FloatTensor> copy = new LinkedHashMap<>();
    parameters.forEach((name, t) -> copy.put(name, Tensors.copyOf(t)));
    buffers.forEach((name, t) -> copy.put(name, Tensors.copyOf(t)));
    return copy;
  }

  /** The same, each of them copied when it is asked for. */
  public Map<String, FloatTensor> copies() {
    Map<String, Tensor> all = new LinkedHashMap<>(parameters);
    all.putAll(buffers);
    return Tensors.copies(all);
  }

  /** Overwrites everything, after the same check. */
  public void restore(Map<String, FloatTensor> values) {
    requireLike(values);
    values.forEach((name, v) -> Tensors.overwrite(get(name), v));
    changed();
  }

  /**
   * Overwrites some of the numbers, or none if one of them does not fit.
   *
   * @throws IllegalArgumentException if a name is not expected, or a shape differs
   */
  public void restoreSome(Map<String, FloatTensor> values) {
    Map<String, Tensor> own = new LinkedHashMap<>(); // in their own order, for what is said
    Stream.of(parameters, buffers)
        .flatMap(m -> m.entrySet().stream())
        .filter(e -> values.containsKey(e.getKey()))
        .forEach(e -> own.put(e.getKey(), e.getValue()));
    Tensors.requireLike("weights", values, own);
    own.forEach((name, t) -> Tensors.overwrite(t, values.get(name)));
    changed();
  }

  /**
   * Numbers that follow from these: computed once for each name, until these change.
   *
   * @param how computes them, without gradients
   */
  @SuppressWarnings("try")
  Tensor derived(String name, Supplier<Tensor> how) {
    Tensor known = derived.get(name);
    if (known == null) {
      // not inside the map: a derivation may ask for another one
      Tensor found =
          NativeScope.keep(
              () -> {
                try (NoGradGuard guard = new NoGradGuard()) {
                  return how.get().contiguous();
                }
              });
      known = derived.putIfAbsent(name, found);
      known = known == null ? found : known;
    }
    return known;
  }

  /** Forgets what was derived: to be called by whoever has changed a number. */
  public void changed() {
    derived.values().forEach(Tensor::close);
    derived.clear();
  }

  /**
   * Checks that these are values for these weights.
   *
   * @throws IllegalArgumentException if a name is missing or not expected, or a shape differs
   */
  public void requireLike(Map<String, FloatTensor> values) {
    Map<String, Tensor> all = new LinkedHashMap<>(parameters);
    all.putAll(buffers);
    Tensors.requireLike("weights", values, all);
  }

  /** Forgets the gradients. */
  public void zeroGradients() {
    NativeScope.update(
        () -> {
          for (Tensor t : parameters.values()) {
            Tensor g = t.mutable_grad();
            if (g.defined()) {
              g.zero_();
            }
          }
        });
  }
}
