/** What a predictor of the upright pose is fitted on, and the report about it. */
package org.orbitmap.app.fit;
