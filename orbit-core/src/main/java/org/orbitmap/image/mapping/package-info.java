/** Orbit mappings of images: how the pose is found, its margin and its certificate. */
package org.orbitmap.image.mapping;
