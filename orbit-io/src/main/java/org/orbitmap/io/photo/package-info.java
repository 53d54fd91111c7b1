/**
 * Photographs of any size as data sets: read when they are asked for, in the size that is asked.
 */
package org.orbitmap.io.photo;
