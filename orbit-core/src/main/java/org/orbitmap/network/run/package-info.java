/** Networks run in plain Java, forward only: no engine, no native code. */
package org.orbitmap.network.run;
