/** What commands share: options, errors, progress, JSON. */
package org.orbitmap.app.option;
