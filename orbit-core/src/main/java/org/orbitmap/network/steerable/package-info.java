/**
 * Convolutions that commute with rotations and mirrorings by construction (steerable networks;
 * Weiler and Cesa, 2019): groups, harmonics, the space of kernels and its expansion.
 */
package org.orbitmap.network.steerable;
