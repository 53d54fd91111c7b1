/** The training engine measured beside others. */
package org.orbitmap.nn.bench;
