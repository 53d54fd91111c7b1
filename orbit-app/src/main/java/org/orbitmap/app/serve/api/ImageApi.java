package org.orbitmap.app.serve.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.orbitmap.app.report.Report;
import org.orbitmap.app.serve.http.Endpoint;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
import org.orbitmap.app.serve.http.Response;
import org.orbitmap.app.serve.model.Models;
import org.orbitmap.app.serve.model.ServedImages;
import org.orbitmap.eval.Scores;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.AngleSweep;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.Pose;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.io.image.ImageFiles;

/** What the Image page asks for. Nothing is kept: the page sends its image each time. */
final class ImageApi {
  /** How many angles of a curve go through the network together. */
  private static final int BATCH = 6;

  private final Models models;
  private final Limits limits;

  ImageApi(Models models, Limits limits) {
    this.models = models;
    this.limits = limits;
  }

  /** {@code POST /api/fit}: any image, brought to the size that a model takes. */
  Response fit(Request request) throws IOException {
    var input = models.images(request).input();
    Image image =
        ImageRequests.fitted(
            request.body(), limits, input.channels(), input.height(), input.width());
    return Response.of("image/png", ImageFiles.png(image));
  }

  /** {@code POST /api/image}: the image rotated by an angle, its pose, and what is said of it. */
  Response rotated(Request request) throws IOException {
    ServedImages model = models.images(request);
    RotationMapping mapping = ImageRequests.mapping(request, model.resampling());
    Image image = image(request, model);
    Image input = rotate(request, image, request.number("angle", 0, -360, 360));
    Pose pose = mapping.pose(input);
    double noise = noise(request);
    double epsilon =
        noise > 0 ? noise * Math.sqrt(input.data().length) : CanonicalApi.oneLevel(input);
    Map<String, Object> out = CanonicalApi.pose(mapping, pose, epsilon);
    out.put("input", Report.dataUri(input));
    out.put("canonical", Report.dataUri(mapping.action().act(pose.rotation(), input)));
    out.put("label", label(request, model, image));
    out.put("plain", model.plain(List.of(input))[0]);
    out.put("mapped", model.mapped(mapping.rule(), List.of(input))[0]);
    return Response.json(out);
  }

  /** {@code POST /api/curve}: the probability of one class at all angles, as it is computed. */
  void curve(Request request, Endpoint.Events events) throws IOException {
    ServedImages model = models.images(request);
    RotationMapping mapping = ImageRequests.mapping(request, model.resampling());
    Image image = image(request, model);
    double[] angles = AngleSweep.degrees(request.number("step", 5, 1, 360));
    int label = label(request, model, image);
    events.send("target", Map.of("label", label));
    float plainLeast = 1;
    float mappedLeast = 1;
    for (int from = 0; from < angles.length; from += BATCH) {
      List<Image> rotated = new ArrayList<>();
      for (int a = from; a < Math.min(angles.length, from + BATCH); a++) {
        rotated.add(rotate(request, image, angles[a]));
      }
      float[][] plain = model.plain(rotated);
      float[][] mapped = model.mapped(mapping.rule(), rotated);
      for (int i = 0; i < rotated.size(); i++) {
        plainLeast = Math.min(plainLeast, plain[i][label]);
        mappedLeast = Math.min(mappedLeast, mapped[i][label]);
        events.send(
            "point",
            Map.of(
                "angleDegrees",
                angles[from + i],
                "plain",
                plain[i][label],
                "mapped",
                mapped[i][label]));
      }
    }
    events.send("end", Map.of("plain", plainLeast, "mapped", mappedLeast));
  }

  /** The class that both models are asked about: that of the query, or the bare model's upright. */
  private static int label(Request request, ServedImages model, Image image) {
    int label = request.whole("label", -1, -1, model.classes().size() - 1);
    return label >= 0 ? label : Scores.argmax(model.plain(List.of(image))[0]);
  }

  private Image image(Request request, ServedImages model) throws IOException {
    Image image = ImageRequests.decode(request.body(), limits);
    var input = model.input();
    if (image.channels() == 1) {
      image = image.withChannels(input.channels());
    }
    if (image.channels() != input.channels()
        || image.height() != input.height()
        || image.width() != input.width()) {
      throw Problem.expected(
          "image",
          "%d x %d x %d, as the model takes it (POST /api/fit makes it so)"
              .formatted(input.channels(), input.height(), input.width()),
          image);
    }
    return image;
  }

  private static double noise(Request request) {
    return request.number("noise", 0, 0, 1);
  }

  /** Rotated by the chosen interpolation, then with seeded Gaussian noise on every sample. */
  private static Image rotate(Request request, Image image, double degrees) {
    Resampling how = Resampling.of(ImageRequests.interpolation(request));
    Image rotated = new ImageRotation(how).act(Rotation2.ofDegrees(degrees), image);
    double noise = noise(request);
    if (noise > 0) {
      long seed = 1000L * request.whole("seed", 1, 0, 1 << 30) + Math.round(degrees);
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      float[] data = rotated.data();
      for (int i = 0; i < data.length; i++) {
        data[i] += (float) (noise * random.nextGaussian());
      }
    }
    return rotated;
  }
}
