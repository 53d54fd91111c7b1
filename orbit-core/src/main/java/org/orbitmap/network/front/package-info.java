/**
 * What stands in front of any network: learned corrections of the pose, learned augmentation,
 * points that cover a cloud.
 */
package org.orbitmap.network.front;
