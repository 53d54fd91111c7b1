/** The training engine, libtorch: tensors, native memory, files of tensors and TorchScript. */
package org.orbitmap.nn.tensor;
