package org.orbitmap.app.serve.api;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Image;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.image.ImageFiles;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingSpec;

/** Reads images and their mappings from requests. */
final class ImageRequests {
  private static final Path NAME = Path.of("image");

  private ImageRequests() {}

  /** The image file in a body. */
  static Image decode(byte[] body, Limits limits) throws IOException {
    requireSome(body);
    return ImageFiles.decode(NAME, body, limits.pixels());
  }

  /**
   * An image of the wanted shape: the largest middle rectangle of the right proportions, reduced or
   * enlarged. Photographs of several times the pixel limit are thinned out while they are read.
   */
  static Image fitted(byte[] body, Limits limits, int channels, int height, int width)
      throws IOException {
    requireSome(body);
    BufferedImage whole =
        ImageFiles.decode(
            NAME,
            new ByteArrayInputStream(body),
            16L * limits.pixels(),
            2 * Math.max(height, width));
    double scale = Math.max((double) width / whole.getWidth(), (double) height / whole.getHeight());
    // Halving first: one bilinear step over more than a factor of two would skip pixels.
    BufferedImage now = rgb(whole, whole.getWidth(), whole.getHeight());
    while (scale < 0.5) {
      now = rgb(now, Math.max(1, now.getWidth() / 2), Math.max(1, now.getHeight() / 2));
      scale = Math.max((double) width / now.getWidth(), (double) height / now.getHeight());
    }
    int w = Math.max(width, (int) Math.round(now.getWidth() * scale));
    int h = Math.max(height, (int) Math.round(now.getHeight() * scale));
    now = rgb(now, w, h);
    Image colour = ImageFiles.of(now.getSubimage((w - width) / 2, (h - height) / 2, width, height));
    return channels == 3 ? colour : colour.grey().withChannels(channels);
  }

  private static BufferedImage rgb(BufferedImage from, int width, int height) {
    BufferedImage to = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = to.createGraphics();
    g.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
    g.drawImage(from, 0, 0, width, height, null);
    g.dispose();
    return to;
  }

  private static void requireSome(byte[] body) {
    if (body.length == 0) {
      throw new Problem(400, "body: expected an image, found nothing");
    }
  }

  /** The mapping that the query names: mapping, interpolation, fill, mask. */
  static RotationMapping mapping(Request request) {
    return mapping(
        request,
        new Resampling(
            interpolation(request),
            Fill.named(request.text("fill", "zero")),
            request.flag("mask", false)));
  }

  /** The mapping of rotations with the rule that the query names. */
  static RotationMapping mapping(Request request, Resampling resampling) {
    String rule = request.text("mapping", "disc");
    if (MappingSpec.file(rule).isPresent()) { // no request reads files of this machine
      throw Problem.expected("mapping", "the name of a rule", rule);
    }
    InputShape<Image> any = new InputShape.Images(1, 1, 1);
    if (new MappingSpec(rule, "so2", resampling).mapping(any) instanceof RotationMapping m) {
      return m;
    }
    throw Problem.expected("mapping", "a rule that tells its pose", rule);
  }

  /** How the query wants images to be rotated. */
  static Interpolation interpolation(Request request) {
    return Interpolation.named(request.text("interpolation", "bilinear"));
  }
}
