/** The Laplace–Beltrami operator of a surface, its eigenpairs, and what is read off them. */
package org.orbitmap.mesh.spectral;
