package org.orbitmap.nn.layer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.MemoryFormat;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.orbitmap.cloud.FarthestPoints;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.network.Initial;
import org.orbitmap.network.Operations;
import org.orbitmap.nn.tensor.NativeScope;
import org.orbitmap.nn.tensor.Tensors;

/**
 * The operations of networks on tensors of the training engine, with gradients.
 *
 * <p>Long because it has a method for each operation.
 */
public final class TorchOperations implements Operations<Tensor> {
  private static final long[] NO_DILATION = {1, 1};
  private static final int FEW_STRETCHES = 4;

  /** The places of shared numbers, by the array itself: they do not change. */
  private static final Map<int[], Tensor> PLACES =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** The rotations of images, by height, width and resampling. */
  private static final Map<List<Object>, BatchRotation> ROTATIONS = new ConcurrentHashMap<>();

  private final Weights weights;
  private final RandomGenerator random;

  /** How many axes stand before those of one input: the batch, or none for what has no batch. */
  private final int before;

  private final Map<String, Tensor> derived = new HashMap<>();
  private final List<Tensor> penalties = new ArrayList<>();

  private TorchOperations(Weights weights, RandomGenerator random, int before) {
    this.weights = weights;
    this.random = random;
    this.before = before;
  }

  /** For training: batch normalisation measures, dropout draws from a generator. */
  public static TorchOperations training(Weights weights, RandomGenerator random) {
    weights.changed(); // running statistics at once, the others by the step that follows
    return new TorchOperations(weights, random, 1);
  }

  /** For inference. */
  public static TorchOperations inference(Weights weights) {
    return new TorchOperations(weights, null, 1);
  }

  /** For what has no parameters. */
  static TorchOperations withoutWeights() {
    return new TorchOperations(new Weights(List.of(), 0), null, 1);
  }

  /** The inputs of a network, images in the order of numbers that convolutions are fastest in. */
  public static Tensor arranged(Tensor x) {
    return x.dim() == 4 ? x.contiguous(MemoryFormat.ChannelsLast) : x;
  }

  /** The terms that the network added to the loss. */
  public List<Tensor> penalties() {
    return Collections.unmodifiableList(penalties);
  }

  private boolean training() {
    return random != null;
  }

  @Override
  public int length(Tensor x, int axis) {
    return Math.toIntExact(x.size((long) axis + before));
  }

  @Override
  public Tensor convolution(Tensor x, String name, Convolution how) {
    Tensor in = x;
    long stride = how.stride();
    smaller(x, stride);
    if (how.side() == 1 && how.padding() == 0 && stride > 1) {
      // Every second pixel is taken before the convolution, not by its stride. The numbers are the
      // same, but below 8 channels oneDNN's gradient of a strided one writes past its memory.
      in = every(every(x, 2, stride), 3, stride);
      stride = 1;
    }
    return torch.conv2d(
        in,
        weights.get(name + ".weight"),
        how.bias() ? new TensorOptional(weights.get(name + ".bias")) : new TensorOptional(),
        new long[] {stride, stride},
        new long[] {how.padding(), how.padding()},
        NO_DILATION,
        how.groups());
  }

  /** Images become smaller: what comes next is given back when gradients have used it. */
  private static void smaller(Tensor x, long stride) {
    if (stride > 1) {
      NativeScope.giveBackAfter(x);
    }
  }

  /** A view of each n-th entry along an axis. */
  private static Tensor every(Tensor x, long axis, long n) {
    return x.slice(axis, new LongOptional(), new LongOptional(), n);
  }

  @Override
  public Tensor convolution(Tensor x, Tensor kernel, Convolution how) {
    smaller(x, how.stride());
    return torch.conv2d(
        x,
        kernel,
        new TensorOptional(),
        new long[] {how.stride(), how.stride()},
        new long[] {how.padding(), how.padding()},
        NO_DILATION,
        how.groups());
  }

  @Override
  public Tensor linear(Tensor x, String name, int out) {
    return torch.linear(
        x, weights.get(name + ".weight"), new TensorOptional(weights.get(name + ".bias")));
  }

  @Override
  public Tensor batchNorm(Tensor x, String name) {
    boolean last = x.dim() == 3; // the engine normalises axis 1
    Tensor in = last ? x.flatten(0, 1) : x;
    Tensor out =
        normal(
            in,
            training() && weights.measures(name),
            weights.get(name + ".weight"),
            weights.get(name + ".bias"),
            weights.get(name + ".running_mean"),
            weights.get(name + ".running_var"));
    return last ? out.view(Tensors.shape(x)) : out;
  }

