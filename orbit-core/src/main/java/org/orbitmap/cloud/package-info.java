/** Point clouds, their motions and their orbit mappings (paper, section 4.2). */
package org.orbitmap.cloud;
