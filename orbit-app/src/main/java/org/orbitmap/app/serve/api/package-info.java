/** What the server answers: the page, mapping, auditing, the inference protocol. */
package org.orbitmap.app.serve.api;
