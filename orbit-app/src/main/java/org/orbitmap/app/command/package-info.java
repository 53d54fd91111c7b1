/** One class for each command. */
package org.orbitmap.app.command;
