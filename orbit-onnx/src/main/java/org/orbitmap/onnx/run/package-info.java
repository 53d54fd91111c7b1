/** ONNX models in ONNX Runtime. */
package org.orbitmap.onnx.run;
