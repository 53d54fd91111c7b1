package org.orbitmap.app.serve.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.orbitmap.app.audit.AuditResult;
import org.orbitmap.app.cell.CellLoop;
import org.orbitmap.app.cell.Frame;
import org.orbitmap.app.serve.http.Limits;
import org.orbitmap.app.serve.http.Problem;
import org.orbitmap.app.serve.http.Request;
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
 * The cell of an uploaded model: it reads the bytes, opens and wraps the model, and asks it. Tasks:
 * open, then wrap or audit.
 */
final class UploadCell {
  private static final int STEP = 10;
  private static final int LEAST_IMAGES = 5;

  /** Images that the model is asked about before progress is told. */
  private static final int BATCH = 5;

  /** What an audit may take; slow models are asked about fewer images. */
  private static final double BUDGET_SECONDS = 60;

  /** How visitors' networks expect pixels, by name. */
  private static final Map<String, Function<ModelInput<?>, Preprocessing>> SCALINGS =
      Map.of(
          "usual", Preprocessing::usual,
          "bytes", input -> Preprocessing.BYTES,
          "imagenet", input -> Preprocessing.IMAGENET,
          "cifar10", input -> Preprocessing.CIFAR10);

  private Use use;
  private ServedImages model;
  private boolean touched;

  private UploadCell() {}

  /** The cell. */
  public static void main(String[] args) {
    UploadCell cell = new UploadCell();
    CellLoop.run(
        Map.of(
            "open", cell::open,
            "wrap", (frame, say) -> cell.wrap(),
            "audit", cell::audit),
        UploadCell::warm,
        () -> !cell.touched);
  }

  /** The first model takes longer than the next ones. */
  private static void warm() {
    try {
      OnnxFile file = OnnxFile.decode("drawings", Pages.resource("drawings.onnx"));
      var usual = ServedImages.Use.usual(List.of(), 1);
      try (ServedImages drawings = new ServedImages("drawings", file, usual, Limits.DEFAULT)) {
        drawings.wrap(PoseRule.DISC);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How the query wants the model to be used. */
  record Use(
      Function<ModelInput<?>, Preprocessing> preprocessing,
      int frames,
      PoseRule rule,
      Resampling resampling) {
    static Use of(Request request) {
      String scaling = request.text("scaling", "usual");
      Function<ModelInput<?>, Preprocessing> preprocessing = SCALINGS.get(scaling);
      if (preprocessing == null) {
        throw Problem.expected(
            "scaling", "one of " + SCALINGS.keySet().stream().sorted().toList(), scaling);
      }
      return new Use(
          preprocessing,
          request.whole("frames", 16, 1, 72),
          ImageRequests.mapping(request, Resampling.BILINEAR).rule(),
          Resampling.of(ImageRequests.interpolation(request)));
    }
  }

  private CellLoop.Answer open(Frame frame, CellLoop.Say say) throws IOException {
    Map<String, String> query = new LinkedHashMap<>();
    JsonNode head = frame.head();
    head.path("query")
        .properties()
        .forEach(entry -> query.put(entry.getKey(), entry.getValue().asText()));
    use = Use.of(Request.of(query));
    OnnxFile file = OnnxFile.decode("the model", frame.payload());
    file.input(ModelInput.Hints.NONE); // refuses what is no model of images or clouds
    touched = true;
    say.beat();
    model =
        new ServedImages(
            "the model",
            file,
            new ServedImages.Use(
                ModelInput.Hints.NONE, use.preprocessing(), null, List.of(), use.frames()),
            Limits.DEFAULT.withPixels(head.path("pixels").intValue()));
    ModelInput.Images input = model.input();
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("input", input.toString());
    about.put("parameters", file.parameters());
    about.put("opset", file.opset());
    about.put("classes", model.classes().size());
    return new CellLoop.Answer(
        Map.of(
            "channels",
            input.channels(),
            "height",
            input.height(),
            "width",
            input.width(),
            "about",
            about),
        null);
  }

  private CellLoop.Answer wrap() throws IOException {
    return new CellLoop.Answer(null, model.wrap(use.rule()).bytes());
  }

  private CellLoop.Answer audit(Frame frame, CellLoop.Say say) throws IOException {
    List<Image> all = images(frame);
    double[] angles = AngleSweep.degrees(STEP);
    List<Image> images = inTime(all, angles.length, say);
    Resampling how = use.resampling();
    var sweep = Map.entry(how.interpolation().id(), AngleSweep.at(how, angles));
    Map<String, Object> end = new LinkedHashMap<>();
    end.put("images", images.size());
    end.put("own", frame.head().path("own").booleanValue());
    end.put("angles", angles.length);
    end.put("frames", model.frames());
    end.put("plain", stays("plain", model.bare(), images, sweep, 0, say));
    end.put("mapped", stays("mapped", model.mapped(use.rule()), images, sweep, 1, say));
    return new CellLoop.Answer(end, null);
  }

  private List<Image> images(Frame frame) {
    ModelInput.Images input = model.input();
    FloatBuffer numbers = ByteBuffer.wrap(frame.payload()).asFloatBuffer();
    List<Image> images = new ArrayList<>();
    for (int i = frame.head().path("count").intValue(); i > 0; i--) {
      float[] data = new float[input.size()];
      numbers.get(data);
      images.add(new Image(input.channels(), input.height(), input.width(), data));
    }
    return images;
  }

  /** How often the answers of one of the two models stay. */
  private static AuditResult.Document stays(
      String name,
      Classifier<Image> classifier,
      List<Image> images,
      Map.Entry<String, Sweep<Image>> sweep,
      int before,
      CellLoop.Say say) {
    var settings = new Robustness.Settings(1, BATCH, Robustness.TrueClass.NONE);
    Robustness result =
        Robustness.measure(
            classifier,
            Labelled.unknown(images),
            sweep.getValue(),
            settings,
            (done, total) -> {
              try {
                say.event("progress", Map.of("done", before * total + done, "total", 2 * total));
              } catch (IOException e) {
                throw new UncheckedIOException(e); // the visitor has gone
              }
            });
    return new AuditResult(name, Map.of(sweep.getKey(), result)).document();
  }

  /** As many images as the model can be asked about in time. */
  private List<Image> inTime(List<Image> images, int angles, CellLoop.Say say) throws IOException {
    // The first answers warm the model up, the second ones are timed.
    List<Image> few = images.subList(0, Math.min(2, images.size()));
    model.plain(few.subList(0, 1));
    say.beat();
    model.mapped(use.rule());
    say.beat();
    model.mapped(use.rule(), few.subList(0, 1));
    say.beat();
    long begun = System.nanoTime();
    model.plain(few);
    model.mapped(use.rule(), few);
    say.beat();
    double perImage = (System.nanoTime() - begun) / (1e9 * few.size());
    int inTime = (int) Math.max(LEAST_IMAGES, BUDGET_SECONDS / (perImage * angles + 1e-9));
    return images.subList(0, Math.min(images.size(), inTime));
  }
}
