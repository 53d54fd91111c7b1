/** Run, inspect, audit and wrap ONNX models that others made. */
package org.orbitmap.onnx;
