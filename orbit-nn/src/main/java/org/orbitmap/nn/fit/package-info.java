/** Learning what is upright, without labels: recipe, examples, loop, checkpoints, validation. */
package org.orbitmap.nn.fit;
