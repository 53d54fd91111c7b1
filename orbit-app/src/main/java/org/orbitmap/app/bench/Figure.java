package org.orbitmap.app.bench;

/**
 * One figure.
 *
 * @param name what was measured
 * @param value the figure
 * @param unit its unit
 */
public record Figure(String name, double value, String unit) {}
