/** Networks, training schemes, checkpoints and experiments on images (paper, section 4.1). */
package org.orbitmap.nn;
