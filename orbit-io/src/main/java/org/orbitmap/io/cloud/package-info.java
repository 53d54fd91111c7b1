/** Files of point clouds and meshes, one class for each format. */
package org.orbitmap.io.cloud;
