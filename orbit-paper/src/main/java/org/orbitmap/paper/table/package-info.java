/** The paper's tables and the presets of its runs: what is trained, and its figures. */
package org.orbitmap.paper.table;
