package org.orbitmap.app.serve.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.orbitmap.app.option.Json;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.app.serve.http.Server;
import org.orbitmap.app.serve.model.Models;
import org.orbitmap.app.serve.model.Served;
import org.orbitmap.model.TensorSpec;
import org.orbitmap.onnx.run.OnnxModel;

/**
 * The Open Inference Protocol, version 2, over HTTP, with the binary tensor data extension. Every
 * loaded model is there twice: {@code name} is the model as it is, {@code name.mapped} the same
 * behind the orbit mapping. A batch is as large as the client likes: where the model's own is
 * fixed, the inputs go through it one after another.
 */
public final class InferenceApi {
  private static final String HEADER_LENGTH = "Inference-Header-Content-Length";
  private static final String VERSION = "1";

  private final Models models;
  private final String version;

  InferenceApi(Models models, String version) {
    this.models = models;
    this.version = version;
  }

  void addTo(Server server) {
    server.get("/v2", request -> Response.json(about()));
    server.get("/v2/health/live", request -> Response.json(Map.of("live", true)));
    server.get("/v2/health/ready", request -> Response.json(Map.of("ready", true)));
    server.get("/v2/models", request -> Response.json(Map.of("models", models.names())));
    server.post("/v2/repository/index", server.limits().body(), request -> index());
    for (String prefix : List.of("/v2/models/{model}", "/v2/models/{model}/versions/{version}")) {
      server.get(prefix, this::metadata);
      server.get(prefix + "/ready", this::ready);
      server.post(prefix + "/infer", server.limits().body(), this::infer);
    }
  }

  private Map<String, Object> about() {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("name", "orbit");
    about.put("version", version);
    about.put("extensions", List.of("binary_tensor_data", "model_repository"));
    return about;
  }

  /** The models as the protocol's extension for repositories lists them. */
  private Response index() {
    return Response.json(
        models.names().stream().map(name -> new Entry(name, VERSION, "READY", "")).toList());
  }

  /** A model in the index of a repository. */
  private record Entry(String name, String version, String state, String reason) {}

  /** The model that a request names, without the ending of mapped ones. */
  private Served served(Request request) {
    String name = request.path().get("model");
    return models.named(
        name.endsWith(Models.MAPPED)
            ? name.substring(0, name.length() - Models.MAPPED.length())
            : name);
  }

  private OnnxModel model(Request request) throws IOException {
    String asked = request.path().getOrDefault("version", VERSION);
    if (!asked.equals(VERSION)) {
      throw new Problem(404, "version: expected " + VERSION);
    }
    return request.path().get("model").endsWith(Models.MAPPED)
        ? served(request).mappedModel()
        : served(request).bareModel();
  }

  private Response ready(Request request) throws IOException {
    model(request);
    return Response.json(Map.of("name", request.path().get("model"), "ready", true));
  }

  private Response metadata(Request request) throws IOException {
    OnnxModel model = model(request);
    int batch = batch(served(request));
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", request.path().get("model"));
    out.put("versions", List.of(VERSION));
    out.put("platform", "onnxruntime_onnx");
    out.put(
        "inputs", model.file().inputs().stream().map(p -> port(p, datatype(p), batch)).toList());
    out.put(
        "outputs", model.file().outputs().stream().map(p -> port(p, answered(p), batch)).toList());
    return Response.json(out);
  }

  /** The batch that the model has fixed; -1 if it is free, or if there is no axis for it. */
  private static int batch(Served served) {
    return served.input().batched() ? served.input().batch() : -1;
  }

