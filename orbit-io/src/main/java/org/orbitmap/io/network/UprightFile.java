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
  public static void write(Path file, FittedUpright fitted) throws IOException {
    new Safetensors(metadata(fitted), tensors(fitted)).write(file);
  }

  /** Writes the file of an upright mapping of clouds whole or not at all. */
  public static void write(Path file, FittedCloudUpright fitted) throws IOException {
    new Safetensors(metadata(fitted), parts(fitted.predictor(), Map.of())).write(file);
  }

  /** The settings and the provenance as text by name. */
  public static Map<String, String> metadata(FittedUpright fitted) {
    UprightSettings s = fitted.settings();
    Map<String, String> m = started(IMAGES, fitted.provenance());
    putPredictor(m, s.group(), s.base(), s.network(), s.widthFactor(), s.bins());
    m.put("channels", Integer.toString(s.channels()));
    m.put("size", Integer.toString(s.size()));
    m.put("views", Integer.toString(s.views()));
    m.put("interpolation", s.interpolation().id());
    m.put("outside", Float.toString(s.outside()));
    if (!s.restorer().isEmpty()) {
      m.put("restorer", s.restorer());
    }
    return m;
  }

  private static Map<String, String> metadata(FittedCloudUpright fitted) {
    CloudUprightSettings s = fitted.settings();
    Map<String, String> m = started(CLOUDS, fitted.provenance());
    putPredictor(m, s.group(), s.base(), s.network(), s.widthFactor(), s.bins());
    m.put("points", Integer.toString(s.points()));
    return m;
  }

  /** The tensors of predictor and restorer by name. */
  public static Map<String, FloatTensor> tensors(FittedUpright fitted) {
    return parts(fitted.predictor(), fitted.restorer());
  }

  /** Whether a file holds an upright mapping of clouds. */
  public static boolean isOfClouds(Path file) throws IOException {
    return CLOUDS.equals(Safetensors.read(file).metadata().get(KIND));
  }

  /**
   * Reads a file.
   *
   * @throws FormatException if it is damaged, or does not hold an upright mapping that this version
   *     knows
   */
  public static FittedUpright read(Path file) throws IOException {
    return read(file, "an upright mapping", UprightFile::fitted);
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
  public static FittedUpright fitted(
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
            Integer.parseInt(take(m, "points")),
            Integer.parseInt(take(m, "bins")));
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

  /** Metadata of one kind, before what is its own. */
  private static Map<String, String> started(String kind, Map<String, String> provenance) {
    Map<String, String> m = new LinkedHashMap<>(provenance);
    m.put("orbit", "upright");
    m.put("version", VERSION);
    m.put(KIND, kind);
    return m;
  }

  private static void putPredictor(
      Map<String, String> m,
      String group,
      String base,
      String network,
      double widthFactor,
      int bins) {
    m.put("group", group);
    m.put("base", base);
    m.put("network", network);
    m.put("width-factor", Double.toString(widthFactor));
    m.put("bins", Integer.toString(bins));
  }

  /** A copy of metadata of one kind, without what every file begins with. */
  private static Map<String, String> opened(Map<String, String> metadata, String kind) {
    Map<String, String> m = new LinkedHashMap<>(metadata);
    require(m, "orbit", "upright");
    require(m, "version", VERSION);
    require(m, KIND, kind);
    return m;
  }

  private static Map<String, FloatTensor> parts(
      Map<String, FloatTensor> predictor, Map<String, FloatTensor> restorer) {
    Map<String, FloatTensor> all = new LinkedHashMap<>();
    predictor.forEach((name, t) -> all.put(PREDICTOR + name, t));
    restorer.forEach((name, t) -> all.put(RESTORER + name, t));
    return all;
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
