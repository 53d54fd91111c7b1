/** Models: orbit mapping, normalisation and network; their files and their evaluation. */
package org.orbitmap.nn.model;