  private static Map<String, Object> port(TensorSpec port, String datatype, int batch) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", port.name());
    out.put("datatype", datatype);
    long[] shape = port.lengths();
    if (shape.length > 1 && shape[0] == batch) {
      shape[0] = -1; // any number of inputs is served
    }
    out.put("shape", shape);
    return out;
  }

  private static String datatype(TensorSpec port) {
    return switch (port.type()) {
      case "float" -> "FP32";
      case "double" -> "FP64";
      case "float16" -> "FP16";
      case "bfloat16" -> "BF16";
      case "string" -> "BYTES";
      default -> port.type().toUpperCase(java.util.Locale.ROOT);
    };
  }

  /** The type an output is told in: its numbers come as floats, and longs are told as longs. */
  private static String answered(TensorSpec port) {
    return port.type().equals("int64") ? "INT64" : "FP32";
  }

  private Response infer(Request request) throws IOException {
    OnnxModel model = model(request);
    String length = request.header().apply(HEADER_LENGTH);
    int head = request.body().length;
    if (length != null) {
      try {
        head = Integer.parseInt(length);
      } catch (NumberFormatException e) {
        head = -1;
      }
      if (head < 0 || head > request.body().length) {
        throw Problem.expected(HEADER_LENGTH, "at most the length of the body", length);
      }
    }
    JsonNode document = request.json(head);
    int batch = batch(served(request));
    Map<String, OnnxModel.Output> outputs =
        model.runRows(feeds(model, document, request.body(), head, batch), batch);
    return answer(request.path().get("model"), model, document, outputs);
  }

  private static Map<String, OnnxModel.Feed> feeds(
      OnnxModel model, JsonNode document, byte[] body, int head, int batch) {
    JsonNode inputs = document.path("inputs");
    if (!inputs.isArray()) {
      throw Problem.expected("inputs", "an array of tensors", inputs.getNodeType());
    }
    Map<String, TensorSpec> ports = new LinkedHashMap<>();
    model.file().inputs().forEach(p -> ports.put(p.name(), p));
    Map<String, OnnxModel.Feed> feeds = new LinkedHashMap<>();
    int at = head;
    for (JsonNode input : inputs) {
      String name = input.path("name").asText();
      TensorSpec port = ports.get(name);
      if (port == null) {
        throw Problem.expected("inputs", "tensors named " + ports.keySet(), name);
      }
      String datatype = input.path("datatype").asText();
      if (!datatype.equals(datatype(port))) {
        throw Problem.expected(name, "datatype " + datatype(port), datatype);
      }
      long[] shape = shape(port, input.path("shape"), batch);
      long elements = 1;
      for (long n : shape) {
        elements *= n;
      }
      JsonNode size = input.path("parameters").path("binary_data_size");
      float[] data;
      if (size.isMissingNode()) {
        if (elements > head / 2) { // a digit and a comma each
          throw Problem.expected(
              name, "data of %d numbers".formatted(elements), head + " bytes of JSON");
        }
        data = flat(name, input.path("data"), (int) elements);
      } else {
        long bytes = elements * width(name, datatype);
        if (!size.isIntegralNumber()
            || size.longValue() != bytes
            || bytes > body.length - (long) at) {
          throw Problem.expected(name, "%d bytes of binary data".formatted(bytes), size + " bytes");
        }
        data = read(ByteBuffer.wrap(body, at, (int) bytes), datatype, (int) elements);
        at += (int) bytes;
      }
      feeds.put(name, new OnnxModel.Feed(shape, requireFinite(name, data)));
    }
    if (!feeds.keySet().equals(ports.keySet())) {
      TreeSet<String> missing = new TreeSet<>(ports.keySet());
      missing.removeAll(feeds.keySet());
      throw Problem.expected("inputs", "a tensor for " + missing, "none");
    }
    return feeds;
  }

  /** As in the core, NaN and infinite numbers are no input: also those too large for a float. */
  private static float[] requireFinite(String name, float[] data) {
    for (int i = 0; i < data.length; i++) {
      if (!Float.isFinite(data[i])) {
        throw Problem.expected(name, "finite numbers", data[i] + " at " + i);
      }
    }
    return data;
  }

  private static long[] shape(TensorSpec port, JsonNode given, int batch) {
    int rank = port.shape().size();
    boolean fits = given.isArray() && given.size() == rank;
    long[] shape = new long[rank];
    long elements = 1;
    for (int i = 0; fits && i < rank; i++) {
      JsonNode n = given.get(i);
      fits = n.isIntegralNumber() && n.canConvertToInt() && n.intValue() > 0;
      if (fits) {
        shape[i] = n.intValue();
        elements = Math.min(Integer.MAX_VALUE, elements * shape[i]);
        TensorSpec.Dimension size = port.shape().get(i);
        boolean rows = i == 0 && rank > 1 && size.value() == batch;
        fits = !size.fixed() || rows || size.value() == shape[i];
      }
    }
    if (!fits || elements > 1 << 26) {
      throw Problem.expected(port.name(), "shape " + port.shapeText(), given);
    }
    return shape;
  }

  /** Numbers, flat or nested as the shape is. */
  private static float[] flat(String name, JsonNode data, int elements) {
    float[] out = new float[elements];
    int n = data.isArray() ? collect(name, data, out, 0) : -1;
    if (n != elements) {
      throw Problem.expected(name, "data of %d numbers".formatted(elements), n + " numbers");
    }
    return out;
  }

  private static int collect(String name, JsonNode node, float[] out, int at) {
    for (JsonNode v : node) {
      if (v.isArray()) {
        at = collect(name, v, out, at);
      } else if (v.isNumber() || v.isBoolean()) {
        if (at < out.length) {
          out[at] = v.isBoolean() ? (v.booleanValue() ? 1 : 0) : v.floatValue();
        }
        at++;
      } else {
        throw Problem.expected(name, "numbers", v);
      }
    }
    return at;
  }

  private static int width(String name, String datatype) {
    return switch (datatype) {
      case "FP32" -> 4;
      case "FP64", "INT64" -> 8;
      case "UINT8" -> 1;
      default ->
          throw Problem.expected(name, "FP32, FP64, INT64 or UINT8 as binary data", datatype);
    };
  }

  private static float[] read(ByteBuffer from, String datatype, int elements) {
    from.order(ByteOrder.LITTLE_ENDIAN);
    float[] out = new float[elements];
    for (int i = 0; i < elements; i++) {
      out[i] =
          switch (datatype) {
            case "FP32" -> from.getFloat();
            case "FP64" -> (float) from.getDouble();
            case "INT64" -> from.getLong();
            default -> from.get() & 255;
          };
    }
    return out;
  }

  private static Response answer(
      String name, OnnxModel model, JsonNode document, Map<String, OnnxModel.Output> outputs)
      throws IOException {
    Map<String, JsonNode> wanted = new LinkedHashMap<>();
    for (JsonNode output : document.path("outputs")) {
      wanted.put(output.path("name").asText(), output.path("parameters"));
    }
    boolean allBinary = document.path("parameters").path("binary_data_output").asBoolean(false);
    if (wanted.isEmpty()) {
      outputs.keySet().forEach(n -> wanted.put(n, Json.mapper().createObjectNode()));
    }
    Map<String, TensorSpec> ports = new LinkedHashMap<>();
    model.file().outputs().forEach(p -> ports.put(p.name(), p));
    ByteArrayOutputStream binary = new ByteArrayOutputStream();
    List<Object> tensors = new ArrayList<>();
    for (Map.Entry<String, JsonNode> one : wanted.entrySet()) {
      OnnxModel.Output output = outputs.get(one.getKey());
      if (output == null) {
        throw Problem.expected("outputs", "names among " + outputs.keySet(), one.getKey());
      }
      String datatype = answered(ports.get(one.getKey()));
      boolean whole = datatype.equals("INT64");
      Map<String, Object> tensor = new LinkedHashMap<>();
      tensor.put("name", one.getKey());
      tensor.put("shape", output.shape());
      tensor.put("datatype", datatype);
      if (one.getValue().path("binary_data").asBoolean(allBinary)) {
        byte[] bytes = bytes(output.data(), whole);
        tensor.put("parameters", Map.of("binary_data_size", bytes.length));
        binary.writeBytes(bytes);
      } else {
        tensor.put("data", whole ? longs(output.data()) : output.data());
      }
      tensors.add(tensor);
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("model_name", name);
    out.put("model_version", VERSION);
    if (document.hasNonNull("id")) {
      out.put("id", document.get("id").asText());
    }
    out.put("outputs", tensors);
    Response response = Response.json(out);
    if (binary.size() == 0) {
      return response;
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(response.body());
    body.writeBytes(binary.toByteArray());
    return Response.of("application/octet-stream", body.toByteArray())
        .with(HEADER_LENGTH, Integer.toString(response.body().length));
  }

  private static byte[] bytes(float[] data, boolean whole) {
    if (!whole) {
      return CanonicalApi.bytes(data);
    }
    ByteBuffer out = ByteBuffer.allocate(8 * data.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float v : data) {
      out.putLong((long) v);
    }
    return out.array();
  }

  private static long[] longs(float[] data) {
    long[] out = new long[data.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (long) data[i];
    }
    return out;
  }
}
