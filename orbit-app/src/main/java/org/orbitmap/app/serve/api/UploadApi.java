package org.orbitmap.app.serve.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.orbitmap.app.audit.AuditResult;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.serve.http.Endpoint;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.app.serve.model.ServedImages;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Labelled;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;

/**
 * What visitors do with models of their own: audit and wrap. An uploaded model is never written to
 * a file; it is in memory while its request is answered, and goes when it ends, however it ends.
 */
final class UploadApi {
  private static final int STEP = 10;
  private static final int MOST_DRAWINGS = 20;
  private static final int MOST_IMAGES = 100;
  private static final int LEAST_IMAGES = 5;

  /** What an audit may take; slow models are asked about fewer images. */
  private static final double BUDGET_SECONDS = 60;

  /** How visitors' networks expect pixels, by name. */
  private static final Map<String, Function<ModelInput<?>, Preprocessing>> SCALINGS =
      Map.of(
          "usual", Preprocessing::usual,
          "bytes", input -> Preprocessing.BYTES,
          "imagenet", input -> Preprocessing.IMAGENET,
          "cifar10", input -> Preprocessing.CIFAR10);

  private final Limits limits;

  UploadApi(Limits limits) {
    this.limits = limits;
  }

  /** {@code POST /api/wrap}: the model with the orbit mapping in front. */
  Response wrap(Request request) throws IOException {
    return with(
        request,
        request.body(),
        model -> {
          byte[] bytes = model.wrap(rule(request)).bytes();
          return Response.of("application/octet-stream", bytes)
              .with("Content-Disposition", "attachment; filename=\"wrapped.onnx\"");
        });
  }

  private static PoseRule rule(Request request) {
    return ImageRequests.mapping(request, Resampling.BILINEAR).rule();
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
        model -> {
          audit(model, upload.images(), request, events);
          return null;
        });
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

  private void audit(
      ServedImages model, List<byte[]> files, Request request, Endpoint.Events events)
      throws IOException {
    PoseRule rule = rule(request);
    Resampling how = Resampling.of(ImageRequests.interpolation(request));
    ModelInput.Images input = model.input();
    List<Image> all = files.isEmpty() ? drawings(model) : images(model, files);
    OnnxFile file = model.bareModel().file();
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("input", input.toString());
    about.put("parameters", file.parameters());
    about.put("opset", file.opset());
    about.put("classes", model.classes().size());
    events.send("model", about);

    double[] angles = AngleSweep.degrees(STEP);
    List<Image> images = inTime(model, rule, all, angles.length);
    var sweep = Map.entry(how.interpolation().id(), AngleSweep.at(how, angles));
    Map<String, Object> end = new LinkedHashMap<>();
    end.put("images", images.size());
    end.put("own", !files.isEmpty());
    end.put("angles", angles.length);
    end.put("frames", model.frames());
    end.put("plain", stays("plain", model.bare(), images, sweep, 0, events));
    end.put("mapped", stays("mapped", model.mapped(rule), images, sweep, 1, events));
    events.send("end", end);
  }

  /** How often the answers of one of the two models stay. */
  private static AuditResult.Document stays(
      String name,
      Classifier<Image> classifier,
      List<Image> images,
      Map.Entry<String, Sweep<Image>> sweep,
      int before,
      Endpoint.Events events) {
    var settings = new Robustness.Settings(1, images.size(), Robustness.TrueClass.NONE);
    Robustness result =
        Robustness.measure(
            classifier,
            Labelled.unknown(images),
            sweep.getValue(),
            settings,
            (done, total) -> {
              try {
                events.send("progress", Map.of("done", before * total + done, "total", 2 * total));
              } catch (IOException e) {
                throw new UncheckedIOException(e); // the visitor has gone
              }
            });
    return new AuditResult(name, Map.of(sweep.getKey(), result)).document();
  }

  /** Together no more pixels than one image may have, but two, for the timing. */
  private int most(ModelInput.Images input) {
    return Math.max(2, limits.pixels() / (input.height() * input.width()));
  }

  private List<Image> drawings(ServedImages model) {
    ModelInput.Images input = model.input();
    return IntStream.range(0, Math.min(MOST_DRAWINGS, most(input)))
        .mapToObj(
            i -> SampleDrawings.image(1000 + i, input.channels(), input.height(), input.width()))
        .toList();
  }

  private List<Image> images(ServedImages model, List<byte[]> files) throws IOException {
    ModelInput.Images input = model.input();
    List<Image> images = new ArrayList<>();
    for (byte[] file : files.subList(0, Math.min(files.size(), most(input)))) {
      images.add(
          ImageRequests.fitted(file, limits, input.channels(), input.height(), input.width()));
    }
    return images;
  }

  /** As many images as the model can be asked about in time. */
  private static List<Image> inTime(
      ServedImages model, PoseRule rule, List<Image> images, int angles) throws IOException {
    // The first answers warm the model up, the second ones are timed.
    List<Image> few = images.subList(0, Math.min(2, images.size()));
    model.plain(few.subList(0, 1));
    model.mapped(rule, few.subList(0, 1));
    long begun = System.nanoTime();
    model.plain(few);
    model.mapped(rule, few);
    double perImage = (System.nanoTime() - begun) / (1e9 * few.size());
    int inTime = (int) Math.max(LEAST_IMAGES, BUDGET_SECONDS / (perImage * angles + 1e-9));
    return images.subList(0, Math.min(images.size(), inTime));
  }

  private interface Job<T> {
    T run(ServedImages model) throws IOException;
  }

  /** Runs a job on the uploaded model, and closes it. */
  private <T> T with(Request request, byte[] bytes, Job<T> job) throws IOException {
    if (bytes.length == 0) {
      throw new Problem(400, "body: expected an ONNX model, found nothing");
    }
    String scaling = request.text("scaling", "usual");
    Function<ModelInput<?>, Preprocessing> preprocessing = SCALINGS.get(scaling);
    if (preprocessing == null) {
      throw Problem.expected(
          "scaling", "one of " + SCALINGS.keySet().stream().sorted().toList(), scaling);
    }
    int frames = request.whole("frames", 16, 1, 72);
    OnnxFile file = OnnxFile.decode("the model", bytes);
    var use = new ServedImages.Use(ModelInput.Hints.NONE, preprocessing, null, List.of(), frames);
    try (ServedImages model = new ServedImages("the model", file, use, limits)) {
      return job.run(model);
    }
  }
}
