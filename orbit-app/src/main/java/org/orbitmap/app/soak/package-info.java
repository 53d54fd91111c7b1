/** Long strain on what must not break: servers, uploads, readers, runs that are killed. */
package org.orbitmap.app.soak;
