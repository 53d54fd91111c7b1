/**
 * Orbit mappings of point clouds: principal axes, their directions, and the order of the points.
 */
package org.orbitmap.cloud.mapping;
