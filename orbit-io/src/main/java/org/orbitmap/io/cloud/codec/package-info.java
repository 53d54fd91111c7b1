/** One class for each file format of single clouds and meshes. */
package org.orbitmap.io.cloud.codec;
