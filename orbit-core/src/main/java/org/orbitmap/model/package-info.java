/**
 * What a model takes and gives, whatever runs it: tensors, layout, preprocessing, kind of input.
 */
package org.orbitmap.model;
