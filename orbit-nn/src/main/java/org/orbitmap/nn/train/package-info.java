/** Training runs: configuration, loop, checkpoints, evaluation. */
package org.orbitmap.nn.train;
