/** Triangle meshes. */
package org.orbitmap.mesh;
