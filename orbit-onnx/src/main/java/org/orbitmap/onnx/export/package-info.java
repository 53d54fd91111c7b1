/** Networks as ONNX graphs. */
package org.orbitmap.onnx.export;
