package org.orbitmap.app;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;

/** Small models of images, shaped as users' models are. */
public final class UserModels {
  private UserModels() {}

  private static GraphProto.Builder graph(int... shape) {
    return GraphProto.newBuilder().setName("users").addInput(OnnxParts.tensor("x", shape));
  }

  /** A mean over some axes, which go or stay. */
  private static NodeProto mean(String output, String input, boolean stay, long... axes) {
    AttributeProto.Builder over =
        AttributeProto.newBuilder().setName("axes").setType(AttributeProto.AttributeType.INTS);
    for (long a : axes) {
      over.addInts(a);
    }
    return OnnxParts.node("ReduceMean", output, input).toBuilder()
        .addAttribute(over)
        .addAttribute(
            AttributeProto.newBuilder()
                .setName("keepdims")
                .setType(AttributeProto.AttributeType.INT)
                .setI(stay ? 1 : 0))
        .build();
  }

  /**
   * Three classes: the mean of each channel.
   *
   * @param batch negative for any
   */
  public static ModelProto colours(int batch, int height, int width) {
    return OnnxParts.model(
        graph(batch, 3, height, width)
            .addNode(mean("y", "x", false, 2, 3))
            .addOutput(OnnxParts.tensor("y", batch, 3)));
  }

  /** The same as N x 3 x 1 x 1. */
  public static ModelProto deep(int height, int width) {
    return OnnxParts.model(
        graph(-1, 3, height, width)
            .addNode(mean("y", "x", true, 2, 3))
            .addOutput(OnnxParts.tensor("y", -1, 3, 1, 1)));
  }

  /** Two classes as one number: how bright a grey image is, through a sigmoid. */
  public static ModelProto bright(int height, int width) {
    return OnnxParts.model(
        graph(-1, 1, height, width)
            .addNode(mean("m", "x", false, 2, 3))
            .addNode(OnnxParts.node("Sigmoid", "y", "m"))
            .addOutput(OnnxParts.tensor("y", -1, 1)));
  }

  /** Three classes of one image without an axis for the batch. */
  public static ModelProto alone(int height, int width) {
    return OnnxParts.model(
        graph(3, height, width)
            .addNode(mean("y", "x", false, 1, 2))
            .addOutput(OnnxParts.tensor("y", 3)));
  }

  /** Three classes, times a number that has to be fed. */
  public static ModelProto scaled(int height, int width) {
    return OnnxParts.model(
        graph(-1, 3, height, width)
            .addInput(OnnxParts.tensor("k", 1))
            .addNode(mean("m", "x", false, 2, 3))
            .addNode(OnnxParts.node("Mul", "y", "m", "k"))
            .addOutput(OnnxParts.tensor("y", -1, 3)));
  }

  /** Two images. */
  public static ModelProto two(int height, int width) {
    return OnnxParts.model(
        graph(-1, 3, height, width)
            .addInput(OnnxParts.tensor("z", -1, 3, height, width))
            .addNode(OnnxParts.node("Add", "s", "x", "z"))
            .addNode(mean("y", "s", false, 2, 3))
            .addOutput(OnnxParts.tensor("y", -1, 3)));
  }

  /** A mask and no class scores. */
  public static ModelProto mask(int height, int width) {
    return OnnxParts.model(
        graph(-1, 3, height, width)
            .addNode(mean("mask", "x", true, 1))
            .addOutput(OnnxParts.tensor("mask", -1, 1, height, width)));
  }
}
