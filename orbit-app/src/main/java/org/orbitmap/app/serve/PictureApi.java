package org.orbitmap.app.serve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.orbitmap.app.report.Report;
import org.orbitmap.eval.Scores;
import org.orbitmap.group.Rotation2;
import org.orbitmap.image.Image;
import org.orbitmap.image.ImageRotation;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Pose;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.RotationMapping;
import org.orbitmap.io.ImageFiles;

/** What the Picture page asks for. Nothing is kept: the page sends its picture each time. */
final class PictureApi {
  /** How many angles of a curve go through the network together. */
  private static final int BATCH = 6;

  private final Models models;
  private final Limits limits;

  PictureApi(Models models, Limits limits) {
    this.models = models;
    this.limits = limits;
  }

  /** {@code POST /api/fit}: any picture, brought to the size that a model takes. */
  Answer fit(Call call) throws IOException {
    var input = models.pictures(call).input();
    Image image =
        Pictures.fitted(call.body(), limits, input.channels(), input.height(), input.width());
    return Answer.of("image/png", ImageFiles.png(image));
  }

  /**
   * {@code POST /api/picture}: the picture turned by an angle, its pose, and what is said of it.
   */
  Answer turned(Call call) throws IOException {
    ServedModel model = models.pictures(call);
    RotationMapping mapping = RotationMapping.named(call.text("mapping", "disc"));
    Image picture = picture(call, model);
    Image input = turn(call, picture, call.number("angle", 0, -360, 360));
    Pose pose = mapping.pose(input);
    double noise = noise(call);
    double epsilon =
        noise > 0 ? noise * Math.sqrt(input.data().length) : CanonicalApi.oneLevel(input);
    Map<String, Object> out = CanonicalApi.pose(mapping, pose, epsilon);
    out.put("input", Report.dataUri(input));
    out.put("canonical", Report.dataUri(mapping.action().act(pose.rotation(), input)));
    out.put("plain", model.plain(List.of(input))[0]);
    out.put("mapped", model.mapped(mapping.rule(), List.of(input))[0]);
    return Answer.json(out);
  }

  /** {@code POST /api/curve}: the probability of one class at all angles, as it is computed. */
  void curve(Call call, Endpoint.Events events) throws IOException {
    ServedModel model = models.pictures(call);
    RotationMapping mapping = RotationMapping.named(call.text("mapping", "disc"));
    Image picture = picture(call, model);
    int step = call.whole("step", 5, 1, 90);
    int label = call.whole("label", -1, -1, model.classes().size() - 1);
    if (label < 0) {
      label = Scores.argmax(model.plain(List.of(picture))[0]);
    }
    events.send("target", Map.of("label", label));
    float plainLeast = 1;
    float mappedLeast = 1;
    for (int from = 0; from < 360; from += BATCH * step) {
      List<Image> turned = new ArrayList<>();
      for (int a = from; a < Math.min(360, from + BATCH * step); a += step) {
        turned.add(turn(call, picture, a));
      }
      float[][] plain = model.plain(turned);
      float[][] mapped = model.mapped(mapping.rule(), turned);
      for (int i = 0; i < turned.size(); i++) {
        plainLeast = Math.min(plainLeast, plain[i][label]);
        mappedLeast = Math.min(mappedLeast, mapped[i][label]);
        events.send(
            "point",
            Map.of(
                "degrees", from + i * step, "plain", plain[i][label], "mapped", mapped[i][label]));
      }
    }
    events.send("end", Map.of("plain", plainLeast, "mapped", mappedLeast));
  }

  private Image picture(Call call, ServedModel model) throws IOException {
    Image picture = Pictures.decode(call.body(), limits);
    var input = model.input();
    if (picture.channels() == 1) {
      picture = picture.withChannels(input.channels());
    }
    if (picture.channels() != input.channels()
        || picture.height() != input.height()
        || picture.width() != input.width()) {
      throw Problem.expected(
          "picture",
          "%d x %d x %d, as the model takes it (POST /api/fit makes it so)"
              .formatted(input.channels(), input.height(), input.width()),
          picture);
    }
    return picture;
  }

  private static double noise(Call call) {
    return call.number("noise", 0, 0, 1);
  }

  /** Turned by the chosen interpolation, then with seeded Gaussian noise on every sample. */
  private static Image turn(Call call, Image picture, double degrees) {
    Interpolation how = Interpolation.named(call.text("interpolation", "bilinear"));
    Image turned = new ImageRotation(Resampling.of(how)).act(Rotation2.ofDegrees(degrees), picture);
    double noise = noise(call);
    if (noise > 0) {
      long seed = 1000L * call.whole("seed", 1, 0, 1 << 30) + Math.round(degrees);
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      float[] data = turned.data();
      for (int i = 0; i < data.length; i++) {
        data[i] += (float) (noise * random.nextGaussian());
      }
    }
    return turned;
  }
}
