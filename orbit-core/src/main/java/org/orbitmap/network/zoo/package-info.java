/** Networks, one class for each family, and their registry. */
package org.orbitmap.network.zoo;
