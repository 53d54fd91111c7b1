/** The training engine, libtorch: tensors, native memory, files of tensors. */
package org.orbitmap.nn.tensor;
