/**
 * Networks, each written once: one method against a small set of {@link
 * org.orbitmap.network.Operations}. A {@link org.orbitmap.network.Declaration} runs it on shapes
 * and finds its parameters, the training engine runs it on tensors, and the exporter writes it as
 * an ONNX graph.
 */
package org.orbitmap.network;
