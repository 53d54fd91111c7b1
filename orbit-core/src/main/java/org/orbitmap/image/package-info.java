/** Images, their rotations and their orbit mappings (paper, section 4.1, appendices C and D). */
package org.orbitmap.image;
