/** The {@code orbit} command: one class per subcommand, registered in {@link Main}. */
package org.orbitmap.app;
