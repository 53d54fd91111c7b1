/** The audit: a model over all poses of its inputs, measured, printed, written as a page. */
package org.orbitmap.app.audit;
