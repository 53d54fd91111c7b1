/** The HTTP server. */
package org.orbitmap.app.serve.http;
