package org.orbitmap.app.bench;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.orbitmap.eval.Progress;
import org.orbitmap.image.Fill;
import org.orbitmap.image.Interpolation;
import org.orbitmap.image.Resampling;
import org.orbitmap.image.mapping.RotationMapping;
import org.orbitmap.model.ModelInput;
import org.orbitmap.onnx.graph.Graph;
import org.orbitmap.onnx.graph.Graph.Value;
import org.orbitmap.onnx.graph.OnnxFile;
import org.orbitmap.onnx.run.OnnxModel;
import org.orbitmap.onnx.wrap.Wrap;

/**
 * Models of images, bare and wrapped, in turn: the least milliseconds of many calls for one input.
 * Only one of them is open at a time, as the idle threads of another would take a core away. Beside
 * those in a folder there is one that does next to nothing, at 224 x 224: what is left is the cost
 * of the mapping, by interpolation.
 */
public final class WrapBench {
  private static final int[] FRAMES = {1, 8};
  private static final int CALLS = 100;

  /** Of the model that is made here: the first one with GridSample. */
  private static final int OPSET = 16;

  private WrapBench() {}

  /**
   * Measures.
   *
   * @param folder with ONNX files
   */
  public static List<Figure> run(Path folder, int rounds, Progress progress) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(f -> f.toString().endsWith(".onnx")).sorted().toList();
    }
    List<Figure> figures = new ArrayList<>();
    for (int k = 0; k < files.size(); k++) {
      OnnxFile file = OnnxFile.read(files.get(k));
      if (file.input(ModelInput.Hints.NONE) instanceof ModelInput.Images images) {
        String name = files.get(k).getFileName().toString().replaceFirst("\\.onnx$", "");
        figures.addAll(compare(name, file, images, rounds));
      }
      progress.update(k + 1, files.size() + 1);
    }
    figures.addAll(mean(224, rounds));
    progress.update(files.size() + 1, files.size() + 1);
    return figures;
  }

  /** A model that gives the mean of each channel, behind both kinds of interpolation. */
  private static List<Figure> mean(int side, int rounds) throws IOException {
    String name = "mean-" + side;
    Graph g = new Graph(OPSET, "");
    Value means = g.op("GlobalAveragePool", Graph.FLOAT, List.of(g.value("x", Graph.FLOAT)));
    g.name(means.reshape(1, 3), "scores");
    OnnxFile bare =
        OnnxFile.of(
            name,
            ModelProto.newBuilder()
                .setIrVersion(8)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET))
                .setGraph(
                    GraphProto.newBuilder()
                        .setName(name)
                        .addInput(
                            Graph.info(
                                "x", Graph.tensorType(Graph.FLOAT, List.of(1, 3, side, side))))
                        .addOutput(
                            Graph.info("scores", Graph.tensorType(Graph.FLOAT, List.of(1, 3))))
                        .addAllNode(g.nodes()))
                .build());
    List<String> names = new ArrayList<>(List.of(name));
    List<OnnxFile> files = new ArrayList<>(List.of(bare));
    for (int frames : FRAMES) {
      for (Interpolation how : List.of(Interpolation.BILINEAR, Interpolation.BICUBIC)) {
        RotationMapping mapping = RotationMapping.disc().with(Resampling.of(how).with(Fill.EDGE));
        names.add("%s-%d-%s".formatted(name, frames, how));
        files.add(Wrap.of(bare).mapping(mapping).frames(frames).build());
      }
    }
    return compare(names, files, (ModelInput.Images) bare.input(ModelInput.Hints.NONE), rounds);
  }

  private static List<Figure> compare(
      String name, OnnxFile bare, ModelInput.Images input, int rounds) throws IOException {
    List<String> names = new ArrayList<>(List.of(name));
    List<OnnxFile> files = new ArrayList<>(List.of(bare));
    for (int frames : FRAMES) {
      Wrap wrap = Wrap.of(bare).frames(frames);
      names.add("%s-%d".formatted(name, frames));
      files.add(wrap.build());
      OnnxFile raised = wrap.raiseOpset(true).build();
      if (raised.opset() > bare.opset()) {
        names.add("%s-%d-raised".formatted(name, frames));
        files.add(raised);
      }
    }
    return compare(names, files, input, rounds);
  }

  private static List<Figure> compare(
      List<String> names, List<OnnxFile> files, ModelInput.Images input, int rounds)
      throws IOException {
    double[] least = new double[files.size()];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    for (int r = 0; r < rounds; r++) {
      for (int i = 0; i < least.length; i++) {
        least[i] = Math.min(least[i], milliseconds(files.get(i), input));
      }
    }
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < least.length; i++) {
      figures.add(new Figure(names.get(i), least[i], "ms, opset " + files.get(i).opset()));
    }
    return figures;
  }

  private static double milliseconds(OnnxFile file, ModelInput.Images input) throws IOException {
    int n = Math.max(1, input.batch());
    SplittableRandom random = new SplittableRandom(1);
    float[] x = new float[n * input.size()];
    for (int i = 0; i < x.length; i++) {
      x[i] = (float) random.nextDouble();
    }
    Map<String, OnnxModel.Feed> feed =
        Map.of(input.spec().name(), new OnnxModel.Feed(input.shape(n, input.size()), x));
    double least = Double.POSITIVE_INFINITY;
    try (OnnxModel model = OnnxModel.open(file, OnnxModel.Threads.WITHIN)) {
      for (int c = 0; c < CALLS; c++) {
        long start = System.nanoTime();
        model.run(feed);
        least = Math.min(least, (System.nanoTime() - start) / 1e6);
      }
    }
    return least;
  }
}
