/** Readers and writers: image files, data sets, clouds and meshes. */
package org.orbitmap.io;
