/** Correspondences of meshes in files: what {@code orbit match} reads, writes and shows. */
package org.orbitmap.app.match;
