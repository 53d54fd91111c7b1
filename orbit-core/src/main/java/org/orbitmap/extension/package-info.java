/** How users' own networks, schemes, mappings and data sets are found. */
package org.orbitmap.extension;
