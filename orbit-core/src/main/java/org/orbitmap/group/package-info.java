/** Groups as values: their elements are plain records. */
package org.orbitmap.group;
