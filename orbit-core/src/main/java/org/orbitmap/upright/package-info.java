/**
 * The learned orbit mapping: a fixed one, refined by what a network says of the canonical image, so
 * that images stand upright. What is said is the same for every pose.
 */
package org.orbitmap.upright;
