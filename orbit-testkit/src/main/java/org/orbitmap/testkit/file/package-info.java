/** Files with errors in them, for whoever tests a reader. */
package org.orbitmap.testkit.file;
