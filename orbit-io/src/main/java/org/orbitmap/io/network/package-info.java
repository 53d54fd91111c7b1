/** Files that hold the numbers of networks. Reading them needs no engine. */
package org.orbitmap.io.network;
