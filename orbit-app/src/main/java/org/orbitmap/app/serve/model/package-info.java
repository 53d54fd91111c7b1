/** The models that are served. */
package org.orbitmap.app.serve.model;
