package org.orbitmap.app.map;

import java.nio.file.Path;
import java.util.Map;
import org.orbitmap.io.AtomicFiles;

/**
 * What a mapper makes of a file.
 *
 * @param report what is said of it, field by field: the element, the margins, remarks
 * @param files what is to be written, by the path below the output folder; the last one is the
 *     result, those before it belong to it
 */
public record Mapped(Map<String, Object> report, Map<Path, AtomicFiles.Body> files) {}