  /** Along axis 1, with gain, shift, running mean and variance, which may be measured. */
  private static Tensor normal(Tensor x, boolean measured, Tensor... numbers) {
    return torch.batch_norm(
        x,
        new TensorOptional(numbers[0]),
        new TensorOptional(numbers[1]),
        new TensorOptional(numbers[2]),
        new TensorOptional(numbers[3]),
        measured,
        0.1,
        1e-5,
        false);
  }

  @Override
  public Tensor batchNorm(Tensor x, String name, int field) {
    long n = x.size(0);
    long channels = x.size(1);
    long height = x.size(2);
    long width = x.size(3);
    if (!training() || !weights.measures(name)) {
      Tensor[] numbers = new Tensor[4];
      String[] parts = {".weight", ".bias", ".running_mean", ".running_var"};
      for (int i = 0; i < parts.length; i++) {
        numbers[i] =
            weights.get(name + parts[i]).view(-1, 1).expand(channels / field, field).reshape(-1);
      }
      return normal(x, false, numbers);
    }
    // Channels last, so that the fields are runs in memory and nothing is copied.
    Tensor pixels = x.permute(0, 2, 3, 1).contiguous();
    Tensor fields = batchNorm(pixels.view(n * height * width, channels / field, field, 1), name);
    return fields.view(n, height, width, channels).permute(0, 3, 1, 2);
  }

  @Override
  public Tensor relu(Tensor x) {
    return torch.relu(x);
  }

  @Override
  public Tensor normRelu(Tensor x, String name) {
    // The gradient of batch normalisation needs what went in, not what came out.
    return torch.relu_(batchNorm(x, name));
  }

  @Override
  public Tensor addRelu(Tensor x, Tensor y) {
    Tensor sum = torch.relu_(x.add_(y));
    y.close(); // its memory stays if a gradient needs it, and is free at once if none does
    return sum;
  }

  @Override
  public Tensor elu(Tensor x) {
    return torch.elu(x);
  }

  @Override
  public Tensor gelu(Tensor x) {
    return torch.gelu(x);
  }

  @Override
  public Tensor sigmoid(Tensor x) {
    return torch.sigmoid(x);
  }

  @Override
  public Tensor softplus(Tensor x) {
    return torch.softplus(x);
  }

  @Override
  public Tensor sqrt(Tensor x) {
    return torch.sqrt(x);
  }

  @Override
  public Tensor maxPool(Tensor x, int side, int stride, int padding) {
    smaller(x, stride);
    return torch.max_pool2d(
        x,
        new long[] {side, side},
        new long[] {stride, stride},
        new long[] {padding, padding},
        NO_DILATION,
        false);
  }

  @Override
  public Tensor averagePool(Tensor x, int side, boolean partial) {
    smaller(x, side);
    long[] square = {side, side};
    return torch.avg_pool2d(
        x, square, square, new long[] {0, 0}, partial, false, new LongOptional());
  }

  @Override
  public Tensor pad(Tensor x, int top, int left, int bottom, int right) {
    return torch.constant_pad_nd(x, left, right, top, bottom);
  }

  @Override
  public Tensor globalAverage(Tensor x) {
    return torch.adaptive_avg_pool2d(x, 1, 1).flatten(1, -1);
  }

  @Override
  public Tensor flatten(Tensor x) {
    return x.contiguous().flatten(1, -1);
  }

  @Override
  public Tensor dropout(Tensor x, double probability) {
    if (!training() || probability == 0) {
      return x;
    }
    float[] factors = new float[Math.toIntExact(x.numel())];
    float kept = (float) (1 / (1 - probability));
    for (int i = 0; i < factors.length; i++) {
      factors[i] = random.nextDouble() < probability ? 0 : kept;
    }
    return x.mul(Tensors.of(factors, Tensors.shape(x)));
  }

  @Override
  public Tensor max(Tensor x, int axis) {
    return torch.amax(x, new long[] {(long) axis + before}, false);
  }

  @Override
  public Tensor mean(Tensor x, int axis) {
    return torch.mean(x, (long) axis + before);
  }

  @Override
  public Tensor maximum(Tensor x, Tensor y) {
    return torch.maximum(x, y);
  }

  @Override
  public Tensor add(Tensor x, Tensor y) {
    return x.add(y);
  }

  @Override
  public Tensor subtract(Tensor x, Tensor y) {
    return x.sub(y);
  }

  @Override
  public Tensor multiply(Tensor x, Tensor y) {
    return x.mul(y);
  }

  @Override
  public Tensor divide(Tensor x, Tensor y) {
    return x.div(y);
  }

  @Override
  public Tensor matmul(Tensor x, Tensor y) {
    return torch.matmul(x, y);
  }

