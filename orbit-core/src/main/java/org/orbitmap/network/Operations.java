package org.orbitmap.network;

import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;

/**
 * What networks are made of. A network calls these operations and nothing else; whoever implements
 * them decides what that means: shapes ({@link Declaration}), tensors with gradients (the training
 * engine), nodes of an ONNX graph (the exporter).
 *
 * <p>Every operation works on a batch. Axes are those of one input, counted from 0 without the
 * batch: an image has the axes channels, rows, columns, a cloud has points, coordinates. An
 * operation with a name has parameters; calling it twice with the same name shares them.
 *
 * @param <T> what the operations take and give
 */
public interface Operations<T> {
  /** The length of an axis. */
  int length(T x, int axis);

  /**
   * A convolution of images. Parameters {@code name.weight}, which start by He's rule, and {@code
   * name.bias}.
   */
  T convolution(T x, String name, Convolution how);

  /**
   * A convolution of images with kernels that were computed, and no bias.
   *
   * @param kernel without a batch: output channels, input channels of a group, rows, columns
   */
  T convolution(T x, T kernel, Convolution how);

  /**
   * x·Wᵀ + b along the last axis. Parameters {@code name.weight} and {@code name.bias}, uniform in
   * ±1/√(length of the last axis).
   */
  T linear(T x, String name, int out);

  /**
   * Batch normalisation of each channel: axis 0 of images, the last axis of everything else.
   * Parameters {@code name.weight}, {@code name.bias}; measured are {@code name.running_mean} and
   * {@code name.running_var}.
   */
  T batchNorm(T x, String name);

  /**
   * Batch normalisation of images whose channels come in fields: those of a field are normalised
   * together, by one mean and one variance, so that permuting them permutes the result. Names as
   * {@link #batchNorm(Object, String)}, one number for each field.
   *
   * @param field how many neighbouring channels are a field
   */
  T batchNorm(T x, String name, int field);

  /** max(x, 0). */
  T relu(T x);

  /** The same behind a batch normalisation; training keeps one result instead of two. */
  default T normRelu(T x, String name) {
    return relu(batchNorm(x, name));
  }

  /**
   * max(x + y, 0), of values that are not used again: they may be overwritten, and training keeps
   * one result instead of three.
   *
   * @param x what a batch normalisation gave
   */
  default T addRelu(T x, T y) {
    return relu(add(x, y));
  }

  /** eˣ - 1 below 0, x above. */
  T elu(T x);

  /** x·Φ(x) = x/2·(1 + erf(x/√2)), Φ the standard normal distribution. */
  T gelu(T x);

  /** 1/(1 + e⁻ˣ). */
  T sigmoid(T x);

  /** log(1 + eˣ). */
  T softplus(T x);

  /** √x, for numbers that are not negative. */
  T sqrt(T x);

  /** The largest value in each window of an image; outside counts as -∞. */
  T maxPool(T x, int side, int stride, int padding);

  /** The mean of each square of an image; what is left at the right and the bottom is dropped. */
  default T averagePool(T x, int side) {
    return averagePool(x, side, false);
  }

  /**
   * The mean of each square of an image.
   *
   * @param partial whether squares that the right and the bottom edge cut count: each is the mean
   *     of what it holds
   */
  T averagePool(T x, int side, boolean partial);

  /** An image with zeros around it. */
  T pad(T x, int top, int left, int bottom, int right);

  /** The mean over rows and columns: one number for each channel. */
  T globalAverage(T x);

  /** One axis instead of several. */
  T flatten(T x);

  /** In training each number is 0 with a probability, the others grow to make up for it. */
  T dropout(T x, double probability);

  /** The largest value along an axis, which goes away. */
  T max(T x, int axis);

  /** The mean along an axis, which goes away. */
  T mean(T x, int axis);

  /** The larger of two numbers, place by place. */
  T maximum(T x, T y);

  /** x + y; an operand without a batch is added to every input. */
  T add(T x, T y);

  /** x - y. */
  T subtract(T x, T y);

  /** x·y, place by place. */
  T multiply(T x, T y);

  /** x/y, place by place. */
  T divide(T x, T y);

  /** The matrix product over the last two axes. */
  T matmul(T x, T y);

  /** Entries along axis 0, by number: entry i of the result is entry index[i] of x. */
  default T select(T x, int[] index) {
    return select(x, 0, index);
  }

  /**
   * Entries along an axis, by number: entry i of the result is entry index[i] of x.
   *
   * @param index always the same array for the same numbers, which is not changed
   */
  T select(T x, int axis, int[] index);

  /**
   * Some points of each cloud, chosen to cover it: {@link org.orbitmap.cloud.FarthestPoints}.
   *
   * @param x points and coordinates
   */
  T farthest(T x, int count);

  /** Two axes exchanged. */
  T transpose(T x, int a, int b);

  /** The same numbers in other axes. */
  T reshape(T x, int... axes);

  /** Square images rotated by k quarter turns: pixels only change places. */
  T quarterTurns(T x, int k);

  /**
   * Images rotated about their centre, each by its own angle: act(α, u)(z) = u(r(α)z), as {@link
   * org.orbitmap.image.ImageRotation}.
   *
   * @param directions for each image cos α and sin α: one axis of length 2
   */
  T rotate(T x, T directions, Resampling how);

  /**
   * Images read at any places; 0 outside.
   *
   * @param places rows, columns and 2: how many pixels to the right of the centre and below it each
   *     pixel of the result is read, for each image or, without a batch, for all
   */
  T sample(T x, T places, Interpolation how);

  /** eˣ/Σeˣ along the last axis. */
  T softmax(T x);

  /** x - log Σeˣ along the last axis. */
  T logSoftmax(T x);

  /**
   * Random numbers, uniform in [-1/2, 1/2). In training they are drawn anew for each input, from
   * the generator of the step, so that a resumed run draws the same. Otherwise they are the same
   * for every input and every time, from the seed: an answer does not depend on what else is in its
   * batch.
   *
   * @param x the inputs, for their number
   */
  T uniform(T x, long seed, int... axes);

  /** Fixed numbers, the same for every input: they have no batch. */
  T constant(float[] values, int... axes);

  /** Trainable numbers, the same for every input: they have no batch. */
  T parameter(String name, Initial initial, int... axes);

  /**
   * Kernels with a mean of 0 and the same size in every output channel: gain·(w - mean)/√(variance
   * + ε), mean and variance over the numbers of the channel (weight standardisation).
   *
   * @param kernel without a batch; axis 0 is the output channels
   * @param gain one number for each output channel, without a batch
   */
  T standardised(T kernel, T gain, double epsilon);

  /**
   * Trainable numbers that stand in several places, such as a kernel and its quarter turns: element
   * i is number index[i]. They have no batch.
   *
   * @param count how many numbers there are
   * @param index for each element, always the same array for the same name, which is not changed
   */
  T shared(String name, Initial initial, int count, int[] index, int... axes);

  /** How numbers are computed from parameters and constants alone. */
  interface Derivation {
    /** The numbers, in any operations: none of the values has a batch. */
    <T> T of(Operations<T> ops);
  }

  /**
   * Numbers that are computed from parameters, such as kernels expanded in a basis: the same for
   * every input, without a batch. In training they are computed once for each step, in evaluation
   * once for all inputs, and an exported network has them as ordinary weights.
   *
   * @param name unlike those of parameters; the same name is always the same derivation
   */
  T derived(String name, Derivation how);

  /**
   * Adds a term to the loss: the mean of x over the batch. Of no effect outside training.
   *
   * @param x one number for each input, of any axes; or without a batch, one for all
   */
  void penalty(T x);
}
