/**
 * The loops over colour images on vectors of the processor. It is found by itself once it is on the
 * class path of a Java virtual machine with the module {@code jdk.incubator.vector}.
 */
package org.orbitmap.lanes;
