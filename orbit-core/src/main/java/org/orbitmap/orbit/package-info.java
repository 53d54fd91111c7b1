/** Actions, orbit mappings and what they make of a network (paper, section 3 and appendix A). */
package org.orbitmap.orbit;
