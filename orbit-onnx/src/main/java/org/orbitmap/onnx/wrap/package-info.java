/** Orbit mappings as ONNX operators in front of models that others made. */
package org.orbitmap.onnx.wrap;
