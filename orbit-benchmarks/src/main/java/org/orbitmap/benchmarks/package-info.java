/** JMH benchmarks: {@code ./orbit jmh [JMH options]} runs them. */
package org.orbitmap.benchmarks;
