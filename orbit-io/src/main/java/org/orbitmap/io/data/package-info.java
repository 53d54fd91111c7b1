/** Labelled data sets: where they are, how they are read, how they are fetched. */
package org.orbitmap.io.data;
