/** Training schemes: how training inputs are changed, and the loss. */
package org.orbitmap.nn.scheme;
