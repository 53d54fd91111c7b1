/** Models from disk, whatever made them: training runs, ONNX files, TorchScript files. */
package org.orbitmap.app.model;
