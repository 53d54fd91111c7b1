/** Clean, average and worst accuracy of any classifier over an orbit. */
package org.orbitmap.eval;
