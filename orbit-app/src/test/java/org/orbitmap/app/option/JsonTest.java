package org.orbitmap.app.option;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  record Sample(String name, double value, List<Double> list, double[] array, float[] floats) {}

  @Test
  void keepsTheOrderOfARecord() {
    assertThat(Json.write(new Sample("ä", 0.5, List.of(1.0), new double[] {2}, new float[] {3})))
        .isEqualToIgnoringWhitespace(
            "{\"name\":\"ä\",\"value\":0.5,\"list\":[1.0],\"array\":[2.0],\"floats\":[3.0]}");
  }

  @Test
  void numbersThatAreNotFiniteBecomeNullEverywhere() {
    Map<String, Object> all = new LinkedHashMap<>();
    double inf = Double.POSITIVE_INFINITY;
    all.put(
        "record",
        new Sample(
            "x",
            Double.NaN,
            List.of(inf),
            new double[] {1, -inf},
            new float[] {Float.NaN, 1, Float.NEGATIVE_INFINITY}));
    all.put("boxed", Float.NaN);
    all.put("tree", JsonNodeFactory.instance.objectNode().put("leaf", Double.NaN));
    all.put("nested", new double[][] {{Double.NaN}});
    assertThat(Json.write(all)).doesNotContain("NaN").doesNotContain("Infinity");
    assertThat(Json.write(all)).contains("null");
  }
}
