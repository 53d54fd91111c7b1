/** Training schemes. */
package org.orbitmap.nn.scheme;
