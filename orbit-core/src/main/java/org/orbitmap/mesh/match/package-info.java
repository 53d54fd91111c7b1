/** Correspondences between surfaces by functional maps. */
package org.orbitmap.mesh.match;
