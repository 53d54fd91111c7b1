package org.orbitmap.upright;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.orbitmap.image.Offset;
import org.orbitmap.network.Convolution;
import org.orbitmap.network.Declaration;
import org.orbitmap.network.Operations;
import org.orbitmap.network.Parameter;

/**
 * Undoes the blur of resampling: u + f(r)/10, with f a few 3 x 3 convolutions; untrained it changes
 * little. It stands behind the mapping and sees the canonical image alone, so that it costs nothing
 * of the invariance.
 *
 * <p>What it sees, r, is the canonical image u, or, if it is fine, the image read at twice the
 * resolution, of which u is the first of four readings: what one reading for each pixel would lose
 * is still there.
 *
 * @param layers convolutions, the last one back to the channels of the image
 * @param width channels between them
 * @param fine whether it sees {@link Offset#FINE} readings
 */
public record Restorer(int layers, int width, boolean fine) {
  private static final Pattern NAME = Pattern.compile("(residual|fine)-(\\d{1,2})x(\\d{1,3})");

  /** By the number of channels. */
  private static final Map<Integer, int[]> FIRST = new ConcurrentHashMap<>();

  public Restorer {
    if (layers < 2 || layers > 16 || width < 1 || width > 256) {
      throw new IllegalArgumentException(
          "restorer: expected 2 to 16 layers of 1 to 256 channels, found %d and %d"
              .formatted(layers, width));
    }
  }

  /** The restorer with this name, such as {@code residual-4x24} or {@code fine-4x24}. */
  public static Restorer named(String name) {
    Matcher m = NAME.matcher(name);
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "restorer: expected residual-<layers>x<channels> or fine-<layers>x<channels>, found "
              + name);
    }
    return new Restorer(
        Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)), m.group(1).equals("fine"));
  }

  /** Such as {@code residual-4x24}. */
  public String name() {
    return "%s-%dx%d".formatted(fine ? "fine" : "residual", layers, width);
  }

  /** Where each pixel of what it sees is read. */
  public List<Offset> offsets() {
    return fine ? Offset.FINE : Offset.PLAIN;
  }

  /**
   * The restored images.
   *
   * @param x images with samples in [0, 1], of each channel all readings
   */
  public <T> T restore(Operations<T> ops, T x) {
    int readings = offsets().size();
    int channels = ops.length(x, 0) / readings;
    T first = readings == 1 ? x : ops.select(x, 0, first(channels, readings));
    T y = x;
    for (int i = 1; i < layers; i++) {
      y = ops.relu(ops.convolution(y, "layer" + i, Convolution.of(width, 3).padding(1)));
    }
    y = ops.convolution(y, "layer" + layers, Convolution.of(channels, 3).padding(1));
    return ops.add(first, ops.multiply(y, ops.constant(new float[] {0.1f}, 1, 1, 1)));
  }

  /** Where the first reading of each channel is: always the same array. */
  private static int[] first(int channels, int readings) {
    return FIRST.computeIfAbsent(
        channels, n -> IntStream.range(0, n).map(c -> c * readings).toArray());
  }

  /** Its parameters for images of so many channels. */
  public List<Parameter> parameters(int channels) {
    Declaration declaration = new Declaration();
    restore(declaration, Declaration.Shape.of(offsets().size() * channels, 8, 8));
    return List.copyOf(declaration.parameters());
  }
}
