package org.orbitmap.io.network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.orbitmap.image.Interpolation;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.Fitted;
import org.orbitmap.upright.FittedCloudUpright;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightSettings;

/**
 * The file of a fitted upright mapping: safetensors with the tensors {@code predictor.…} and {@code
 * restorer.…}; the settings and the provenance stand in the metadata.
 */
public final class UprightFile {
  private static final String PREDICTOR = "predictor.";
  private static final String RESTORER = "restorer.";
  private static final String VERSION = "1";
  private static final String KIND = "kind";
  private static final String IMAGES = "images";
  private static final String CLOUDS = "clouds";

  private UprightFile() {}

  /** Writes the file whole or not at all. */
  public static void write(Path file, Fitted fitted) throws IOException {
    new Safetensors(metadata(fitted), tensors(fitted)).write(file);
  }

  /** The settings and the provenance as text by name. */
  public static Map<String, String> metadata(Fitted fitted) {
    Map<String, String> m = new LinkedHashMap<>(fitted.provenance());
    m.put("orbit", "upright");
    m.put("version", VERSION);
    m.put(KIND, fitted.kind());
    m.put("group", fitted.group());
    if (fitted instanceof FittedUpright images) {
      put(m, images.settings());
    } else if (fitted instanceof FittedCloudUpright clouds) {
      CloudUprightSettings s = clouds.settings();
      putPredictor(m, s.base(), s.network(), s.widthFactor());
      m.put("points", Integer.toString(s.points()));
    }
    return m;
  }

  private static void put(Map<String, String> m, UprightSettings s) {
    putPredictor(m, s.base(), s.network(), s.widthFactor());
    m.put("bins", Integer.toString(s.bins()));
    m.put("channels", Integer.toString(s.channels()));
    m.put("size", Integer.toString(s.size()));
    m.put("views", Integer.toString(s.views()));
    m.put("interpolation", s.interpolation().id());
    m.put("outside", Float.toString(s.outside()));
    if (!s.restorer().isEmpty()) {
      m.put("restorer", s.restorer());
    }
  }

  /** The tensors of predictor and restorer by name. */
  public static Map<String, FloatTensor> tensors(Fitted fitted) {
    Map<String, FloatTensor> all = new LinkedHashMap<>();
    fitted.predictor().forEach((name, t) -> all.put(PREDICTOR + name, t));
    fitted.restorer().forEach((name, t) -> all.put(RESTORER + name, t));
    return all;
  }

  /**
   * Reads a file of either kind.
   *
   * @throws FormatException if it is damaged, or does not hold an upright mapping that this version
   *     knows
   */
  public static Fitted readAny(Path file) throws IOException {
    return read(file, "an upright mapping", UprightFile::fitted);
  }

  /**
   * Reads a file of images.
   *
   * @throws FormatException if it is damaged, or does not hold an upright mapping that this version
   *     knows
   */
  public static FittedUpright read(Path file) throws IOException {
    return read(file, "an upright mapping", UprightFile::fittedToImages);
  }

  /**
   * Reads the file of an upright mapping of clouds.
   *
   * @throws FormatException if it is damaged, or does not hold one that this version knows
   */
  public static FittedCloudUpright readClouds(Path file) throws IOException {
    return read(file, "an upright mapping of clouds", UprightFile::fittedToClouds);
  }

  /**
   * The mapping that metadata and tensors describe.
   *
   * @throws IllegalArgumentException if they describe none that this version knows
   */
  public static Fitted fitted(Map<String, String> metadata, Map<String, FloatTensor> tensors) {
    return CLOUDS.equals(metadata.get(KIND))
        ? fittedToClouds(metadata, tensors)
        : fittedToImages(metadata, tensors);
  }

  private static FittedUpright fittedToImages(
      Map<String, String> metadata, Map<String, FloatTensor> tensors) {
    Map<String, String> m = opened(metadata, IMAGES);
    UprightSettings settings =
        new UprightSettings(
            take(m, "group"),
            take(m, "base"),
            take(m, "network"),
            Double.parseDouble(take(m, "width-factor")),
            Integer.parseInt(take(m, "channels")),
            Integer.parseInt(take(m, "size")),
            Integer.parseInt(take(m, "bins")),
            Integer.parseInt(m.getOrDefault("views", "1")),
            Interpolation.named(m.getOrDefault("interpolation", "bilinear")),
            Float.parseFloat(m.getOrDefault("outside", "0.5")),
            m.getOrDefault("restorer", ""));
    m.keySet().removeAll(Set.of("views", "interpolation", "outside", "restorer"));
    return new FittedUpright(settings, part(tensors, PREDICTOR), part(tensors, RESTORER), m);
  }

  private static FittedCloudUpright fittedToClouds(
      Map<String, String> metadata, Map<String, FloatTensor> tensors) {
    Map<String, String> m = opened(metadata, CLOUDS);
    CloudUprightSettings settings =
        new CloudUprightSettings(
            take(m, "group"),
            take(m, "base"),
            take(m, "network"),
            Double.parseDouble(take(m, "width-factor")),
            Integer.parseInt(take(m, "points")));
    if (!part(tensors, RESTORER).isEmpty()) {
      throw new IllegalArgumentException("tensors: expected predictor.… alone, found restorer.…");
    }
    return new FittedCloudUpright(settings, part(tensors, PREDICTOR), m);
  }

  /** What metadata and tensors describe. */
  private interface Description<F> {
    F fitted(Map<String, String> metadata, Map<String, FloatTensor> tensors);
  }

  private static <F> F read(Path file, String what, Description<F> description) throws IOException {
    Safetensors read = Safetensors.read(file);
    try {
      return description.fitted(read.metadata(), read.tensors());
    } catch (IllegalArgumentException e) {
      throw new FormatException(file, what, e.getMessage());
    } catch (ArithmeticException e) {
      throw new FormatException(file, what, "a network that is too large");
    }
  }

  private static void putPredictor(
      Map<String, String> m, String base, String network, double widthFactor) {
    m.put("base", base);
    m.put("network", network);
    m.put("width-factor", Double.toString(widthFactor));
  }

  /** A copy of metadata of one kind, without what every file begins with. */
  private static Map<String, String> opened(Map<String, String> metadata, String kind) {
    Map<String, String> m = new LinkedHashMap<>(metadata);
    require(m, "orbit", "upright");
    require(m, "version", VERSION);
    require(m, KIND, kind);
    return m;
  }

  /** The tensors of one part, without its prefix. */
  private static Map<String, FloatTensor> part(Map<String, FloatTensor> tensors, String prefix) {
    Map<String, FloatTensor> part = new LinkedHashMap<>();
    tensors.forEach(
        (name, t) -> {
          if (name.startsWith(prefix)) {
            part.put(name.substring(prefix.length()), t);
          } else if (!name.startsWith(PREDICTOR) && !name.startsWith(RESTORER)) {
            throw new IllegalArgumentException(
                "tensors: expected predictor.… and restorer.…, found " + name);
          }
        });
    return part;
  }

  private static void require(Map<String, String> m, String key, String expected) {
    String found = m.remove(key);
    if (!expected.equals(found)) {
      throw new IllegalArgumentException(
          "%s: expected %s, found %s".formatted(key, expected, found == null ? "none" : found));
    }
  }

  private static String take(Map<String, String> m, String key) {
    String value = m.remove(key);
    if (value == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return value;
  }
}
