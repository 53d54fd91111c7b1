package org.orbitmap.onnx.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads in what is stored in files beside the model. */
record Externals(String source, Path folder) {
  ModelProto inline(ModelProto model) throws IOException {
    if (tensors(model.getGraph()).noneMatch(Externals::external)) {
      return model;
    }
    long total = model.getSerializedSize();
    for (TensorProto t : tensors(model.getGraph()).filter(Externals::external).toList()) {
      total += range(t).length();
    }
    if (total > OnnxFile.LIMIT) {
      throw OnnxFile.tooLarge(source, total);
    }
    return model.toBuilder().setGraph(inline(model.getGraph())).build();
  }

  /** The files that hold initialisers. */
  Set<Path> files(ModelProto model) throws IOException {
    Set<Path> files = new HashSet<>();
    for (TensorProto t : tensors(model.getGraph()).filter(Externals::external).toList()) {
      files.add(range(t).file());
    }
    return files;
  }

  private static boolean external(TensorProto t) {
    return t.getDataLocation() == TensorProto.DataLocation.EXTERNAL;
  }

  private static Stream<TensorProto> tensors(GraphProto g) {
    return Stream.concat(
        g.getInitializerList().stream(),
        g.getNodeList().stream()
            .flatMap(n -> n.getAttributeList().stream())
            .flatMap(
                a ->
                    Stream.of(
                            a.hasT() ? Stream.of(a.getT()) : Stream.<TensorProto>empty(),
                            a.getTensorsList().stream(),
                            a.hasG() ? tensors(a.getG()) : Stream.<TensorProto>empty(),
                            a.getGraphsList().stream().flatMap(Externals::tensors))
                        .flatMap(s -> s)));
  }

  private GraphProto inline(GraphProto g) throws IOException {
    GraphProto.Builder b = g.toBuilder();
    for (int i = 0; i < b.getInitializerCount(); i++) {
      b.setInitializer(i, inline(b.getInitializer(i)));
    }
    for (int i = 0; i < b.getNodeCount(); i++) {
      if (b.getNode(i).getAttributeCount() > 0) {
        b.setNode(i, inline(b.getNode(i)));
      }
    }
    return b.build();
  }

  private NodeProto inline(NodeProto node) throws IOException {
    NodeProto.Builder b = node.toBuilder();
    for (AttributeProto.Builder a : b.getAttributeBuilderList()) {
      if (a.hasT()) {
        a.setT(inline(a.getT()));
      }
      for (int k = 0; k < a.getTensorsCount(); k++) {
        a.setTensors(k, inline(a.getTensors(k)));
      }
      if (a.hasG()) {
        a.setG(inline(a.getG()));
      }
      for (int k = 0; k < a.getGraphsCount(); k++) {
        a.setGraphs(k, inline(a.getGraphs(k)));
      }
    }
    return b.build();
  }

  private TensorProto inline(TensorProto t) throws IOException {
    if (!external(t)) {
      return t;
    }
    Range range = range(t);
    byte[] data = new byte[(int) range.length()];
    try (RandomAccessFile in = new RandomAccessFile(range.file().toFile(), "r")) {
      in.seek(range.offset());
      in.readFully(data);
    }
    return t.toBuilder()
        .clearExternalData()
        .clearDataLocation()
        .setRawData(ByteString.copyFrom(data))
        .build();
  }

  private record Range(Path file, long offset, long length) {}

  /** Where a tensor's bytes are; only files in the model's own folder are read. */
  private Range range(TensorProto t) throws IOException {
    Map<String, String> entry =
        t.getExternalDataList().stream()
            .collect(
                Collectors.toMap(
                    StringStringEntryProto::getKey, StringStringEntryProto::getValue, (a, b) -> b));
    String location = entry.getOrDefault("location", "");
    if (folder == null || location.isEmpty()) {
      throw new IOException(
          "%s: expected a file for initialiser \"%s\", found no location"
              .formatted(source, t.getName()));
    }
    Path file = folder.resolve(location).normalize();
    if (!file.startsWith(folder.normalize())) {
      throw new IOException(
          "%s: expected initialiser \"%s\" in the model's folder, found it in %s; files elsewhere are not read"
              .formatted(source, t.getName(), location));
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException(
          "%s: expected initialiser \"%s\" in %s, found no such file; keep it beside the model"
              .formatted(source, t.getName(), file));
    }
    long size = Files.size(file);
    long offset;
    long length;
    try {
      offset = Long.parseLong(entry.getOrDefault("offset", "0"));
      length = Long.parseLong(entry.getOrDefault("length", Long.toString(size - offset)));
    } catch (NumberFormatException e) {
      throw new IOException(
          "%s: expected whole numbers for the place of initialiser \"%s\", found %s"
              .formatted(source, t.getName(), entry));
    }
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new IOException(
          "%s: expected %d bytes from %d on for initialiser \"%s\", found a file of %d bytes: %s"
              .formatted(source, length, offset, t.getName(), size, file));
    }
    if (length > OnnxFile.LIMIT) {
      throw OnnxFile.tooLarge(source, length);
    }
    return new Range(file, offset, length);
  }
}
