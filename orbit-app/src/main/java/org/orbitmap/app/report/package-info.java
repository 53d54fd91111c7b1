/** Reports: one HTML file that needs nothing else, and its figures as SVG and PNG beside it. */
package org.orbitmap.app.report;
