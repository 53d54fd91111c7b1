/** Orbit mappings in Spark's tables and SQL, and a Spark cluster for orbit's commands. */
package org.orbitmap.spark;
