/** Whole commands measured beside others that do the same. */
package org.orbitmap.app.bench;
