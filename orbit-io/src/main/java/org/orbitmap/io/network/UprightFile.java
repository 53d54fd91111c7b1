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

  private UprightFile() {}

  /** Writes the file whole or not at all. */
  public static void write(Path file, FittedUpright fitted) throws IOException {
    new Safetensors(metadata(fitted), tensors(fitted)).write(file);
  }

  /** The settings and the provenance as text by name. */
  public static Map<String, String> metadata(FittedUpright fitted) {
    UprightSettings s = fitted.settings();
    Map<String, String> m = new LinkedHashMap<>(fitted.provenance());
    m.put("orbit", "upright");
    m.put("version", VERSION);
    m.put("kind", "images");
    m.put("group", s.group());
    m.put("base", s.base());
    m.put("network", s.network());
    m.put("width-factor", Double.toString(s.widthFactor()));
    m.put("channels", Integer.toString(s.channels()));
    m.put("size", Integer.toString(s.size()));
    m.put("bins", Integer.toString(s.bins()));
    m.put("views", Integer.toString(s.views()));
    m.put("interpolation", s.interpolation().id());
    m.put("outside", Float.toString(s.outside()));
    if (!s.restorer().isEmpty()) {
      m.put("restorer", s.restorer());
    }
    return m;
  }

  /** Writes the file of an upright mapping of clouds whole or not at all. */
  public static void write(Path file, FittedCloudUpright fitted) throws IOException {
    CloudUprightSettings s = fitted.settings();
    Map<String, String> m = new LinkedHashMap<>(fitted.provenance());
    m.put("orbit", "upright");
    m.put("version", VERSION);
    m.put("kind", "clouds");
    m.put("group", s.group());
    m.put("base", s.base());
    m.put("network", s.network());
    m.put("width-factor", Double.toString(s.widthFactor()));
    m.put("points", Integer.toString(s.points()));
    m.put("bins", Integer.toString(s.bins()));
    Map<String, FloatTensor> all = new LinkedHashMap<>();
    fitted.predictor().forEach((name, t) -> all.put(PREDICTOR + name, t));
    new Safetensors(m, all).write(file);
  }

  /** Whether a file holds an upright mapping of clouds. */
  public static boolean isOfClouds(Path file) throws IOException {
    return "clouds".equals(Safetensors.read(file).metadata().get("kind"));
  }

  /**
   * Reads the file of an upright mapping of clouds.
   *
   * @throws FormatException if it is damaged, or does not hold one that this version knows
   */
  public static FittedCloudUpright readClouds(Path file) throws IOException {
    Safetensors read = Safetensors.read(file);
    Map<String, String> m = new LinkedHashMap<>(read.metadata());
    try {
      require(m, "orbit", "upright");
      require(m, "version", VERSION);
      require(m, "kind", "clouds");
      CloudUprightSettings settings =
          new CloudUprightSettings(
              take(m, "group"),
              take(m, "base"),
              take(m, "network"),
              Double.parseDouble(take(m, "width-factor")),
              Integer.parseInt(take(m, "points")),
              Integer.parseInt(take(m, "bins")));
      Map<String, FloatTensor> predictor = read.part(PREDICTOR);
      if (predictor.size() != read.tensors().size()) {
        throw new IllegalArgumentException("tensors: expected predictor.… alone, found others");
      }
      return new FittedCloudUpright(settings, predictor, m);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new FormatException(file, "an upright mapping of clouds", e.getMessage());
    }
  }

  /** The tensors of predictor and restorer by name. */
  public static Map<String, FloatTensor> tensors(FittedUpright fitted) {
    Map<String, FloatTensor> all = new LinkedHashMap<>();
    fitted.predictor().forEach((name, t) -> all.put(PREDICTOR + name, t));
    fitted.restorer().forEach((name, t) -> all.put(RESTORER + name, t));
    return all;
  }

  /**
   * Reads a file.
   *
   * @throws FormatException if it is damaged, or does not hold an upright mapping that this version
   *     knows
   */
  public static FittedUpright read(Path file) throws IOException {
    Safetensors read = Safetensors.read(file);
    try {
      return fitted(read.metadata(), read.tensors());
    } catch (IllegalArgumentException e) {
      throw new FormatException(file, "an upright mapping", e.getMessage());
    }
  }

  /**
   * The mapping that metadata and tensors describe.
   *
   * @throws IllegalArgumentException if they describe none that this version knows
   */
  public static FittedUpright fitted(
      Map<String, String> metadata, Map<String, FloatTensor> tensors) {
    Map<String, String> m = new LinkedHashMap<>(metadata);
    require(m, "orbit", "upright");
    require(m, "version", VERSION);
    require(m, "kind", "images");
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
    Map<String, FloatTensor> predictor = new LinkedHashMap<>();
    Map<String, FloatTensor> restorer = new LinkedHashMap<>();
    tensors.forEach(
        (name, t) -> {
          if (name.startsWith(PREDICTOR)) {
            predictor.put(name.substring(PREDICTOR.length()), t);
          } else if (name.startsWith(RESTORER)) {
            restorer.put(name.substring(RESTORER.length()), t);
          } else {
            throw new IllegalArgumentException(
                "tensors: expected predictor.… and restorer.…, found " + name);
          }
        });
    try {
      return new FittedUpright(settings, predictor, restorer, m);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("a network that is too large", e);
    }
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
