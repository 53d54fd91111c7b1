/** The appendix on isometry, measured. */
package org.orbitmap.paper.mesh;
