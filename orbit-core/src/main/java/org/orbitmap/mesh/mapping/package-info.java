/** Orbit mappings of meshes into other representations. */
package org.orbitmap.mesh.mapping;
