package org.orbitmap.app.serve.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.orbitmap.app.audit.Audit;
import org.orbitmap.app.audit.AuditResult;
import org.orbitmap.app.audit.OwnAnswers;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.serve.http.Endpoint;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.app.serve.model.ServedImages;
import org.orbitmap.eval.Classifier;
import org.orbitmap.eval.Robustness;
import org.orbitmap.eval.Sweep;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.PoseRule;
import org.orbitmap.io.data.DataSet;
import org.orbitmap.model.InputShape;
import org.orbitmap.model.ModelInput;
import org.orbitmap.model.Preprocessing;
import org.orbitmap.onnx.graph.OnnxFile;

/**
 * What visitors do with models of their own: audit and wrap. An uploaded model is never written to
 * a file; it is in memory while its request is answered, and goes when it ends, however it ends.
 */
final class UploadApi {
  private static final int STEP = 10;
  private static final int MOST_IMAGES = 20;
  private static final int LEAST_IMAGES = 5;

  /** What an audit may take; slow models are asked about fewer images. */
  private static final double BUDGET_SECONDS = 60;

  /** How visitors' networks expect pixels, by name. */
  private static final Map<String, Function<ModelInput<?>, Preprocessing>> SCALINGS =
      Map.of(
          "usual", Preprocessing::usual,
          "bytes", input -> new Preprocessing(255, new double[] {0}, new double[] {1}),
          "imagenet",
              input ->
                  new Preprocessing(
                      1, new double[] {0.485, 0.456, 0.406}, new double[] {0.229, 0.224, 0.225}),
          "cifar10",
              input ->
                  new Preprocessing(
                      1,
                      new double[] {0.4914, 0.4822, 0.4465},
                      new double[] {0.2023, 0.1994, 0.201}));

  private final Limits limits;

  UploadApi(Limits limits) {
    this.limits = limits;
  }

  /** {@code POST /api/wrap}: the model with the orbit mapping in front. */
  Response wrap(Request request) throws IOException {
    return with(
        request,
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
   * and wrapped, on drawings of the size that it takes.
   */
  void audit(Request request, Endpoint.Events events) throws IOException {
    with(
        request,
        model -> {
          audit(model, request, events);
          return null;
        });
  }

  private void audit(ServedImages model, Request request, Endpoint.Events events)
      throws IOException {
    PoseRule rule = rule(request);
    Resampling how = Resampling.of(ImageRequests.interpolation(request));
    ModelInput.Images input = model.input();
    OnnxFile file = model.bareModel().file();
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("input", input.toString());
    about.put("parameters", file.parameters());
    about.put("opset", file.opset());
    about.put("classes", model.classes().size());
    events.send("model", about);

    double[] angles = AngleSweep.degrees(STEP);
    List<Image> images = drawings(model, rule, angles.length);
    Map<String, Sweep<Image>> sweep = Map.of(how.interpolation().id(), AngleSweep.at(how, angles));
    Map<String, Object> end = new LinkedHashMap<>();
    end.put("images", images.size());
    end.put("angles", angles.length);
    end.put("frames", model.frames());
    end.put("plain", stays("plain", model, model.bare(), images, sweep, 0, events));
    end.put("mapped", stays("mapped", model, model.mapped(rule), images, sweep, 1, events));
    events.send("end", end);
  }

  /** How often the answers of one of the two models stay. */
  private static AuditResult.Document stays(
      String name,
      ServedImages model,
      Classifier<Image> classifier,
      List<Image> images,
      Map<String, Sweep<Image>> sweep,
      int before,
      Endpoint.Events events) {
    ModelInput.Images input = model.input();
    InputShape<Image> shape =
        new InputShape.Images(input.channels(), input.height(), input.width());
    DataSet<Image> own = OwnAnswers.of("drawings", model.classes(), shape, images, classifier);
    var settings = new Robustness.Settings(1, images.size(), Robustness.TrueClass.NONE);
    Audit.Subject<Image> subject =
        (data, s, how, progress) -> Robustness.measure(classifier, data.items(), s, how, progress);
    return new Audit<>(own, sweep, settings)
        .measure(
            name,
            subject,
            (done, total) -> {
              try {
                events.send("progress", Map.of("done", before * total + done, "total", 2 * total));
              } catch (IOException e) {
                throw new UncheckedIOException(e); // the visitor has gone
              }
            })
        .document();
  }

  /** As many drawings as the model can be asked about in time. */
  private List<Image> drawings(ServedImages model, PoseRule rule, int angles) throws IOException {
    ModelInput.Images input = model.input();
    // Together no more pixels than one image may have, but two, for the timing.
    int most = limits.pixels() / (input.height() * input.width());
    most = Math.max(2, Math.min(MOST_IMAGES, most));
    List<Image> images = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      images.add(SampleDrawings.image(1000 + i, input.channels(), input.height(), input.width()));
    }
    // The first answers warm the model up, the second ones are timed.
    model.plain(images.subList(0, 1));
    model.mapped(rule, images.subList(0, 1));
    long begun = System.nanoTime();
    model.plain(images.subList(0, 2));
    model.mapped(rule, images.subList(0, 2));
    double perImage = (System.nanoTime() - begun) / 2e9;
    int inTime = (int) Math.max(LEAST_IMAGES, BUDGET_SECONDS / (perImage * angles + 1e-9));
    return images.subList(0, Math.min(most, inTime));
  }

  private interface Job<T> {
    T run(ServedImages model) throws IOException;
  }

  /** Runs a job on the uploaded model, and closes it. */
  private <T> T with(Request request, Job<T> job) throws IOException {
    if (request.body().length == 0) {
      throw new Problem(400, "body: expected an ONNX model, found nothing");
    }
    String scaling = request.text("scaling", "usual");
    Function<ModelInput<?>, Preprocessing> preprocessing = SCALINGS.get(scaling);
    if (preprocessing == null) {
      throw Problem.expected(
          "scaling", "one of " + SCALINGS.keySet().stream().sorted().toList(), scaling);
    }
    int frames = request.whole("frames", 16, 1, 72);
    OnnxFile file = OnnxFile.decode("the model", request.body());
    var use = new ServedImages.Use(ModelInput.Hints.NONE, preprocessing, null, List.of(), frames);
    try (ServedImages model = new ServedImages("the model", file, use, limits)) {
      return job.run(model);
    }
  }
}
