/** Sample inputs that are generated. */
package org.orbitmap.app.sample;
