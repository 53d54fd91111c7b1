package org.orbitmap.app.serve.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.orbitmap.app.sample.SampleDrawings;
import org.orbitmap.app.serve.http.Endpoint;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.app.serve.model.ServedImages;
import org.orbitmap.eval.Scores;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
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
  private static final int MOST_IMAGES = 20;
  private static final int LEAST_IMAGES = 5;

  /** What an audit may take; slow models are asked about fewer images. */
  private static final double BUDGET_SECONDS = 60;

  /** How visitors' networks expect pixels, by name. */
  private static final Map<String, Preprocessing> SCALINGS =
      Map.of(
          "unit", Preprocessing.NONE,
          "bytes", new Preprocessing(255, new double[] {0}, new double[] {1}),
          "imagenet",
              new Preprocessing(
                  1, new double[] {0.485, 0.456, 0.406}, new double[] {0.229, 0.224, 0.225}),
          "cifar10",
              new Preprocessing(
                  1, new double[] {0.4914, 0.4822, 0.4465}, new double[] {0.2023, 0.1994, 0.201}));

  private final Limits limits;

  UploadApi(Limits limits) {
    this.limits = limits;
  }

  /** {@code POST /api/wrap}: the model with the orbit mapping in front. */
  Response wrap(Request call) throws IOException {
    return with(
        call,
        model -> {
          byte[] bytes = model.wrap(rule(call)).bytes();
          return Response.of("application/octet-stream", bytes)
              .with("Content-Disposition", "attachment; filename=\"wrapped.onnx\"");
        });
  }

  private static PoseRule rule(Request call) {
    return PoseRule.named(call.text("mapping", "disc"));
  }

  /**
   * {@code POST /api/audit}: how often the model's answer at an angle is its answer upright, bare
   * and wrapped, on drawings of the size that it takes.
   */
  void audit(Request call, Endpoint.Events events) throws IOException {
    with(
        call,
        model -> {
          audit(model, call, events);
          return null;
        });
  }

  private void audit(ServedImages model, Request call, Endpoint.Events events) throws IOException {
    PoseRule rule = rule(call);
    Interpolation how = Interpolation.named(call.text("interpolation", "bilinear"));
    ModelInput.Images input = model.input();
    OnnxFile file = model.bareModel().file();
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("input", input.toString());
    about.put("parameters", file.parameters());
    about.put("opset", file.opset());
    about.put("classes", model.classes().size());
    events.send("model", about);

    // Together no more pixels than one image may have, but two, for the timing.
    int most = limits.pixels() / (input.height() * input.width());
    most = Math.max(2, Math.min(MOST_IMAGES, most));
    List<Image> images = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      images.add(SampleDrawings.image(1000 + i, input.channels(), input.height(), input.width()));
    }
    // The first answers warm the model up, the second ones are timed.
    int[] plainTruth = labels(model.plain(images));
    model.mapped(rule, images.subList(0, 1));
    long begun = System.nanoTime();
    model.plain(images.subList(0, 2));
    model.mapped(rule, images.subList(0, 2));
    double perImage = (System.nanoTime() - begun) / 2e9;
    int angles = 360 / STEP;
    int inTime = (int) Math.max(LEAST_IMAGES, BUDGET_SECONDS / (perImage * angles + 1e-9));
    int count = Math.min(most, inTime);
    images = images.subList(0, count);
    int[] mappedTruth = labels(model.mapped(rule, images));
    Agreement plain = new Agreement(count);
    Agreement mapped = new Agreement(count);
    ImageRotation turn = new ImageRotation(Resampling.of(how));
    for (int a = 0; a < angles; a++) {
      List<Image> rotated = new ArrayList<>();
      for (Image u : images) {
        rotated.add(turn.act(Rotation2.ofDegrees(a * STEP), u));
      }
      Map<String, Object> point = new LinkedHashMap<>();
      point.put("degrees", a * STEP);
      point.put("plain", plain.add(labels(model.plain(rotated)), plainTruth));
      point.put("mapped", mapped.add(labels(model.mapped(rule, rotated)), mappedTruth));
      point.put("done", a + 1);
      point.put("total", angles);
      events.send("point", point);
    }
    Map<String, Object> end = new LinkedHashMap<>();
    end.put("images", count);
    end.put("angles", angles);
    end.put("frames", model.frames());
    end.put("plain", plain.summary());
    end.put("mapped", mapped.summary());
    events.send("end", end);
  }

  private static int[] labels(float[][] scores) {
    int[] labels = new int[scores.length];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = Scores.argmax(scores[i]);
    }
    return labels;
  }

  /** Counts how often answers agree with the upright ones. */
  private static final class Agreement {
    private final boolean[] always;
    private double sum;
    private double worst = 1;
    private int angles;

    Agreement(int images) {
      always = new boolean[images];
      java.util.Arrays.fill(always, true);
    }

    double add(int[] found, int[] expected) {
      int same = 0;
      for (int i = 0; i < always.length; i++) {
        boolean agrees = found[i] == expected[i];
        same += agrees ? 1 : 0;
        always[i] &= agrees;
      }
      double share = (double) same / always.length;
      sum += share;
      worst = Math.min(worst, share);
      angles++;
      return share;
    }

    Map<String, Double> summary() {
      int n = 0;
      for (boolean b : always) {
        n += b ? 1 : 0;
      }
      return Map.of("average", sum / angles, "worst", worst, "always", (double) n / always.length);
    }
  }

  private interface Job<T> {
    T run(ServedImages model) throws IOException;
  }

  /** Runs a job on the uploaded model, and closes it. */
  private <T> T with(Request call, Job<T> job) throws IOException {
    if (call.body().length == 0) {
      throw new Problem(400, "body: expected an ONNX model, found nothing");
    }
    String scaling = call.text("scaling", "unit");
    Preprocessing preprocessing = SCALINGS.get(scaling);
    if (preprocessing == null) {
      throw Problem.expected(
          "scaling", "one of " + SCALINGS.keySet().stream().sorted().toList(), scaling);
    }
    int frames = call.whole("frames", 16, 1, 72);
    OnnxFile file = OnnxFile.decode("the model", call.body());
    var use = new ServedImages.Use(preprocessing, List.of(), frames);
    try (ServedImages model = new ServedImages("the model", file, use, limits)) {
      return job.run(model);
    }
  }
}
