/** ONNX models as files and graphs: read and checked, and written node by node. */
package org.orbitmap.onnx.graph;
