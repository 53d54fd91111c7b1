/** Processes of their own in which models of strangers are opened and run. */
package org.orbitmap.app.cell;
