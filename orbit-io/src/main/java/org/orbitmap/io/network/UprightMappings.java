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
import org.orbitmap.upright.Fitted;

/** Upright mappings by the name of their file: {@code upright:FILE}. */
public final class UprightMappings implements MappingFile {
  /** A file that did not change is read once. */
  private static final Map<Path, Read> READ = new ConcurrentHashMap<>();

  private record Read(long size, FileTime time, MappingFamily family) {}

  /** The family of a mapping that is in memory. */
  public static MappingFamily family(Fitted fitted) {
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
      known = new Read(size, time, new Family(UprightFile.readAny(file)));
      READ.put(real, known);
    }
    return known.family;
  }

  private record Family(Fitted fitted) implements MappingFamily {
    @Override
    public String name() {
      return "upright";
    }

    @Override
    public List<String> groups(InputShape<?> shape) {
      return shape.kind().equals(fitted.kind()) ? List.of(fitted.group()) : List.of();
    }

    @Override
    public OrbitMapping<?, ?> mapping(InputShape<?> shape, String group, Resampling resampling) {
      return fitted.mapping(resampling);
    }
  }
}
