package org.orbitmap.app.option;

import org.orbitmap.image.Interpolation;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the value of {@code --interpolation}. */
public final class InterpolationConverter implements ITypeConverter<Interpolation> {
  @Override
  public Interpolation convert(String name) {
    try {
      return Interpolation.named(name);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
