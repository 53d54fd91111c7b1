package org.orbitmap.io.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.orbitmap.image.Resampling;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.MappingFamily;
import org.orbitmap.model.MappingFile;
import org.orbitmap.orbit.OrbitMapping;
import org.orbitmap.upright.CloudUprightMapping;
import org.orbitmap.upright.FittedCloudUpright;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightMapping;

/** Upright mappings by the name of their file: {@code upright:FILE}. */
public final class UprightMappings implements MappingFile {
  /** A file that did not change is read once. */
  private static final Map<Path, Read> READ = new ConcurrentHashMap<>();

  private record Read(long size, FileTime time, MappingFamily family) {}

  /** The family of a mapping that is in memory. */
  public static MappingFamily family(FittedUpright fitted) {
    return new Family(fitted);
  }

  @Override
  public String name() {
    return "upright";
  }

  @Override
  public MappingFamily read(String file) {
    try {
      return family(Path.of(file));
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static MappingFamily family(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "mapping upright: expected a file of a fitted mapping, found none at \"%s\""
              .formatted(file));
    }
    Path real = file.toRealPath();
    long size = Files.size(real);
    FileTime time = Files.getLastModifiedTime(real);
    Read known = READ.get(real);
    if (known == null || known.size != size || !known.time.equals(time)) {
      MappingFamily family =
          UprightFile.isOfClouds(file)
              ? new CloudFamily(UprightFile.readClouds(file))
              : new Family(UprightFile.read(file));
      known = new Read(size, time, family);
      READ.put(real, known);
    }
    return known.family;
  }

  private record CloudFamily(FittedCloudUpright fitted) implements MappingFamily {
    @Override
    public String name() {
      return "upright";
    }

    @Override
    public List<String> groups(InputShape<?> shape) {
      return shape instanceof InputShape.Clouds ? List.of(fitted.settings().group()) : List.of();
    }

    @Override
    public OrbitMapping<?, ?> mapping(InputShape<?> shape, String group, Resampling resampling) {
      return new CloudUprightMapping(fitted);
    }
  }

  private record Family(FittedUpright fitted) implements MappingFamily {
    @Override
    public String name() {
      return "upright";
    }

    @Override
    public List<String> groups(InputShape<?> shape) {
      return shape instanceof InputShape.Images ? List.of(fitted.settings().group()) : List.of();
    }

    @Override
    public OrbitMapping<?, ?> mapping(InputShape<?> shape, String group, Resampling resampling) {
      return UprightMapping.of(fitted, resampling);
    }
  }
}
