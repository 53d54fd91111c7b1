/** What a data set is, what reads one, and the readers of layouts that several share. */
package org.orbitmap.io.data;
