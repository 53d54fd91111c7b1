/** Image files. */
package org.orbitmap.io.image;
