/** Readers and writers: picture files, data sets, clouds and meshes. */
package org.orbitmap.io;
