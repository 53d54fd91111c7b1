/** One class for each data set, and where all of them are found and fetched. */
package org.orbitmap.io.data.source;
