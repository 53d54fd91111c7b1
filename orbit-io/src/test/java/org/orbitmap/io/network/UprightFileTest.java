package org.orbitmap.io.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.orbitmap.io.FormatException;
import org.orbitmap.network.FloatTensor;
import org.orbitmap.upright.CloudUprightSettings;
import org.orbitmap.upright.FittedCloudUpright;
import org.orbitmap.upright.FittedUpright;
import org.orbitmap.upright.UprightSettings;

class UprightFileTest {
  @TempDir Path folder;

  private static FittedUpright fitted() {
    UprightSettings settings =
        UprightSettings.of("convnet", 0.1, 16, 36).withViews(4).withRestorer("residual-3x4");
    FittedUpright random = FittedUpright.random(settings, 1);
    return new FittedUpright(
        settings, random.predictor(), random.restorer(), Map.of("data", "ümlaut", "seed", "1"));
  }

  @Test
  void roundTrip() throws IOException {
    Path file = folder.resolve("u.safetensors");
    UprightFile.write(file, fitted());
    assertThat(UprightFile.read(file)).isEqualTo(fitted());
  }

  @Test
  void roundTripOfClouds() throws IOException {
    CloudUprightSettings settings =
        new CloudUprightSettings("se3", "skewness", "upright-cube", 0.05, 32);
    FittedCloudUpright random = FittedCloudUpright.random(settings, 1);
    FittedCloudUpright fitted =
        new FittedCloudUpright(settings, random.predictor(), Map.of("seed", "1"));
    Path file = folder.resolve("c.safetensors");
    UprightFile.write(file, fitted);
    assertThat(UprightFile.readClouds(file)).isEqualTo(fitted);
    assertThat(UprightFile.readAny(file)).isEqualTo(fitted);
    Map<String, FloatTensor> more = new LinkedHashMap<>(UprightFile.tensors(fitted));
    more.put("restorer.x", one(1));
    assertThatThrownBy(() -> UprightFile.fitted(UprightFile.metadata(fitted), more))
        .hasMessage("tensors: expected predictor.… alone, found restorer.…");
  }

  @Test
  void refusesWhatItDoesNotKnow() throws IOException {
    refuses("orbit: expected upright, found none", m -> m.remove("orbit"), t -> {});
    refuses("version: expected 1, found 2", m -> m.put("version", "2"), t -> {});
    refuses("kind: expected images, found clouds", m -> m.put("kind", "clouds"), t -> {});
    refuses("no bins", m -> m.remove("bins"), t -> {});
    refuses("multiple of 4", m -> m.put("bins", "37"), t -> {});
    refuses("predictor: expected", m -> m.put("bins", "40"), t -> {});
    refuses("2 to 512", m -> m.put("size", "100000"), t -> {});
    refuses("width factor", m -> m.put("width-factor", "NaN"), t -> {});
    refuses("expected one of", m -> m.put("network", "nonsense"), t -> {});
    refuses("expected clouds, found images", m -> m.put("network", "pointnet"), t -> {});
    refuses("restorer: expected", m -> m.put("restorer", "magic"), t -> {});
    refuses("restorer: expected only", m -> m.remove("restorer"), t -> {});
    refuses("found none", m -> {}, t -> t.remove("predictor.head.bias"));
    refuses("found more.bias", m -> {}, t -> t.put("predictor.more.bias", one(1)));
    refuses("found elsewhere", m -> {}, t -> t.put("elsewhere", one(1)));
    refuses(
        "finite numbers in layer1.bias",
        m -> {},
        t -> t.get("restorer.layer1.bias").values()[1] = Float.NaN);
  }

  private static FloatTensor one(float value) {
    return new FloatTensor(new long[] {1}, new float[] {value});
  }

  private void refuses(
      String message, Consumer<Map<String, String>> meta, Consumer<Map<String, FloatTensor>> change)
      throws IOException {
    Path file = folder.resolve("bad.safetensors");
    UprightFile.write(file, fitted());
    Safetensors good = Safetensors.read(file);
    Map<String, String> m = new LinkedHashMap<>(good.metadata());
    Map<String, FloatTensor> t = new LinkedHashMap<>(good.tensors());
    meta.accept(m);
    change.accept(t);
    new Safetensors(m, t).write(file);
    assertThatThrownBy(() -> UprightFile.read(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("bad.safetensors: expected")
        .hasMessageContaining(message);
  }
}
