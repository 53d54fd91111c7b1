/** Laws of networks that are equivariant by construction. */
package org.orbitmap.testkit.network;
