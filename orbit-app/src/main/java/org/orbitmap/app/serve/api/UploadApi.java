package org.orbitmap.app.serve.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.orbitmap.app.cell.Cell;
import org.orbitmap.app.cell.CellException;
import org.orbitmap.app.cell.CellLimits;
import org.orbitmap.app.cell.CellPool;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.serve.http.Endpoint;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.image.Image;

/**
 * What visitors do with models of their own: audit and wrap. An uploaded model is never written to
 * a file, and nothing in this process reads it: a cell does, which is ended with its request,
 * however that ends ({@link UploadCell}).
 */
final class UploadApi implements AutoCloseable {
  private static final int MOST_DRAWINGS = 20;
  private static final int MOST_IMAGES = 100;

  private final Limits limits;
  private CellPool cells;

  UploadApi(Limits limits) {
    this.limits = limits;
  }

  /** The cells; the first one is started with the first need of it. */
  synchronized CellPool cells() {
    if (cells == null) {
      cells = new CellPool(UploadCell.class, CellLimits.uploads(), limits.streams(), limits.work());
    }
    return cells;
  }

  /** How many cells are at work. */
  synchronized int running() {
    return cells == null ? 0 : cells.running();
  }

  @Override
  public synchronized void close() {
    if (cells != null) {
      cells.close();
    }
  }

  /** {@code POST /api/wrap}: the model with the orbit mapping in front. */
  Response wrap(Request request) throws IOException {
    return with(
        request,
        request.body(),
        (cell, input) -> {
          byte[] bytes = cell.call("wrap", Map.of(), null, event -> {}).payload();
          return Response.of("application/octet-stream", bytes)
              .with("Content-Disposition", "attachment; filename=\"wrapped.onnx\"");
        });
  }

  /**
   * {@code POST /api/audit}: how often the model's answer at an angle is its answer upright, bare
   * and wrapped, on the visitor's images or else on drawings, of the size that it takes.
   */
  void audit(Request request, Endpoint.Events events) throws IOException {
    Upload upload = Upload.of(request);
    with(
        request,
        upload.model(),
        (cell, input) -> {
          List<Image> images = input.images(upload.images(), limits);
          events.send("model", input.about());
          JsonNode end =
              cell.call(
                      "audit",
                      Map.of("count", images.size(), "own", !upload.images().isEmpty()),
                      bytes(images),
                      frame -> events.send(frame.name(), frame.head()))
                  .head();
          events.send("end", end);
          return null;
        });
  }

  private static byte[] bytes(List<Image> images) {
    int each = images.get(0).data().length;
    ByteBuffer all = ByteBuffer.allocate(Math.multiplyExact(4 * images.size(), each));
    FloatBuffer numbers = all.asFloatBuffer();
    images.forEach(image -> numbers.put(image.data()));
    return all.array();
  }

  /**
   * What a body holds.
   *
   * @param model the bytes of the model
   * @param images those of each image file behind it
   */
  private record Upload(byte[] model, List<byte[]> images) {
    /** The query says how long the image files are, in their order. */
    static Upload of(Request request) {
      String lengths = request.text("images", "");
      if (lengths.length() > 10 * MOST_IMAGES
          || !lengths.matches("([1-9]\\d{0,8}(,[1-9]\\d{0,8})*)?")) {
        throw Problem.expected(
            "images",
            "the lengths of at most %d image files, such as 1024,2048".formatted(MOST_IMAGES),
            lengths.length() > 20 ? lengths.substring(0, 20) + " …" : lengths);
      }
      int[] each =
          lengths.isEmpty()
              ? new int[0]
              : Arrays.stream(lengths.split(",")).mapToInt(Integer::parseInt).toArray();
      if (each.length > MOST_IMAGES) {
        throw Problem.expected("images", "at most " + MOST_IMAGES, each.length);
      }
      long behind = Arrays.stream(each).asLongStream().sum();
      byte[] body = request.body();
      if (behind > body.length) {
        throw new Problem(
            400,
            "body: expected a model and %d bytes of images, found %d bytes in all"
                .formatted(behind, body.length));
      }
      int at = body.length - (int) behind;
      byte[] model = each.length == 0 ? body : Arrays.copyOf(body, at);
      List<byte[]> images = new ArrayList<>();
      for (int length : each) {
        images.add(Arrays.copyOfRange(body, at, at + length));
        at += length;
      }
      return new Upload(model, images);
    }
  }

  /**
   * What the cell tells of the model's input. It is believed within the limits only.
   *
   * @param about what the visitor is told
   */
  private record Input(int channels, int height, int width, JsonNode about) {
    static Input of(JsonNode told, Limits limits) {
      Input input =
          new Input(
              told.path("channels").intValue(),
              told.path("height").intValue(),
              told.path("width").intValue(),
              told.path("about"));
      if (input.channels < 1
          || input.channels > 64
          || input.height < 1
          || input.width < 1
          || (long) input.height * input.width > limits.pixels()) {
        throw Problem.expected("the model", "an input within the limits", told);
      }
      return input;
    }

    /** Together no more pixels than one image may have, but two, for the timing. */
    int most(Limits limits) {
      return Math.max(2, limits.pixels() / (height * width));
    }

    /** The visitor's images, or else drawings, of the size that the model takes. */
    List<Image> images(List<byte[]> files, Limits limits) throws IOException {
      if (files.isEmpty()) {
        return IntStream.range(0, Math.min(MOST_DRAWINGS, most(limits)))
            .mapToObj(i -> SampleDrawings.image(1000 + i, channels, height, width))
            .toList();
      }
      List<Image> images = new ArrayList<>();
      for (byte[] file : files.subList(0, Math.min(files.size(), most(limits)))) {
        images.add(ImageRequests.fitted(file, limits, channels, height, width));
      }
      return images;
    }
  }

  private interface Job<T> {
    T run(Cell cell, Input input) throws IOException;
  }

  /** Opens the uploaded model in a cell and does a job with it. */
  private <T> T with(Request request, byte[] model, Job<T> job) throws IOException {
    if (model.length == 0) {
      throw new Problem(400, "body: expected an ONNX model, found nothing");
    }
    UploadCell.Use.of(request); // what can be refused without a cell is
    try {
      return cells()
          .with(
              request.visitor(),
              cell -> {
                request.whenGone(cell::close);
                cell.makeWay();
                Map<String, Object> head =
                    Map.of("query", request.query(), "pixels", limits.pixels());
                JsonNode told = cell.call("open", head, model, event -> {}).head();
                return job.run(cell, Input.of(told, limits));
              });
    } catch (CellException e) {
      throw new Problem(e.busy() ? 503 : 400, e.getMessage());
    }
  }
}
