package org.orbitmap.onnx.graph;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads in what is stored in files beside the model, wherever in it a tensor may stand: in graphs,
 * graphs of attributes, functions, training, dense or sparse. The walk follows the fields of the
 * format itself, so that no place is left out, and takes time linear in the size of the model.
 *
 * @param folder the model's own; null for a model that has to be whole in itself
 */
record Externals(String source, Path folder) {
  /** The model with all its tensors inside. */
  ModelProto inline(ModelProto model) throws IOException {
    List<TensorProto> external = external(model);
    if (external.isEmpty()) {
      return model;
    }
    long total = model.getSerializedSize();
    for (TensorProto t : external) {
      total += folder == null || elsewhere(t) ? range(t).length() : 0;
    }
    if (total > OnnxFile.LIMIT) {
      throw OnnxFile.tooLarge(source, total);
    }
    return (ModelProto) inlined(model);
  }

  /** The files that hold tensors. */
  Set<Path> files(ModelProto model) throws IOException {
    Set<Path> files = new HashSet<>();
    for (TensorProto t : external(model)) {
      if (elsewhere(t)) {
        files.add(range(t).file());
      }
    }
    return files;
  }

  private static List<TensorProto> external(ModelProto model) {
    List<TensorProto> found = new ArrayList<>();
    collect(model, found);
    return found;
  }

  private static void collect(Message message, List<TensorProto> found) {
    if (message instanceof TensorProto t) {
      if (external(t)) {
        found.add(t);
      }
      return;
    }
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      if (field.getKey().getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        if (field.getKey().isRepeated()) {
          for (Object each : (List<?>) field.getValue()) {
            collect((Message) each, found);
          }
        } else {
          collect((Message) field.getValue(), found);
        }
      }
    }
  }

  /** Whether the bytes are elsewhere, or the tensor names a place where they might be. */
  private static boolean external(TensorProto t) {
    return elsewhere(t) || t.getExternalDataCount() > 0;
  }

  private static boolean elsewhere(TensorProto t) {
    return t.getDataLocation() == TensorProto.DataLocation.EXTERNAL;
  }

  /** The same message, or one with the tensors read in. */
  private Message inlined(Message message) throws IOException {
    if (message instanceof TensorProto t) {
      return external(t) ? inline(t) : t;
    }
    Message.Builder changed = null;
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      FieldDescriptor key = field.getKey();
      if (key.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
        continue;
      }
      List<?> all = key.isRepeated() ? (List<?>) field.getValue() : List.of(field.getValue());
      for (int i = 0; i < all.size(); i++) {
        Message now = inlined((Message) all.get(i));
        if (now != all.get(i)) {
          changed = changed == null ? message.toBuilder() : changed;
          if (key.isRepeated()) {
            changed.setRepeatedField(key, i, now);
          } else {
            changed.setField(key, now);
          }
        }
      }
    }
    return changed == null ? message : changed.build();
  }

  private TensorProto inline(TensorProto t) throws IOException {
    TensorProto.Builder whole = t.toBuilder().clearExternalData().clearDataLocation();
    if (!elsewhere(t)) {
      return whole.build(); // the place means nothing where the bytes are inside
    }
    Range range = range(t);
    byte[] data = new byte[(int) range.length()];
    try (RandomAccessFile in = new RandomAccessFile(range.file().toFile(), "r")) {
      in.seek(range.offset());
      in.readFully(data);
    }
    return whole.setRawData(ByteString.copyFrom(data)).build();
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
    if (folder == null) {
      throw new IOException(
          "%s: expected a model that is whole in itself, found a tensor \"%s\" in another file; put its numbers into the model"
              .formatted(source, t.getName()));
    }
    if (location.isEmpty()) {
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
