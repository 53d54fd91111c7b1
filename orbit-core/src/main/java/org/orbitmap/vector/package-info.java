/** Vectors: mean subtraction, scaling and sorting (paper, section 3.2). */
package org.orbitmap.vector;
