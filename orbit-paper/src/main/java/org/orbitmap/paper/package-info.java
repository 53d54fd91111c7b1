/** The tables of the paper: presets, rows, its figures, runs and Markdown. */
package org.orbitmap.paper;
