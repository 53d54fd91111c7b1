/**
 * {@code orbit serve}: the studio page, the Open Inference Protocol, canonical poses over HTTP.
 *
 * <p>{@link org.orbitmap.app.serve.Server} owns the sockets and every limit; an {@link
 * org.orbitmap.app.serve.Endpoint} sees a whole, bounded request and returns an answer, and keeps
 * nothing between requests.
 */
package org.orbitmap.app.serve;