  /** Places as a tensor, made once. */
  private static Tensor places(int[] index) {
    return PLACES.computeIfAbsent(
        index, i -> NativeScope.keep(() -> Tensors.ofLabels(i, i.length)));
  }

  @Override
  public Tensor transpose(Tensor x, int a, int b) {
    return x.transpose((long) a + before, (long) b + before);
  }

  @Override
  public Tensor reshape(Tensor x, int... axes) {
    long[] shape = new long[axes.length + before];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = i < before ? x.size(i) : axes[i - before];
    }
    return x.reshape(shape);
  }

  @Override
  public Tensor quarterTurns(Tensor x, int k) {
    return arranged(torch.rot90(x, k, 2, 3));
  }

  @Override
  public Tensor rotate(Tensor x, Tensor directions, Resampling how) {
    BatchRotation rotation =
        ROTATIONS.computeIfAbsent(
            List.of(length(x, 1), length(x, 2), how),
            k -> new BatchRotation(length(x, 1), length(x, 2), how));
    Tensor wide = directions.to(ScalarType.Double);
    return arranged(rotation.rotate(x, wide.narrow(1, 0, 1), wide.narrow(1, 1, 1)));
  }

  @Override
  public Tensor sample(Tensor x, Tensor places, Interpolation how) {
    Tensor all = places.dim() == 3 ? places.unsqueeze(0) : places;
    return arranged(GridSampling.sample(x, all, how));
  }

  @Override
  public Tensor select(Tensor x, int axis, int[] index) {
    long at = (long) axis + before;
    Tensor entries =
        Tensors.stretches(index) <= FEW_STRETCHES
            ? Tensors.joined(x, at, index)
            : x.index_select(at, places(index));
    return before == 0 ? entries : arranged(entries);
  }

  @Override
  public Tensor farthest(Tensor x, int count) {
    int n = Math.toIntExact(x.size(0));
    int points = Math.toIntExact(x.size(1));
    int dimension = Math.toIntExact(x.size(2));
    float[] all = Tensors.toArray(x);
    int[] chosen = new int[n * count];
    for (int i = 0; i < n; i++) {
      int[] own = FarthestPoints.of(all, i * points * dimension, points, dimension, count);
      for (int k = 0; k < count; k++) {
        chosen[i * count + k] = i * points + own[k];
      }
    }
    return x.reshape(-1, dimension)
        .index_select(0, Tensors.ofLabels(chosen, chosen.length))
        .reshape(n, count, dimension);
  }

  @Override
  public Tensor softmax(Tensor x) {
    return torch.softmax(x, x.dim() - 1);
  }

  @Override
  public Tensor logSoftmax(Tensor x) {
    return torch.log_softmax(x, x.dim() - 1);
  }

  @Override
  public Tensor uniform(Tensor x, long seed, int... axes) {
    long[] shape = new long[axes.length + 1];
    shape[0] = training() ? x.size(0) : 1; // one for all, as if it had a batch
    for (int i = 0; i < axes.length; i++) {
      shape[i + 1] = axes[i];
    }
    RandomGenerator from = training() ? random : new SplittableRandom(seed);
    return Tensors.of(FloatTensor.uniform(from, shape).values(), shape);
  }

  @Override
  public Tensor constant(float[] values, int... axes) {
    long[] shape = new long[axes.length];
    for (int i = 0; i < axes.length; i++) {
      shape[i] = axes[i];
    }
    return Tensors.of(values, shape);
  }

  @Override
  public Tensor parameter(String name, Initial initial, int... axes) {
    return weights.get(name);
  }

  @Override
  public Tensor standardised(Tensor kernel, Tensor gain, double epsilon) {
    // Batch normalisation of one input whose channels are the kernels: one pass, with gradients.
    Tensor rows = kernel.reshape(1, kernel.size(0), -1);
    Tensor normal =
        torch.batch_norm(
            rows,
            new TensorOptional(gain),
            new TensorOptional(),
            new TensorOptional(),
            new TensorOptional(),
            true,
            0,
            epsilon,
            false);
    return normal.reshape(Tensors.shape(kernel));
  }

  @Override
  public Tensor shared(String name, Initial initial, int count, int[] index, int... axes) {
    long[] shape = Arrays.stream(axes).asLongStream().toArray();
    return weights.get(name).index_select(0, places(index)).view(shape);
  }

  @Override
  public Tensor derived(String name, Derivation how) {
    Tensor known = derived.get(name);
    if (known == null) {
      TorchOperations fixed = new TorchOperations(weights, random, 0);
      known = training() ? how.of(fixed) : weights.derived(name, () -> how.of(fixed));
      derived.put(name, known);
    }
    return known;
  }

  @Override
  public void penalty(Tensor x) {
    if (training()) {
      penalties.add(x.mean());
    }
  }
}
