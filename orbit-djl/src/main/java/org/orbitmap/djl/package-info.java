/** Orbit mappings in front of image models of the Deep Java Library. */
package org.orbitmap.djl;
