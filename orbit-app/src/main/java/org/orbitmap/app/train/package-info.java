/** Commands that make models: by training, and from weights of others. */
package org.orbitmap.app.train;
