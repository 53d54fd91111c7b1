package org.orbitmap.nn.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.EnumFeature;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Interpolation;

/** How configurations and descriptions are written: the values of the core by their names. */
public final class Documents {
  private Documents() {}

  /** JSON, for descriptions in model files. */
  public static ObjectMapper json() {
    return named(JsonMapper.builder()).build();
  }

  /** YAML with keys-like-this, for configurations that people edit. */
  public static ObjectMapper yaml() {
    return named(
            YAMLMapper.builder(
                YAMLFactory.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build()))
        .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
        .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
        .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .build();
  }

  private static <M extends ObjectMapper, B extends MapperBuilder<M, B>> B named(B builder) {
    return builder
        .addMixIn(Fill.class, NamedFill.class)
        .addMixIn(Interpolation.class, NamedInterpolation.class);
  }

  private abstract static class NamedFill {
    @JsonCreator
    static Fill named(String name) {
      return Fill.named(name);
    }

    @Override
    @JsonValue
    public abstract String toString();
  }

  private abstract static class NamedInterpolation {
    @JsonCreator
    static Interpolation named(String name) {
      return Interpolation.named(name);
    }

    @JsonValue
    abstract String id();
  }
}
