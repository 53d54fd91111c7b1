/**
 * What runs on batches of tensors, each defined once: the operations that networks are made of, the
 * rotation of images, the principal axes of clouds, orbit mappings.
 */
package org.orbitmap.nn.layer;
