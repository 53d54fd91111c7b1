/** Networks and the models that they are in: mapping, normalisation, network. */
package org.orbitmap.nn.network;
