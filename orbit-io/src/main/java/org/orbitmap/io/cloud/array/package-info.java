/** One class for each file format of arrays, which hold one cloud or several of one size. */
package org.orbitmap.io.cloud.array;
