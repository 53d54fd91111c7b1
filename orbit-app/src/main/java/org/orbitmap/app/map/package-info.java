/** Files of one kind to their canonical pose, for orbit map. */
package org.orbitmap.app.map;
