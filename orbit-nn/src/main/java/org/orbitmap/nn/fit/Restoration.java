package org.orbitmap.nn.fit;

import org.orbitmap.image.Interpolation;

/**
 * What a restorer gains: peak signal-to-noise ratios of images rotated there and back.
 *
 * @param interpolation of the rotation there; null for all of them
 * @param before in decibels, without the restorer
 * @param after in decibels, with it
 */
public record Restoration(Interpolation interpolation, double before, double after) {}
