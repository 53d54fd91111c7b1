/** Training runs: configuration, sampling, loop, optimiser, checkpoints, folder, provenance. */
package org.orbitmap.nn.train;
